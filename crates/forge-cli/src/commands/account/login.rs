//! The command `forge login`.

use clap::Args;
use forge_api::{CallerInfo, NewToken};
use forge_client::{ApiClient, ClientError, ServerUrl};

use crate::cli_error::CliError;
use crate::context::CliContext;
use crate::credentials::{StoredCredential, StoredCredentials};
use crate::terminal::secret_prompt;
use crate::terminal::text_table::one_line;
use crate::terminal::wire_words::actor_name;

/// Sign in to a server, and make it the default
///
/// With --name it asks for the password and creates a token; otherwise it asks for a token. Both are read from the
/// terminal without echo, or from standard input when that is piped. They are never arguments, because every user of
/// a machine can read those.
#[derive(Debug, Args)]
pub(crate) struct LoginArgs {
    /// Sign in with this user's password
    #[arg(long)]
    name: Option<String>,
    /// Sign in with a token; in scripts: `forge login --with-token < FILE`
    #[arg(long, conflicts_with = "name")]
    with_token: bool,
}

impl LoginArgs {
    pub(crate) async fn run(self, context: &CliContext) -> Result<(), CliError> {
        let url = context.url()?;
        // Load the file first, so that no password is requested that could not be stored.
        let mut credentials = StoredCredentials::load(&context.environment)?;
        let entry = match self.name {
            Some(name) => sign_in_by_password(&url, name).await?,
            None => StoredCredential {
                token: secret_prompt::read_secret(&format!("Token for {url}")).await?,
                token_id: None,
                data_dir: None,
            },
        };
        let me = ApiClient::new(url.clone(), Some(&entry.token))?.accounts().fetch_me().await;
        let me = me.map_err(|error| rejected_credential(error, "the token", &url))?;
        let was_default = credentials.default_url() == Some(url.to_string().as_str());
        credentials.put(&url, entry);
        credentials.store()?;
        print_signed_in(context, &me, &url)?;
        let by_environment = context.environment.get("FORGE_URL").is_some();
        if !was_default && !by_environment && context.options.url.is_some() {
            context.output.print_note(&format!("Commands without --url go to {url} from now on."));
        }
        Ok(())
    }
}

async fn sign_in_by_password(url: &ServerUrl, name: String) -> Result<StoredCredential, CliError> {
    let password = secret_prompt::read_secret(&format!("Password of {name} at {url}")).await?;
    let visitor = ApiClient::new(url.clone(), None)?;
    let signed_in = visitor.accounts().sign_in(&forge_api::LoginRequest { name, password }).await;
    let (_, session) =
        signed_in.map_err(|error| rejected_credential(error, "the name or the password", url))?;
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let request =
        NewToken { name: format!("forge login on {host}"), scope: None, expires_in_seconds: None };
    let created = session.tokens().create(&request).await?;
    // Only the token is stored; a session that could not be ended expires by itself.
    let _ = session.accounts().sign_out().await;
    Ok(StoredCredential { token: created.secret, token_id: Some(created.token.id), data_dir: None })
}

/// A rejected password or token is reported as wrong; a hint to sign in would not help here.
fn rejected_credential(error: ClientError, given: &str, url: &ServerUrl) -> CliError {
    match error {
        ClientError::Api { status: 401, .. } => {
            CliError::not_signed_in(format!("{given} is wrong: {url} does not accept it"))
                .hint("check for a missing character, another server's token, or a revoked one")
                .hint(format!("make a token on {url}, under your name; nothing was stored"))
        }
        error => error.into(),
    }
}

fn print_signed_in(context: &CliContext, me: &CallerInfo, url: &ServerUrl) -> Result<(), CliError> {
    let name = me.user.as_ref().map_or_else(|| actor_name(&me.actor), |user| user.name.clone());
    context.output.print_result(me, || format!("Signed in to {url} as {}", one_line(&name)))?;
    if context.environment.get("FORGE_TOKEN").is_some() {
        context.output.print_note("FORGE_TOKEN is set and takes precedence over the stored token.");
    }
    Ok(())
}

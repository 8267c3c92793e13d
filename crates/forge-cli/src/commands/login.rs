//! `forge login`

use clap::Args;
use forge_api::{Me, NewToken};
use forge_client::{Client, ServerUrl};

use crate::context::Context;
use crate::credentials::{Credentials, Entry};
use crate::failure::Failure;
use crate::prompt;
use crate::table::one_line;
use crate::words::actor;

/// Sign in, and remember it for this server
///
/// With --name it asks for the password and makes a token; else it asks for a token. Either is read from the terminal
/// without echo, or from standard input when that is piped. It is never an argument, because every user of a machine
/// can read those.
#[derive(Debug, Args)]
pub(crate) struct Login {
    /// Sign in with this user's password
    #[arg(long)]
    name: Option<String>,
    /// Sign in with a token; `forge login --with-token < FILE` in scripts
    #[arg(long, conflicts_with = "name")]
    with_token: bool,
}

impl Login {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let url = context.url()?;
        // First, so that no password is asked for that could not be used.
        let mut credentials = Credentials::load(&context.environment)?;
        let entry = match self.name {
            Some(name) => by_password(&url, name).await?,
            None => {
                Entry { token: prompt::secret(&format!("Token for {url}")).await?, token_id: None }
            }
        };
        let me = Client::new(url.clone(), Some(&entry.token))?.fetch_me().await?;
        credentials.put(&url, entry);
        credentials.store()?;
        tell(context, &me, &url)
    }
}

async fn by_password(url: &ServerUrl, name: String) -> Result<Entry, Failure> {
    let password = prompt::secret(&format!("Password of {name} at {url}")).await?;
    let visitor = Client::new(url.clone(), None)?;
    let (_, session) = visitor.sign_in(&forge_api::Login { name, password }).await?;
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let request =
        NewToken { name: format!("forge login on {host}"), scope: None, expires_in_seconds: None };
    let created = session.create_token(&request).await?;
    // The token is what is kept; a session that could not be ended runs out by itself.
    let _ = session.sign_out().await;
    Ok(Entry { token: created.secret, token_id: Some(created.token.id) })
}

fn tell(context: &Context, me: &Me, url: &ServerUrl) -> Result<(), Failure> {
    let name = me.user.as_ref().map_or_else(|| actor(&me.actor), |user| user.name.clone());
    context.output.result(me, || format!("Signed in to {url} as {}", one_line(&name)))?;
    if context.environment.get("FORGE_TOKEN").is_some() {
        context.output.note("FORGE_TOKEN is set and goes before what was just stored.");
    }
    Ok(())
}

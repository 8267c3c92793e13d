//! The server that `forge init` registers the repository on.

use std::path::PathBuf;

use forge_api::{LocalSignInRequest, SecretString};
use forge_client::{ApiClient, ClientError, ServerUrl};
use forge_server::local_server::{LocalServer, LocalServerState, find_local_server};
use forge_server::settings::ServerSettings;
use serde_json::{Value, json};

use crate::cli_error::CliError;
use crate::commands::init::server_launch::{launch_server, log_path};
use crate::commands::init::start_lock::StartLock;
use crate::commands::serve::load_settings;
use crate::context::CliContext;
use crate::credentials::{StoredCredential, StoredCredentials};
use crate::terminal::text_table::one_line;

/// A server and a client that is signed in.
#[derive(Debug)]
pub(crate) struct InitServer {
    pub(crate) client: ApiClient,
    pub(crate) url: ServerUrl,
    /// The server of this user's data directory, if it is that.
    pub(crate) local: Option<InitLocalServer>,
}

/// What `forge init` says about a server of this machine.
#[derive(Debug)]
pub(crate) struct InitLocalServer {
    pid: u32,
    data_dir: PathBuf,
    /// Whether this command started it.
    is_started: bool,
    /// The user's name, if this command signed in.
    signed_in_as: Option<String>,
    /// Whether the sign-in created the user, who has no password yet.
    is_new_user: bool,
}

impl InitServer {
    /// Finds the server, starts it if it is this user's own and does not run, and signs in.
    pub(crate) async fn connect(context: &CliContext) -> Result<Self, CliError> {
        let is_named =
            context.options.url.is_some() || context.environment.get("FORGE_TOKEN").is_some();
        let stored = StoredCredentials::load(&context.environment)?;
        if is_named || stored.has_chosen_default() {
            let url = context.url()?;
            return Ok(Self { client: context.client()?, url, local: None });
        }
        let settings = load_settings(context, Vec::new())
            .map_err(|refused| CliError::usage(refused.to_string()))?;
        let (server, is_started) = find_or_start(&settings).await?;
        sign_in(&settings, server, is_started, stored).await
    }

    /// What a program learns about the server.
    pub(crate) fn document(&self) -> Value {
        let local = self.local.as_ref();
        json!({
            "url": self.url.to_string(),
            "pid": local.map(|local| local.pid),
            "data_dir": local.map(|local| &local.data_dir),
            "log": local.filter(|local| local.is_started).map(|local| log_path(&local.data_dir)),
            "started": local.is_some_and(|local| local.is_started),
        })
    }

    /// What a user learns about the server.
    pub(crate) fn notes(&self) -> Vec<String> {
        let Some(local) = &self.local else { return Vec::new() };
        let (url, pid) = (&self.url, local.pid);
        let mut notes = Vec::new();
        if local.is_started {
            let log = log_path(&local.data_dir);
            notes.push(format!("Started a server at {url}; it keeps running after this command."));
            notes.push(format!("  stop it: kill {pid}    its log: {}", log.display()));
        } else {
            notes.push(format!("Found the server at {url} (process {pid})."));
        }
        if let Some(name) = &local.signed_in_as {
            notes.push(format!("Signed in as {}.", one_line(name)));
        }
        if local.is_new_user {
            notes.push("  to sign in with a browser: forge user password --first".to_owned());
        }
        notes
    }
}

async fn find_or_start(settings: &ServerSettings) -> Result<(LocalServer, bool), CliError> {
    let data_dir = &settings.data_dir;
    let _lock = StartLock::acquire(data_dir).await?;
    let find = || find_local_server(data_dir).map_err(|error| CliError::local(error.to_string()));
    let last = match find()? {
        LocalServerState::Running(server) => return Ok((server, false)),
        LocalServerState::Starting => return Err(starting_error(settings)),
        LocalServerState::Stopped { last } => last,
    };
    launch_server(settings, last).await?;
    match find()? {
        LocalServerState::Running(server) => Ok((server, true)),
        // It has stopped again, or could not publish its address safely; its log says which.
        LocalServerState::Starting | LocalServerState::Stopped { .. } => {
            Err(CliError::local("the server was started, but it does not say how to reach it")
                .hint(format!("its log is {}", log_path(data_dir).display())))
        }
    }
}

fn starting_error(settings: &ServerSettings) -> CliError {
    CliError::local(format!(
        "a server has {} and does not say how to reach it: it is still starting, or it is an earlier version",
        settings.data_dir.display()
    ))
    .hint("repeat the command when it is ready, or name the server with --url and sign in with `forge login`")
}

/// Uses the stored token of the server if it is still valid, otherwise exchanges the local credential for a token.
async fn sign_in(
    settings: &ServerSettings,
    server: LocalServer,
    is_started: bool,
    mut stored: StoredCredentials,
) -> Result<InitServer, CliError> {
    let url: ServerUrl = format!("http://{}", server.address).parse()?;
    let mut local = InitLocalServer {
        pid: server.pid,
        data_dir: settings.data_dir.clone(),
        is_started,
        signed_in_as: None,
        is_new_user: false,
    };
    let known = stored.get(&url).map(|entry| entry.token.clone());
    if let Some(token) = known {
        let client = ApiClient::new(url.clone(), Some(&token))?;
        match client.accounts().fetch_me().await {
            Ok(_) => return Ok(InitServer { client, url, local: Some(local) }),
            // The token was revoked, or the data directory is a new one.
            Err(ClientError::Api { status: 401, .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let Some(credential) = server.credential else {
        return Err(CliError::not_signed_in(format!(
            "the server at {url} has no local credential"
        ))
        .hint("its log says why; sign in with `forge login`"));
    };
    let signed_in = exchange_credential(&url, credential).await?;
    let entry = StoredCredential {
        token: signed_in.token.secret.clone(),
        token_id: Some(signed_in.token.token.id),
        data_dir: Some(settings.data_dir.clone()),
    };
    let replaced = stored.remove_local(&settings.data_dir);
    stored.put(&url, entry);
    stored.store()?;
    local.signed_in_as = Some(signed_in.user.name);
    local.is_new_user = signed_in.is_new_user;
    let client = ApiClient::new(url.clone(), Some(&signed_in.token.secret))?;
    for token in replaced.into_iter().filter_map(|entry| entry.token_id) {
        // The server may have revoked it, or have another database; a token that works is not needed any more.
        let _ = client.tokens().revoke(token).await;
    }
    Ok(InitServer { client, url, local: Some(local) })
}

async fn exchange_credential(
    url: &ServerUrl,
    credential: SecretString,
) -> Result<forge_api::LocalSignInResponse, CliError> {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let request = LocalSignInRequest {
        credential,
        user_name: None,
        token_name: format!("forge init on {host}"),
    };
    let visitor = ApiClient::new(url.clone(), None)?;
    visitor.accounts().sign_in_locally(&request).await.map_err(|error| match error {
        ClientError::Api { status: 401, .. } => {
            CliError::not_signed_in(format!("{url} does not accept its local credential from here"))
                .hint("it may have restarted: repeat the command, or sign in with `forge login`")
        }
        error => error.into(),
    })
}

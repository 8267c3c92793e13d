//! The context of every command.

use std::path::Path;

use forge_api::SecretString;
use forge_client::{ApiClient, ServerUrl};
use forge_server::local_server::{LocalServerState, find_local_server};

use crate::cli::GlobalOptions;
use crate::cli_error::CliError;
use crate::credentials::StoredCredentials;
use crate::environment::ProcessEnvironment;
use crate::terminal::cli_output::CliOutput;
use crate::terminal::relative_time::CurrentTime;

/// The default address of `forge serve`.
const DEFAULT_URL: &str = "http://127.0.0.1:8080";

/// Refuses to send the token of a local server to another program: when the server has ended, any program can listen
/// on its port. The lock of the data directory tells them apart.
fn require_local_server(data_dir: &Path, url: &ServerUrl) -> Result<(), CliError> {
    let place = data_dir.display();
    let found = find_local_server(data_dir).map_err(|error| CliError::local(error.to_string()))?;
    let problem = match found {
        LocalServerState::Running(server) => {
            let own: ServerUrl = format!("http://{}", server.address).parse()?;
            if own.to_string() == url.to_string() {
                return Ok(());
            }
            format!("the server of {place} is at {own} now")
        }
        LocalServerState::Starting => format!("the server of {place} is starting"),
        LocalServerState::Stopped { .. } => format!("the server of {place} does not run"),
    };
    let message = format!("{problem}, so your token is not sent to {url}");
    Err(CliError::unreachable(message)
        .hint("`forge init` in a repository starts or finds the server"))
}

/// Where a value of the client comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueSource {
    /// An option of the command.
    Option,
    /// A variable of the environment.
    Environment,
    /// The file that `forge login` and `forge config` write.
    File,
    /// Nothing says otherwise.
    Default,
}

/// The global options, the environment, and the output.
#[derive(Debug)]
pub(crate) struct CliContext {
    pub(crate) options: GlobalOptions,
    pub(crate) environment: ProcessEnvironment,
    pub(crate) output: CliOutput,
    /// The time at the start of the command.
    pub(crate) now: CurrentTime,
}

impl CliContext {
    /// The server URL: the named one, otherwise that of the last `forge login`, otherwise this machine's.
    pub(crate) fn url(&self) -> Result<ServerUrl, CliError> {
        Ok(self.url_with_source()?.0)
    }

    /// The server URL, and where it comes from.
    pub(crate) fn url_with_source(&self) -> Result<(ServerUrl, ValueSource), CliError> {
        if let Some(url) = &self.options.url {
            let variable = self.environment.get("FORGE_URL");
            let is_variable = variable.is_some_and(|value| value == url.as_str());
            let source = if is_variable { ValueSource::Environment } else { ValueSource::Option };
            return Ok((url.parse()?, source));
        }
        let stored = StoredCredentials::load(&self.environment)?;
        match stored.default_url() {
            Some(url) => Ok((url.parse()?, ValueSource::File)),
            None => Ok((DEFAULT_URL.parse()?, ValueSource::Default)),
        }
    }

    /// The token: from the environment, otherwise the token that `forge login` stored for exactly this address.
    pub(crate) fn token(&self, url: &ServerUrl) -> Result<Option<SecretString>, CliError> {
        if let Some(value) = self.environment.get("FORGE_TOKEN") {
            let text =
                value.to_str().ok_or_else(|| CliError::usage("FORGE_TOKEN is not valid UTF-8"))?;
            return Ok(Some(SecretString::new(text.trim())));
        }
        let stored = StoredCredentials::load(&self.environment)?;
        let Some(entry) = stored.get(url) else { return Ok(None) };
        if let Some(data_dir) = &entry.data_dir {
            require_local_server(data_dir, url)?;
        }
        Ok(Some(entry.token.clone()))
    }

    /// The project that the environment names.
    pub(crate) fn environment_project(&self) -> Option<String> {
        self.environment.get("FORGE_PROJECT").map(|name| name.to_string_lossy().into_owned())
    }

    /// A client for the server, signed in if there is a token.
    pub(crate) fn client(&self) -> Result<ApiClient, CliError> {
        let url = self.url()?;
        let token = self.token(&url)?;
        Ok(ApiClient::new(url, token.as_ref())?)
    }
}

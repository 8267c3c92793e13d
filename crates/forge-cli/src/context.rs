//! The context of every command.

use forge_api::SecretString;
use forge_client::{ApiClient, ServerUrl};

use crate::cli::GlobalOptions;
use crate::cli_error::CliError;
use crate::credentials::StoredCredentials;
use crate::environment::ProcessEnvironment;
use crate::terminal::cli_output::CliOutput;

/// The default address of `forge serve`.
const DEFAULT_URL: &str = "http://127.0.0.1:8080";

/// The global options, the environment, and the output.
#[derive(Debug)]
pub(crate) struct CliContext {
    pub(crate) options: GlobalOptions,
    pub(crate) environment: ProcessEnvironment,
    pub(crate) output: CliOutput,
}

impl CliContext {
    /// The server URL: the named one, otherwise that of the last `forge login`, otherwise this machine's.
    pub(crate) fn url(&self) -> Result<ServerUrl, CliError> {
        if let Some(url) = &self.options.url {
            return Ok(url.parse()?);
        }
        let stored = StoredCredentials::load(&self.environment)?;
        Ok(stored.default_url().unwrap_or(DEFAULT_URL).parse()?)
    }

    /// The token: from the environment, otherwise the token that `forge login` stored for exactly this address.
    pub(crate) fn token(&self, url: &ServerUrl) -> Result<Option<SecretString>, CliError> {
        if let Some(value) = self.environment.get("FORGE_TOKEN") {
            let text =
                value.to_str().ok_or_else(|| CliError::usage("FORGE_TOKEN is not valid UTF-8"))?;
            return Ok(Some(SecretString::new(text.trim())));
        }
        let stored = StoredCredentials::load(&self.environment)?;
        Ok(stored.get(url).map(|entry| entry.token.clone()))
    }

    /// A client for the server, signed in if there is a token.
    pub(crate) fn client(&self) -> Result<ApiClient, CliError> {
        let url = self.url()?;
        let token = self.token(&url)?;
        Ok(ApiClient::new(url, token.as_ref())?)
    }
}
    /// The project that the environment names.
    pub(crate) fn environment_project(&self) -> Option<String> {
        self.environment.get("FORGE_PROJECT").map(|name| name.to_string_lossy().into_owned())
    }


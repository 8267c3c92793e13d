//! What every command is given.

use forge_api::Secret;
use forge_client::{Client, ServerUrl};

use crate::cli::GlobalOptions;
use crate::credentials::Credentials;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::output::Output;

/// The options before the command's own, the environment, and where to speak.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) options: GlobalOptions,
    pub(crate) environment: Environment,
    pub(crate) output: Output,
}

impl Context {
    /// The server to talk to.
    pub(crate) fn url(&self) -> Result<ServerUrl, Failure> {
        Ok(self.options.url.parse()?)
    }

    /// The token to talk with: the environment's, else the one `forge login` stored for this very address.
    pub(crate) fn token(&self, url: &ServerUrl) -> Result<Option<Secret>, Failure> {
        if let Some(value) = self.environment.get("FORGE_TOKEN") {
            let text =
                value.to_str().ok_or_else(|| Failure::usage("FORGE_TOKEN is not valid UTF-8"))?;
            return Ok(Some(Secret::new(text.trim())));
        }
        let stored = Credentials::load(&self.environment)?;
        Ok(stored.get(url).map(|entry| entry.token.clone()))
    }

    /// A client for the server, signed in if there is a token.
    pub(crate) fn client(&self) -> Result<Client, Failure> {
        let url = self.url()?;
        let token = self.token(&url)?;
        Ok(Client::new(url, token.as_ref())?)
    }
}

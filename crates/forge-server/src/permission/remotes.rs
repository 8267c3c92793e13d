//! Permission to use the server's own credentials for remotes (S-6, M-15).

use forge_api::{ErrorCode, ProjectSettings};
use serde_json::json;

use crate::app::AppState;
use crate::caller::Caller;
use crate::error::api_error::ApiError;

impl Caller {
    /// Refuses an address that the server's own token or ssh key would open: with it a member could read, and push
    /// to, every repository that the server can.
    pub(crate) fn require_own_credentials(
        &self,
        app: &AppState,
        url: &str,
        has_token: bool,
    ) -> Result<(), ApiError> {
        if self.require_admin().is_ok() || has_token || !app.engine.remotes().lends_credentials(url)
        {
            return Ok(());
        }
        Err(refused(
            "The server's own credentials would open this address, and only an admin lends them. \
             Give a token of your own, or ask an admin to add the repository.",
        ))
    }

    /// Refuses an installation of the server's GitHub App that an admin has not chosen.
    pub(crate) fn require_same_installation(
        &self,
        before: Option<&ProjectSettings>,
        asked: &ProjectSettings,
    ) -> Result<(), ApiError> {
        let chosen = before.and_then(|before| before.github_installation_id);
        match asked.github_installation_id {
            Some(_) if asked.github_installation_id != chosen => self.require_installation(),
            _ => Ok(()),
        }
    }

    /// Refuses callers that are not admins: an installation gives access with the server's own key.
    pub(crate) fn require_installation(&self) -> Result<(), ApiError> {
        if self.require_admin().is_ok() {
            return Ok(());
        }
        Err(refused(
            "An installation of the server's GitHub App opens repositories with the server's key, so only an admin \
             chooses it. Ask one, or give the repository a token of its own.",
        ))
    }
}

fn refused(message: &str) -> ApiError {
    ApiError::new(ErrorCode::Forbidden, message)
        .with_details(json!({ "permission": "lend_credentials" }))
}

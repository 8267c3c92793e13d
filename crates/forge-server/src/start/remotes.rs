//! Settings for remote hosts.

use std::fs;
use std::sync::Arc;

use forge_engine::{AppKey, GitHubClient, PrivateAddresses, RemoteSettings, SystemResolver};

use crate::settings::ServerSettings;
use crate::start::errors::ServerStartError;

/// Reads the key of the GitHub App, if there is one.
pub(crate) fn remotes(settings: &ServerSettings) -> Result<RemoteSettings, ServerStartError> {
    let app = match (&settings.github_app_id, &settings.github_app_key_file) {
        (None, None) => None,
        (Some(id), Some(path)) => {
            let refused = |problem: String| ServerStartError::GitHubApp {
                problem: format!("{}: {problem}", path.display()),
            };
            let pem = fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
            let key = AppKey::new(id, &pem).map_err(|error| refused(error.to_string()))?;
            Some(key)
        }
        _ => {
            let problem = "github_app_id and github_app_key_file go together; set both or neither";
            return Err(ServerStartError::GitHubApp { problem: problem.to_owned() });
        }
    };
    Ok(RemoteSettings {
        timeout_seconds: settings.remote_timeout_seconds,
        github_url: settings.github_url.clone(),
        github: GitHubClient::new(&settings.github_api_url, app),
        github_token: settings.github_token.clone(),
        private_addresses: PrivateAddresses::Only(settings.private_hosts.clone()),
        resolver: Arc::new(SystemResolver),
    })
}

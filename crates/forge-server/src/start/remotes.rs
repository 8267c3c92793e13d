//! What the server knows about other hosts, from its settings.

use std::fs;

use forge_engine::{AppKey, GitHub, RemoteSettings};

use super::errors::StartError;
use crate::settings::Settings;

/// Reads the key of the GitHub App, if there is one.
pub(super) fn remotes(settings: &Settings) -> Result<RemoteSettings, StartError> {
    let app = match (&settings.github_app_id, &settings.github_app_key_file) {
        (None, None) => None,
        (Some(id), Some(path)) => {
            let refused = |problem: String| StartError::GitHubApp {
                problem: format!("{}: {problem}", path.display()),
            };
            let pem = fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
            let key = AppKey::new(id, &pem).map_err(|error| refused(error.to_string()))?;
            Some(key)
        }
        _ => {
            let problem = "github_app_id and github_app_key_file go together; set both or neither";
            return Err(StartError::GitHubApp { problem: problem.to_owned() });
        }
    };
    Ok(RemoteSettings {
        timeout_seconds: settings.remote_timeout_seconds,
        github_url: settings.github_url.clone(),
        github: GitHub::new(&settings.github_api_url, app),
        github_token: settings.github_token.clone(),
    })
}

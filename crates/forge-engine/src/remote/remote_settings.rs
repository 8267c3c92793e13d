//! The server's settings for remote hosts.

use crate::admin::boundary::PrivateAddresses;
use crate::command::errors::EngineError;
use forge_git::AccessToken;
use forge_github::GitHubClient;

/// The server's settings for remote hosts.
#[derive(Debug, Clone)]
pub struct RemoteSettings {
    /// Time limit of a query, fetch or push.
    pub timeout_seconds: u64,
    /// Scheme and host of GitHub; its tokens are sent nowhere else.
    pub github_url: String,
    /// The API client, with the GitHub App.
    pub github: GitHubClient,
    /// The token from the server's environment.
    pub github_token: Option<AccessToken>,
    /// Which private hosts may be contacted (S-6).
    pub private_addresses: PrivateAddresses,
}

impl Default for RemoteSettings {
    fn default() -> Self {
        Self {
            timeout_seconds: 300,
            github_url: "https://github.com".to_owned(),
            github: GitHubClient::new("https://api.github.com", None),
            github_token: None,
            private_addresses: PrivateAddresses::Allowed,
        }
    }
}

/// The GitHub App installation that a project's settings name.
pub(crate) fn installation_of(settings: &serde_json::Value) -> Result<Option<u64>, EngineError> {
    match settings.get("github_installation_id") {
        None | Some(serde_json::Value::Null) => Ok(None),
        Some(id) if id.as_u64().is_some_and(|id| id > 0) => Ok(id.as_u64()),
        Some(_) => Err(EngineError::InvalidField {
            field: "settings.github_installation_id",
            problem: "must be the number at the end of the installation's page on GitHub"
                .to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    #[test]
    fn m_15_an_installation_is_a_number() {
        let of = |id| installation_of(&json!({ "github_installation_id": id }));
        assert_eq!(installation_of(&json!({})).unwrap(), None);
        assert_eq!(of(json!(null)).unwrap(), None);
        assert_eq!(of(json!(7)).unwrap(), Some(7));
        for bad in [json!("7"), json!(0), json!(-1), json!({})] {
            assert!(of(bad).is_err());
        }
    }
}

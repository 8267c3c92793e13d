//! What this server knows about other hosts.

use crate::errors::EngineError;
use forge_git::Token;
use forge_github::GitHub;

/// What this server knows about other hosts.
#[derive(Debug, Clone)]
pub struct RemoteSettings {
    /// How long a question, a fetch or a push may take.
    pub timeout_seconds: u64,
    /// Scheme and host of GitHub: its tokens go nowhere else.
    pub github_url: String,
    /// Its API, with our App.
    pub github: GitHub,
    /// The token of this server's environment.
    pub github_token: Option<Token>,
}

impl Default for RemoteSettings {
    fn default() -> Self {
        Self {
            timeout_seconds: 300,
            github_url: "https://github.com".to_owned(),
            github: GitHub::new("https://api.github.com", None),
            github_token: None,
        }
    }
}

/// The installation of the GitHub App that a project's settings name.
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

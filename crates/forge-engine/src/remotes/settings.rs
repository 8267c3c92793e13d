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
    let Some(github) = settings.get("github").filter(|github| !github.is_null()) else {
        return Ok(None);
    };
    let known =
        github.as_object().is_some_and(|github| github.keys().all(|key| key == "installation_id"));
    match github.get("installation_id") {
        None | Some(serde_json::Value::Null) if known => Ok(None),
        Some(id) if known && id.as_u64().is_some_and(|id| id > 0) => Ok(id.as_u64()),
        _ => Err(EngineError::InvalidField {
            field: "settings.github",
            problem: "must be {\"installation_id\": N}, the number at the end of the installation's page on GitHub"
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
        for (settings, id) in [
            (json!({}), None),
            (json!({ "github": null }), None),
            (json!({ "github": {} }), None),
            (json!({ "github": { "installation_id": 7 } }), Some(7)),
        ] {
            assert_eq!(installation_of(&settings).unwrap(), id);
        }
        for bad in [
            json!(7),
            json!({ "installation_id": "7" }),
            json!({ "token": "x" }),
            json!({ "installation_id": 0 }),
        ] {
            assert!(installation_of(&json!({ "github": bad })).is_err());
        }
    }
}

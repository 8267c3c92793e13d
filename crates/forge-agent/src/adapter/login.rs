//! Finds out whether a program is signed in, as far as that is possible without a model request.

use crate::adapter::executor_config::ExecutorConfig;
use forge_proc::{CaptureLimits, ProcessExit, ProgramInvocation, capture};
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

/// How a program is signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoginState {
    /// With an account.
    SignedIn,
    /// With an API key, which is billed by use.
    ApiKey,
    SignedOut,
    /// The program has no status command, or did not answer.
    Unknown,
}

impl LoginState {
    /// Whether an execution would find a login.
    pub fn is_signed_in(self) -> bool {
        matches!(self, Self::SignedIn | Self::ApiKey)
    }
}

impl fmt::Display for LoginState {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::SignedIn => "signed in",
            Self::ApiKey => "by API key",
            Self::SignedOut => "not signed in",
            Self::Unknown => "not known",
        })
    }
}

/// `[login]` of an adapter. Phrases are compared in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LoginCheck {
    /// Arguments that make the program print its login status.
    #[serde(default)]
    status: Vec<String>,
    /// Phrases printed when signed in; if empty, exit code 0 means signed in.
    #[serde(default)]
    signed_in: Vec<String>,
    /// Phrases printed when an API key is used.
    #[serde(default)]
    by_key: Vec<String>,
    /// Phrases printed when signed out; if empty, any other exit code means signed out.
    #[serde(default)]
    signed_out: Vec<String>,
    /// Variables that hold an API key.
    #[serde(default)]
    keys: Vec<String>,
    /// Files of the configuration directory that hold a login.
    #[serde(default)]
    files: Vec<String>,
}

/// `[config_directory]` of an adapter: where the program keeps its settings and its login.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConfigDirectory {
    /// The variables that select another directory.
    pub(crate) variables: Vec<String>,
    /// The default, relative to the home directory.
    default: String,
}

impl LoginCheck {
    /// Asks the program, then checks the environment and the files.
    pub(crate) async fn check(
        &self,
        executor: &ExecutorConfig,
        program: &Path,
        environment: &[(OsString, OsString)],
        limits: CaptureLimits,
    ) -> LoginState {
        if self.status.is_empty() {
            return self.state_from_environment(executor, environment);
        }
        let call = ProgramInvocation::new(program.as_os_str(), "/")
            .args(executor.program.iter().skip(1))
            .args(&self.status)
            .envs(environment.iter().cloned());
        let Ok(answer) = capture(call, limits).await else { return LoginState::Unknown };
        let printed = [answer.stdout, answer.stderr].concat();
        let low = String::from_utf8_lossy(&printed).to_lowercase();
        self.classify_status(&low, matches!(answer.exit, ProcessExit::Code(0)), environment)
    }

    fn classify_status(
        &self,
        low: &str,
        clean: bool,
        environment: &[(OsString, OsString)],
    ) -> LoginState {
        let says = |phrases: &[String]| phrases.iter().any(|phrase| low.contains(phrase.as_str()));
        if clean && says(&self.by_key) {
            LoginState::ApiKey
        } else if clean && (self.signed_in.is_empty() || says(&self.signed_in)) {
            LoginState::SignedIn
        } else if self.has_key(environment) {
            LoginState::ApiKey
        } else if says(&self.signed_out) || (self.signed_out.is_empty() && !clean) {
            LoginState::SignedOut
        } else {
            LoginState::Unknown
        }
    }

    fn state_from_environment(
        &self,
        executor: &ExecutorConfig,
        environment: &[(OsString, OsString)],
    ) -> LoginState {
        let directory = config_directory(executor, environment);
        let has_file =
            directory.is_some_and(|place| self.files.iter().any(|file| place.join(file).is_file()));
        match (has_file, self.has_key(environment)) {
            (true, _) => LoginState::SignedIn,
            (false, true) => LoginState::ApiKey,
            (false, false) if self.files.is_empty() => LoginState::Unknown,
            (false, false) => LoginState::SignedOut,
        }
    }

    fn has_key(&self, environment: &[(OsString, OsString)]) -> bool {
        self.keys.iter().any(|name| variable_value(name, environment).is_some())
    }
}

/// The directory where the program keeps its login.
fn config_directory(
    executor: &ExecutorConfig,
    environment: &[(OsString, OsString)],
) -> Option<PathBuf> {
    let known = executor.adapter.config_directory.as_ref()?;
    let named = known.variables.iter().find_map(|name| variable_value(name, environment));
    match named {
        Some(directory) => Some(PathBuf::from(directory)),
        None => Some(Path::new(variable_value("HOME", environment)?).join(&known.default)),
    }
}

/// The value of a variable that is set and not empty; the last one counts.
fn variable_value<'a>(name: &str, environment: &'a [(OsString, OsString)]) -> Option<&'a OsStr> {
    let found = environment.iter().rev().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_os_str()).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use crate::adapter::agent_adapter::AgentAdapter;
    use crate::adapter::agent_kind::AgentKind;
    use serde_json::json;

    fn login(kind: AgentKind) -> LoginCheck {
        AgentAdapter::of(kind).expect("loads").login.clone().expect("knows about logins")
    }

    fn variables(list: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        list.iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    /// Output of current versions of the programs.
    #[test]
    fn issue_13_14_a_status_is_read() {
        let none = [];
        for (kind, printed, clean, state) in [
            (
                AgentKind::Claude,
                "{\n  \"loggedIn\": true,\n  \"authMethod\": \"claude.ai\"",
                true,
                LoginState::SignedIn,
            ),
            (
                AgentKind::Claude,
                "{\n  \"loggedIn\": true,\n  \"authMethod\": \"api_key\"",
                true,
                LoginState::ApiKey,
            ),
            (AgentKind::Claude, "{\n  \"loggedIn\": false", false, LoginState::SignedOut),
            (AgentKind::Codex, "Logged in using ChatGPT", true, LoginState::SignedIn),
            (
                AgentKind::Codex,
                "Logged in using an API key - sk-proj-***ABCDE",
                true,
                LoginState::ApiKey,
            ),
            (AgentKind::Codex, "Not logged in", false, LoginState::SignedOut),
            (AgentKind::Opencode, "└  1 credentials", true, LoginState::SignedIn),
            // A provider can have its key in the settings, which are not listed.
            (AgentKind::Opencode, "└  0 credentials", true, LoginState::Unknown),
        ] {
            let found = login(kind).classify_status(&printed.to_lowercase(), clean, &none);
            assert_eq!(found, state, "{kind}: {printed}");
        }
        let key = variables(&[("CODEX_API_KEY", "sk-1")]);
        assert_eq!(
            login(AgentKind::Codex).classify_status("not logged in", false, &key),
            LoginState::ApiKey
        );
    }

    #[test]
    fn issue_13_14_a_login_is_found_in_the_configuration_directory() {
        let home = tempfile::tempdir().expect("a directory");
        let other = home.path().join("other");
        std::fs::create_dir_all(home.path().join(".qwen")).expect("a directory");
        std::fs::create_dir_all(&other).expect("a directory");
        let text = |path: &Path| path.to_str().expect("is text").to_owned();
        let plain = variables(&[("HOME", &text(home.path()))]);
        let moved = variables(&[("HOME", &text(home.path())), ("QWEN_HOME", &text(&other))]);
        let qwen = ExecutorConfig::from_json(&json!({ "kind": "qwen" })).expect("is complete");
        let state =
            |environment: &[_]| login(AgentKind::Qwen).state_from_environment(&qwen, environment);
        assert_eq!(state(&plain), LoginState::SignedOut);
        std::fs::write(home.path().join(".qwen/oauth_creds.json"), "{}").expect("is written");
        assert_eq!(state(&plain), LoginState::SignedIn);
        assert_eq!(state(&moved), LoginState::SignedOut);
        let mut keyed = moved;
        keyed.push(("OPENAI_API_KEY".into(), "sk-1".into()));
        assert_eq!(state(&keyed), LoginState::ApiKey);
    }
}

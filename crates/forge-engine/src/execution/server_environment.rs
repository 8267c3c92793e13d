//! The part of the server's environment that started programs may see (E-3, issue 13.8).

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

/// Variables that every program inherits: user and paths, terminal and network settings, and directories of tools. None
/// of them usually holds a secret.
const INHERITED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "HOSTNAME",
    "TZ",
    "LANG",
    "LANGUAGE",
    "TERM",
    "TERMINFO",
    "COLORTERM",
    "COLUMNS",
    "LINES",
    "NO_COLOR",
    "FORCE_COLOR",
    "TMPDIR",
    "TMP",
    "TEMP",
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NIX_SSL_CERT_FILE",
    "NIX_PATH",
    "NIX_PROFILES",
    "LD_LIBRARY_PATH",
    "PKG_CONFIG_PATH",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "GOPATH",
    "GOROOT",
    "GOCACHE",
    "GOMODCACHE",
    "GOFLAGS",
    "JAVA_HOME",
    "GRADLE_USER_HOME",
    "MAVEN_HOME",
    "NVM_DIR",
    "NVM_BIN",
    "VOLTA_HOME",
    "PNPM_HOME",
    "BUN_INSTALL",
    "DENO_DIR",
    "NPM_CONFIG_CACHE",
    "npm_config_cache",
    "COREPACK_HOME",
    "PYENV_ROOT",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "UV_CACHE_DIR",
    "PIP_CACHE_DIR",
    "POETRY_HOME",
    "RBENV_ROOT",
    "GEM_HOME",
    "GEM_PATH",
    "BUNDLE_PATH",
    "ASDF_DIR",
    "ASDF_DATA_DIR",
    "MISE_DATA_DIR",
    "MISE_CONFIG_DIR",
    "DOCKER_HOST",
    "DOCKER_CONFIG",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "OPENCODE_CONFIG",
    "OPENCODE_CONFIG_DIR",
    "QWEN_HOME",
    "GEMINI_CLI_HOME",
];
const INHERITED_PREFIXES: &[&str] = &["LC_", "XDG_"];

/// API keys with which agent programs bill by use, whatever subscription their user has.
const API_KEYS: &[&str] = &[
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "OPENAI_API_KEY",
    "CODEX_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "DASHSCOPE_API_KEY",
    "OPENROUTER_API_KEY",
    "GROQ_API_KEY",
    "MISTRAL_API_KEY",
    "DEEPSEEK_API_KEY",
    "XAI_API_KEY",
    "AMP_API_KEY",
    "CURSOR_API_KEY",
    "FACTORY_API_KEY",
];

/// The server's variables that programs may get. An agent gets the inherited ones and those that its settings name; the
/// server's own settings and secrets, and variables that redirect git, are never passed.
#[derive(Debug, Clone, Default)]
pub struct ServerEnvironment {
    inherited: Vec<(OsString, OsString)>,
    others: BTreeMap<OsString, OsString>,
}

impl ServerEnvironment {
    /// Keeps the variables that a program may get.
    pub fn from_vars(vars: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let mut kept = Self::default();
        for (name, value) in vars {
            if is_reserved(&name) {
                continue;
            }
            if is_inherited(&name) {
                kept.inherited.push((name, value));
            } else {
                kept.others.insert(name, value);
            }
        }
        kept
    }

    /// The variables that every program inherits.
    pub fn vars(&self) -> impl Iterator<Item = (OsString, OsString)> + '_ {
        self.inherited.iter().cloned()
    }

    /// The named variables that are set here and not inherited anyway.
    pub(crate) fn passed_variables<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Vec<(OsString, OsString)> {
        let found =
            names.into_iter().filter_map(|name| self.others.get_key_value(OsStr::new(name)));
        found.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// The names of an agent's variables, by origin.
    pub fn agent_variables(&self, executor: &forge_agent::ExecutorConfig) -> AgentVariables {
        let named = |name: &OsStr| name.to_string_lossy().into_owned();
        let is_set = |name: &&str| {
            self.others.contains_key(OsStr::new(name))
                || self.inherited.iter().any(|(known, _)| known.as_os_str() == *name)
        };
        let (passed, missing): (Vec<&str>, Vec<&str>) =
            executor.passed_variables().partition(is_set);
        let own: Vec<String> = executor.environment().map(|(name, _)| name.to_owned()).collect();
        let mut inherited: Vec<_> = self.inherited.iter().map(|(name, _)| named(name)).collect();
        inherited.sort_unstable();
        let is_key = |name: &&str| API_KEYS.contains(name);
        let api_key = own.iter().map(String::as_str).chain(passed.iter().copied()).find(is_key);
        AgentVariables {
            api_key: api_key.map(str::to_owned),
            passed: passed.into_iter().map(str::to_owned).collect(),
            missing: missing.into_iter().map(str::to_owned).collect(),
            inherited,
            own,
        }
    }
}

/// The names of an agent's variables, by origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentVariables {
    /// Inherited from the server by every program.
    pub inherited: Vec<String>,
    /// From the server, because the agent's settings name them.
    pub passed: Vec<String>,
    /// Named by the agent's settings, but not set for the server.
    pub missing: Vec<String>,
    /// Set by the agent's own settings.
    pub own: Vec<String>,
    /// The variable with which its program bills by use instead of a subscription.
    pub api_key: Option<String>,
}

fn is_inherited(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    INHERITED.contains(&name.as_ref())
        || INHERITED_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Never passed: Forge itself pushes with `GITHUB_TOKEN`, and an agent gets a token of its own in its settings.
fn is_reserved(name: &OsStr) -> bool {
    forge_agent::is_reserved_variable(&name.to_string_lossy())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    fn environment() -> ServerEnvironment {
        let vars = [
            "PATH",
            "HOME",
            "LC_ALL",
            "XDG_RUNTIME_DIR",
            "https_proxy",
            "ANTHROPIC_API_KEY",
            "AWS_SECRET_ACCESS_KEY",
            "MY_TOOL",
            "FORGE_BOOTSTRAP_TOKEN",
            "FORGE_DATABASE_URL",
            "GIT_DIR",
            "GIT_SSH_COMMAND",
            "PGPASSWORD",
            "GITHUB_TOKEN",
        ];
        ServerEnvironment::from_vars(vars.map(|name| (name.into(), "x".into())))
    }

    fn executor(more: serde_json::Value) -> forge_agent::ExecutorConfig {
        let mut written = json!({ "kind": "claude" });
        written.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        forge_agent::ExecutorConfig::from_json(&written).expect("an executor")
    }

    #[test]
    fn issue_13_08_a_program_inherits_what_is_listed_and_nothing_else() {
        let kept: Vec<_> = environment().vars().map(|(name, _)| name).collect();
        assert_eq!(kept, ["PATH", "HOME", "LC_ALL", "XDG_RUNTIME_DIR", "https_proxy"]);
        for key in API_KEYS {
            assert!(!is_inherited(OsStr::new(key)), "{key}");
        }
    }

    #[test]
    fn issue_13_08_settings_pass_variables_by_name_but_never_the_servers_own() {
        let all = environment();
        let names =
            ["MY_TOOL", "HOME", "ABSENT", "GITHUB_TOKEN", "FORGE_DATABASE_URL", "PGPASSWORD"];
        assert_eq!(all.passed_variables(names), [("MY_TOOL".into(), "x".into())]);
        for name in ["GITHUB_TOKEN", "FORGE_TOKEN", "GIT_DIR", "PGPASSWORD", "A=B", ""] {
            let written = json!({ "kind": "claude", "pass_environment": [name] });
            let refused = forge_agent::ExecutorConfig::from_json(&written).expect_err(name);
            assert_eq!(refused.field(), "pass_environment");
        }
    }

    #[test]
    fn issue_13_08_an_agent_is_shown_with_what_it_gets_and_what_it_costs() {
        let all = environment();
        let plain = all.agent_variables(&executor(json!({})));
        assert_eq!((plain.passed.len(), &plain.api_key), (0, &None));
        assert!(plain.inherited.contains(&"PATH".to_owned()));
        let shown = all.agent_variables(&executor(json!({
            "pass_environment": ["ANTHROPIC_API_KEY", "ABSENT"], "environment": { "OWN": "1" },
        })));
        assert_eq!(shown.passed, ["ANTHROPIC_API_KEY"]);
        assert_eq!((shown.missing, shown.own), (vec!["ABSENT".to_owned()], vec!["OWN".to_owned()]));
        assert_eq!(shown.api_key.as_deref(), Some("ANTHROPIC_API_KEY"));
        let set =
            all.agent_variables(&executor(json!({ "environment": { "OPENAI_API_KEY": "k" } })));
        assert_eq!(set.api_key.as_deref(), Some("OPENAI_API_KEY"));
    }
}

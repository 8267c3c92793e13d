//! The configuration of an agent's program.

use crate::adapter::agent_adapter::{AdapterError, AgentAdapter, PromptDelivery};
use crate::adapter::agent_kind::AgentKind;
use crate::adapter::safe_argument::{SafeArgument, SafeArgumentError};
use forge_domain::PermissionPolicy;
use forge_domain::task::ReasoningEffort;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Duration;

/// Which program an agent runs, and how it is called. Values of this type are always validated.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecutorConfig {
    pub(crate) adapter: &'static AgentAdapter,
    /// The program and the arguments before those of the adapter.
    pub(crate) program: Vec<String>,
    /// Additional arguments from the configuration.
    pub(crate) extra: Vec<String>,
    pub(crate) channel: PromptDelivery,
    pub(crate) model: Option<SafeArgument>,
    pub(crate) policy: Option<PermissionPolicy>,
    /// From the claim; an executor has no setting for it.
    pub(crate) effort: Option<ReasoningEffort>,
    pub(crate) environment: BTreeMap<String, String>,
    pass_environment: Vec<String>,
    config_directory: Option<String>,
    pub(crate) timeout_seconds: Option<u64>,
    /// From the claim.
    pub(crate) deadline_seconds: Option<u64>,
    stalled_after_seconds: Option<u64>,
    stopped_after_seconds: Option<u64>,
}

/// The configuration as stored in the database.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredExecutor {
    kind: AgentKind,
    #[serde(default)]
    command: Option<Vec<String>>,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    prompt: Option<PromptDelivery>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    policy: Option<PermissionPolicy>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    #[serde(default)]
    pass_environment: Vec<String>,
    #[serde(default)]
    config_directory: Option<String>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
    #[serde(default)]
    stalled_after_seconds: Option<u64>,
    #[serde(default)]
    stopped_after_seconds: Option<u64>,
}

/// Why a configuration is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExecutorError {
    /// The JSON does not have the expected shape.
    #[error("the executor cannot be read at `{field}`: {problem}")]
    Unreadable { field: String, problem: String },
    /// No program is named.
    #[error("`command`: a {0} executor needs a list of words that begins with a program's name")]
    NoProgram(AgentKind),
    /// An argument contains a NUL byte, which the system cannot pass.
    #[error("`{0}`: its words cannot contain a NUL byte")]
    NulByte(&'static str),
    /// The program does not support the field.
    #[error("`{field}`: {kind} has nothing for it; {instead}")]
    Unsupported { field: &'static str, kind: AgentKind, instead: String },
    /// A model whose name could be mistaken for an option.
    #[error("`model`: {0}")]
    Model(#[from] SafeArgumentError),
    /// The directory is not an absolute path.
    #[error("`config_directory`: {0:?} is not an absolute path")]
    ConfigDirectory(String),
    /// A reserved variable in `environment`.
    #[error("`environment`: {0:?} cannot be set; FORGE_ and GIT_ variables are Forge's own")]
    Variable(String),
    /// A variable of the server that an agent must not receive.
    #[error(
        "`pass_environment`: {0:?} cannot be passed; the server's own variables (FORGE_, GIT_, PGPASS, GITHUB_TOKEN) stay \
         with the server, give the agent a value of its own in `environment`"
    )]
    PassedVariable(String),
    /// The timeout is zero.
    #[error("`timeout_seconds`: an execution needs at least one second; leave it out for no limit")]
    ZeroTimeout,
    /// A silence limit of zero, or a stop limit below the stall limit.
    #[error(
        "`{0}`: give at least one second, and no fewer until it is stopped than until it counts as stalled"
    )]
    SilenceLimit(&'static str),
    /// The built-in adapter is broken.
    #[error(transparent)]
    Adapter(#[from] AdapterError),
}

impl ExecutorError {
    /// The field that is invalid.
    pub fn field(&self) -> &str {
        match self {
            Self::Unreadable { field, .. } => field,
            Self::NoProgram(_) => "command",
            Self::NulByte(field) | Self::Unsupported { field, .. } => field,
            Self::Model(_) => "model",
            Self::ConfigDirectory(_) => "config_directory",
            Self::Variable(_) => "environment",
            Self::PassedVariable(_) => "pass_environment",
            Self::ZeroTimeout => "timeout_seconds",
            Self::SilenceLimit(field) => field,
            Self::Adapter(_) => "kind",
        }
    }
}

impl ExecutorConfig {
    /// Reads a configuration and checks it.
    pub fn from_json(value: &serde_json::Value) -> Result<Self, ExecutorError> {
        let written: StoredExecutor = serde_path_to_error::deserialize(value).map_err(|error| {
            let field = error.path().to_string();
            ExecutorError::Unreadable { field, problem: error.into_inner().to_string() }
        })?;
        written.validate()
    }

    /// The configuration of a kind without any options; an error where a command is required.
    pub(crate) fn with_defaults(kind: AgentKind) -> Result<Self, ExecutorError> {
        Self::from_json(&serde_json::json!({ "kind": kind }))
    }

    pub fn kind(&self) -> AgentKind {
        self.adapter.kind
    }

    pub fn adapter(&self) -> &'static AgentAdapter {
        self.adapter
    }

    /// The variables that the configuration adds.
    pub fn environment(&self) -> impl Iterator<Item = (&str, &str)> {
        self.environment.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The names of the server's variables that the agent receives.
    pub fn passed_variables(&self) -> impl Iterator<Item = &str> {
        self.pass_environment.iter().map(String::as_str)
    }

    /// All added variables, including those that name the configuration directory.
    pub(crate) fn added_environment(&self) -> impl Iterator<Item = (OsString, OsString)> {
        let known = self.adapter.config_directory.iter().flat_map(|known| &known.variables);
        let directory = self.config_directory.iter();
        let places = directory.flat_map(move |directory| {
            known.clone().map(move |name| (name.into(), directory.into()))
        });
        let own = self.environment.iter().map(|(name, value)| (name.into(), value.into()));
        places.chain(own)
    }

    /// The time limit of an execution: its agent's, or the deadline of its claim if that is earlier.
    pub fn timeout(&self) -> Option<Duration> {
        let limits = self.timeout_seconds.into_iter().chain(self.deadline_seconds);
        limits.min().map(Duration::from_secs)
    }

    /// Whether the deadline of the claim ends an execution that takes too long.
    pub fn is_limited_by_deadline(&self) -> bool {
        self.deadline_seconds
            .is_some_and(|deadline| self.timeout_seconds.is_none_or(|timeout| deadline <= timeout))
    }

    /// Seconds of silence before the execution counts as stalled (T-23), if the agent overrides them.
    pub fn stalled_after_seconds(&self) -> Option<u64> {
        self.stalled_after_seconds
    }

    /// Seconds of silence before the execution is stopped (T-23), if the agent overrides them.
    pub fn stopped_after_seconds(&self) -> Option<u64> {
        self.stopped_after_seconds
    }

    pub fn policy(&self) -> Option<PermissionPolicy> {
        self.policy
    }
}

/// Whether a variable belongs to the server, so that no program receives its value.
pub fn is_reserved_variable(name: &str) -> bool {
    let prefixes = ["FORGE_", "GIT_", "PGPASS"];
    prefixes.iter().any(|prefix| name.starts_with(prefix)) || name == "GITHUB_TOKEN"
}

impl StoredExecutor {
    fn validate(self) -> Result<ExecutorConfig, ExecutorError> {
        let kind = self.kind;
        let adapter = AgentAdapter::of(kind)?;
        let unsupported =
            |field, instead: String| ExecutorError::Unsupported { field, kind, instead };
        let has_nul = |words: &[String]| words.iter().any(|word| word.contains('\0'));
        if self.command.as_deref().is_some_and(has_nul) {
            return Err(ExecutorError::NulByte("command"));
        }
        if has_nul(&self.arguments) {
            return Err(ExecutorError::NulByte("arguments"));
        }
        if self.timeout_seconds == Some(0) {
            return Err(ExecutorError::ZeroTimeout);
        }
        if self.stalled_after_seconds == Some(0) {
            return Err(ExecutorError::SilenceLimit("stalled_after_seconds"));
        }
        let least = self.stalled_after_seconds.unwrap_or(1);
        if self.stopped_after_seconds.is_some_and(|seconds| seconds < least) {
            return Err(ExecutorError::SilenceLimit("stopped_after_seconds"));
        }
        let program = match self.command {
            Some(words) if words.first().is_none_or(|word| word.trim().is_empty()) => None,
            Some(words) => Some(words),
            None => adapter.program.clone().map(|program| vec![program]),
        };
        let program = program.ok_or(ExecutorError::NoProgram(kind))?;
        let channel = match self.prompt {
            Some(channel) if kind != AgentKind::Shell && channel != adapter.prompt => {
                let instead = "only a shell executor chooses it; leave it out".to_owned();
                return Err(unsupported("prompt", instead));
            }
            asked => asked.unwrap_or(adapter.prompt),
        };
        if self.model.is_some() && adapter.model.is_none() {
            return Err(unsupported("model", "say it in the command instead".to_owned()));
        }
        let policy = self.policy.or(adapter.default_policy);
        if let Some(policy) = policy.filter(|policy| !adapter.policy.contains_key(policy)) {
            let known: Vec<_> = adapter.policies().map(PermissionPolicy::as_str).collect();
            let instead = if known.is_empty() {
                "leave it out".to_owned()
            } else {
                format!("{policy} cannot be promised, choose one of: {}", known.join(", "))
            };
            return Err(unsupported("policy", instead));
        }
        if let Some(directory) = &self.config_directory {
            if adapter.config_directory.is_none() {
                let instead = "name its variables in `environment`".to_owned();
                return Err(unsupported("config_directory", instead));
            }
            if !directory.starts_with('/') || directory.contains('\0') {
                return Err(ExecutorError::ConfigDirectory(directory.clone()));
            }
        }
        let taken = |name: &str| name.starts_with("FORGE_") || name.starts_with("GIT_");
        let odd = |name: &str| name.is_empty() || name.contains(['=', '\0']);
        for (name, value) in &self.environment {
            if taken(name) || odd(name) || value.contains('\0') {
                return Err(ExecutorError::Variable(name.clone()));
            }
        }
        if let Some(name) =
            self.pass_environment.iter().find(|name| is_reserved_variable(name) || odd(name))
        {
            return Err(ExecutorError::PassedVariable(name.clone()));
        }
        Ok(ExecutorConfig {
            adapter,
            program,
            extra: self.arguments,
            channel,
            model: self.model.map(SafeArgument::new).transpose()?,
            policy,
            effort: None,
            environment: self.environment,
            pass_environment: self.pass_environment,
            config_directory: self.config_directory,
            timeout_seconds: self.timeout_seconds,
            deadline_seconds: None,
            stalled_after_seconds: self.stalled_after_seconds,
            stopped_after_seconds: self.stopped_after_seconds,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use serde_json::json;

    #[test]
    fn e_1_every_kind_is_accepted() {
        for kind in AgentKind::ALL {
            let mut written =
                json!({ "kind": kind, "timeout_seconds": 5, "arguments": ["--more"] });
            if matches!(kind, AgentKind::Shell | AgentKind::Acp) {
                assert_eq!(
                    ExecutorConfig::from_json(&written),
                    Err(ExecutorError::NoProgram(kind))
                );
                written["command"] = json!(["program"]);
            }
            let executor = ExecutorConfig::from_json(&written)
                .unwrap_or_else(|error| panic!("{kind}: {error}"));
            assert_eq!(executor.kind(), kind);
        }
    }

    #[test]
    fn e_1_a_refusal_names_the_field() {
        for (written, field) in [
            (json!({}), "."),
            (json!({ "kind": "hal" }), "kind"),
            (json!({ "kind": "claude", "colour": "red" }), "colour"),
            (json!({ "kind": "claude", "policy": "yolo" }), "policy"),
            (json!({ "kind": "amp", "policy": "plan" }), "policy"),
            (json!({ "kind": "shell", "command": ["x"], "policy": "plan" }), "policy"),
            (json!({ "kind": "shell", "command": ["x"], "model": "m" }), "model"),
            (json!({ "kind": "shell", "command": [" "] }), "command"),
            (json!({ "kind": "shell", "command": [] }), "command"),
            (json!({ "kind": "shell", "command": ["a\0"] }), "command"),
            (json!({ "kind": "shell", "command": "ls" }), "command"),
            (json!({ "kind": "claude", "arguments": ["a\0"] }), "arguments"),
            (json!({ "kind": "claude", "arguments": [1] }), "arguments[0]"),
            (json!({ "kind": "claude", "model": "--help" }), "model"),
            (json!({ "kind": "claude", "prompt": "argument" }), "prompt"),
            (json!({ "kind": "claude", "timeout_seconds": 0 }), "timeout_seconds"),
            (json!({ "kind": "claude", "timeout_seconds": -1 }), "timeout_seconds"),
            (json!({ "kind": "claude", "stalled_after_seconds": 0 }), "stalled_after_seconds"),
            (
                json!({ "kind": "claude", "stalled_after_seconds": 9, "stopped_after_seconds": 8 }),
                "stopped_after_seconds",
            ),
            (json!({ "kind": "claude", "environment": { "FORGE_TOKEN": "x" } }), "environment"),
            (json!({ "kind": "claude", "environment": { "A=B": "x" } }), "environment"),
            (json!({ "kind": "claude", "config_directory": "home" }), "config_directory"),
            (json!({ "kind": "goose", "config_directory": "/home" }), "config_directory"),
        ] {
            let error = ExecutorConfig::from_json(&written).expect_err(&written.to_string());
            assert_eq!(error.field(), field, "{written}: {error}");
        }
    }
}

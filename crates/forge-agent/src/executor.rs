//! The configuration of an agent's program.

use crate::adapter::{Adapter, AdapterError, Channel};
use crate::kind::Kind;
use crate::policy::Policy;
use crate::word::{Word, WordError};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// Which program an agent is, and how it is called. Only a checked one exists.
#[derive(Debug, Clone, PartialEq)]
pub struct Executor {
    pub(crate) adapter: &'static Adapter,
    /// The program and the words that come before the adapter's own.
    pub(crate) program: Vec<String>,
    /// The person's own words.
    pub(crate) extra: Vec<String>,
    pub(crate) channel: Channel,
    pub(crate) model: Option<Word>,
    pub(crate) policy: Option<Policy>,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) timeout_seconds: Option<u64>,
    stalled_after_seconds: Option<u64>,
    stopped_after_seconds: Option<u64>,
}

/// As it is stored.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    kind: Kind,
    #[serde(default)]
    command: Option<Vec<String>>,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    prompt: Option<Channel>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    policy: Option<Policy>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
    #[serde(default)]
    stalled_after_seconds: Option<u64>,
    #[serde(default)]
    stopped_after_seconds: Option<u64>,
}

/// A configuration that cannot work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExecutorError {
    /// Not a configuration at all.
    #[error("the executor cannot be read at `{field}`: {problem}")]
    Unreadable {
        /// Where.
        field: String,
        /// What is wrong there.
        problem: String,
    },
    /// Nothing to run.
    #[error("`command`: a {0} executor needs a list of words that begins with a program's name")]
    NoProgram(Kind),
    /// Words that the system cannot pass on.
    #[error("`{0}`: its words cannot contain a NUL byte")]
    NulByte(&'static str),
    /// The program has no such thing.
    #[error("`{field}`: {kind} has nothing for it; {instead}")]
    Unsupported {
        /// Which field.
        field: &'static str,
        /// Of which kind.
        kind: Kind,
        /// What to do.
        instead: String,
    },
    /// A model whose name could be taken for something else.
    #[error("`model`: {0}")]
    Model(#[from] WordError),
    /// A variable that is not the person's to set.
    #[error("`environment`: {0:?} cannot be set; FORGE_ and GIT_ variables are Forge's own")]
    Variable(String),
    /// No time at all.
    #[error("`timeout_seconds`: a turn needs at least one second; leave it out for no limit")]
    NoTime,
    /// No patience at all, or less before the end than before the warning.
    #[error(
        "`{0}`: give at least one second, and no fewer until it is stopped than until it counts as stalled"
    )]
    NoPatience(&'static str),
    /// The adapter itself is broken.
    #[error(transparent)]
    Adapter(#[from] AdapterError),
}

impl ExecutorError {
    /// The field that is wrong.
    pub fn field(&self) -> &str {
        match self {
            Self::Unreadable { field, .. } => field,
            Self::NoProgram(_) => "command",
            Self::NulByte(field) | Self::Unsupported { field, .. } => field,
            Self::Model(_) => "model",
            Self::Variable(_) => "environment",
            Self::NoTime => "timeout_seconds",
            Self::NoPatience(field) => field,
            Self::Adapter(_) => "kind",
        }
    }
}

impl Executor {
    /// Reads a configuration and checks it.
    pub fn from_json(value: &serde_json::Value) -> Result<Self, ExecutorError> {
        let written: Written = serde_path_to_error::deserialize(value).map_err(|error| {
            let field = error.path().to_string();
            ExecutorError::Unreadable { field, problem: error.into_inner().to_string() }
        })?;
        written.check()
    }

    /// The configuration of a kind as it is without any options; none where a command is needed.
    pub fn plain(kind: Kind) -> Result<Self, ExecutorError> {
        Self::from_json(&serde_json::json!({ "kind": kind }))
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        self.adapter.kind
    }

    /// How its program is called and read.
    pub fn adapter(&self) -> &'static Adapter {
        self.adapter
    }

    /// The variables it adds.
    pub fn environment(&self) -> impl Iterator<Item = (&str, &str)> {
        self.environment.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// How long a turn may take.
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout_seconds.map(Duration::from_secs)
    }

    /// How long it may be silent before everybody is told (T-23), where it says so itself.
    pub fn stalled_after_seconds(&self) -> Option<u64> {
        self.stalled_after_seconds
    }

    /// How long it may be silent before it is stopped (T-23), where it says so itself.
    pub fn stopped_after_seconds(&self) -> Option<u64> {
        self.stopped_after_seconds
    }

    /// How much it may do.
    pub fn policy(&self) -> Option<Policy> {
        self.policy
    }
}

impl Written {
    fn check(self) -> Result<Executor, ExecutorError> {
        let kind = self.kind;
        let adapter = Adapter::of(kind)?;
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
            return Err(ExecutorError::NoTime);
        }
        if self.stalled_after_seconds == Some(0) {
            return Err(ExecutorError::NoPatience("stalled_after_seconds"));
        }
        let least = self.stalled_after_seconds.unwrap_or(1);
        if self.stopped_after_seconds.is_some_and(|seconds| seconds < least) {
            return Err(ExecutorError::NoPatience("stopped_after_seconds"));
        }
        let program = match self.command {
            Some(words) if words.first().is_none_or(|word| word.trim().is_empty()) => None,
            Some(words) => Some(words),
            None => adapter.program.clone().map(|program| vec![program]),
        };
        let program = program.ok_or(ExecutorError::NoProgram(kind))?;
        let channel = match self.prompt {
            Some(channel) if kind != Kind::Shell && channel != adapter.prompt => {
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
            let known: Vec<_> = adapter.policies().map(Policy::as_str).collect();
            let instead = if known.is_empty() {
                "leave it out".to_owned()
            } else {
                format!("{policy} cannot be promised, choose one of: {}", known.join(", "))
            };
            return Err(unsupported("policy", instead));
        }
        let taken = |name: &str| name.starts_with("FORGE_") || name.starts_with("GIT_");
        let odd = |name: &str| name.is_empty() || name.contains(['=', '\0']);
        for (name, value) in &self.environment {
            if taken(name) || odd(name) || value.contains('\0') {
                return Err(ExecutorError::Variable(name.clone()));
            }
        }
        Ok(Executor {
            adapter,
            program,
            extra: self.arguments,
            channel,
            model: self.model.map(Word::new).transpose()?,
            policy,
            environment: self.environment,
            timeout_seconds: self.timeout_seconds,
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
        for kind in Kind::ALL {
            let mut written =
                json!({ "kind": kind, "timeout_seconds": 5, "arguments": ["--more"] });
            if matches!(kind, Kind::Shell | Kind::Acp) {
                assert_eq!(Executor::from_json(&written), Err(ExecutorError::NoProgram(kind)));
                written["command"] = json!(["program"]);
            }
            let executor =
                Executor::from_json(&written).unwrap_or_else(|error| panic!("{kind}: {error}"));
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
        ] {
            let error = Executor::from_json(&written).expect_err(&written.to_string());
            assert_eq!(error.field(), field, "{written}: {error}");
        }
    }
}

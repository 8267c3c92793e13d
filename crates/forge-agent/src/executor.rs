//! The configuration of an agent's program.

use serde::{Deserialize, Serialize};

/// Which program an agent is, and how it is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Executor {
    /// Any command: the prompt on standard input and in the file `$FORGE_PROMPT_FILE`.
    Shell {
        /// Program and arguments; never given to a shell.
        command: Vec<String>,
        /// How long a turn may take.
        #[serde(default)]
        timeout_seconds: Option<u64>,
    },
}

/// A configuration that cannot work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExecutorError {
    /// Not a configuration at all.
    #[error(
        "the executor cannot be read: {0}; its kind must be \"shell\", with `command` as a list of words"
    )]
    Unreadable(String),
    /// Nothing to run.
    #[error("a shell executor needs a `command` with at least a program name that is not empty")]
    NoProgram,
    /// Words that the system cannot pass on.
    #[error("the words of a command cannot contain a NUL byte")]
    NulByte,
}

impl Executor {
    /// Reads a configuration and checks it.
    pub fn from_json(value: &serde_json::Value) -> Result<Self, ExecutorError> {
        let executor: Self = serde_json::from_value(value.clone())
            .map_err(|error| ExecutorError::Unreadable(error.to_string()))?;
        let Self::Shell { command, .. } = &executor;
        if command.first().is_none_or(|program| program.trim().is_empty()) {
            return Err(ExecutorError::NoProgram);
        }
        if command.iter().any(|word| word.contains('\0')) {
            return Err(ExecutorError::NulByte);
        }
        Ok(executor)
    }
}

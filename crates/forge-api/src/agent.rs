//! Agents and how they are run (SPEC §1, E-1, §7.1).

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::field::present;

/// The program behind an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", try_from = "ExecutorFields")]
pub enum Executor {
    /// A command; it gets the prompt on standard input and in the file `$FORGE_PROMPT_FILE`.
    Shell {
        /// The program and its arguments; no shell interprets them.
        #[schema(min_items = 1)]
        command: Vec<String>,
        /// Stops a run that takes longer; `null` for no limit.
        timeout_seconds: Option<u64>,
        /// How long it may neither print nor change a file before everybody is told (SPEC T-23); the server's setting
        /// if left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        stalled_after_seconds: Option<u64>,
        /// How long before it is stopped; the server's setting if left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        stopped_after_seconds: Option<u64>,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum ExecutorKind {
    Shell,
}

/// Every kind's fields side by side: an internally tagged enum would buffer them and hide unknown ones from the server.
#[derive(Deserialize)]
struct ExecutorFields {
    kind: ExecutorKind,
    #[serde(default)]
    command: Option<Vec<String>>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
    #[serde(default)]
    stalled_after_seconds: Option<u64>,
    #[serde(default)]
    stopped_after_seconds: Option<u64>,
}

#[derive(Debug, Error)]
enum ExecutorMistake {
    #[error("an executor of kind shell needs a command: a list with the program and its arguments")]
    NoCommand,
}

impl TryFrom<ExecutorFields> for Executor {
    type Error = ExecutorMistake;

    fn try_from(fields: ExecutorFields) -> Result<Self, ExecutorMistake> {
        match fields.kind {
            ExecutorKind::Shell => Ok(Self::Shell {
                command: fields
                    .command
                    .filter(|argv| argv.first().is_some_and(|program| !program.is_empty()))
                    .ok_or(ExecutorMistake::NoCommand)?,
                timeout_seconds: fields.timeout_seconds,
                stalled_after_seconds: fields.stalled_after_seconds,
                stopped_after_seconds: fields.stopped_after_seconds,
            }),
        }
    }
}

/// A named worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Agent {
    /// Identifier.
    pub id: Uuid,
    /// Name.
    pub name: String,
    /// The program behind it.
    pub executor: Executor,
    /// The roles it can take; empty for any.
    pub roles: Vec<String>,
    /// Takes no new work.
    pub paused: bool,
    /// How many executions it may run at once.
    pub max_concurrent: u32,
    /// Goes away when its work is finished.
    pub ephemeral: bool,
    /// Changes with every write.
    pub version: u64,
    /// When it was created.
    #[schema(format = DateTime)]
    pub created_at: String,
}

/// Creates an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewAgent {
    /// Name.
    pub name: String,
    /// The program behind it.
    pub executor: Executor,
    /// The roles it can take; any if left out.
    #[serde(default)]
    pub roles: Vec<String>,
    /// How many executions it may run at once; 1 if left out.
    #[serde(default)]
    pub max_concurrent: Option<u32>,
    /// Goes away when its work is finished.
    #[serde(default)]
    pub ephemeral: bool,
}

/// Changes an agent; what is left out stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentPatch {
    /// The version the caller read.
    pub version: u64,
    /// New name.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub name: Option<String>,
    /// New program; running executions keep the old one.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub executor: Option<Executor>,
    /// New list of roles.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub roles: Option<Vec<String>>,
    /// New limit.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub max_concurrent: Option<u32>,
}

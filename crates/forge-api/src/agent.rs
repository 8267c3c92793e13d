//! Agents and how they are run (SPEC §1, E-1, §7.1).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::field::{nullable, present};

/// Which program an agent is (SPEC E-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutorKind {
    /// A command of your own; it gets the prompt on standard input and in the file `$FORGE_PROMPT_FILE`.
    Shell,
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode.
    Opencode,
    /// Cursor's agent.
    Cursor,
    /// GitHub Copilot CLI.
    Copilot,
    /// goose.
    Goose,
    /// Qwen Code.
    Qwen,
    /// Amp.
    Amp,
    /// Factory's droid.
    Droid,
    /// Any agent that speaks the Agent Client Protocol.
    Acp,
}

/// What an agent may do without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutorPolicy {
    /// Reads.
    Plan,
    /// Also changes files.
    Edit,
    /// Also runs commands.
    Full,
}

/// How a `shell` executor gets its prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromptChannel {
    /// On standard input.
    Stdin,
    /// As the last argument.
    Argument,
    /// As a file that the last argument names.
    File,
}

/// The program behind an agent, and how it is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "ExecutorFields")]
pub struct Executor {
    /// Which.
    pub kind: ExecutorKind,
    /// The program and its first words; needed by `shell` and `acp`, elsewhere it replaces the kind's own. No shell
    /// interprets them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Stops a run that takes longer; `null` for no limit.
    #[serde(default)]
    pub timeout_seconds: Option<u64>,
    /// More words for the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// What it may do without asking; the kind's own choice if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<ExecutorPolicy>,
    /// The model's name, for kinds that have a flag for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How the prompt goes in, for `shell`; standard input if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<PromptChannel>,
    /// More variables of its environment. Answers show the names; a value is never given out again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// How long it may neither print nor change a file before everybody is told (SPEC T-23); the server's setting if
    /// left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalled_after_seconds: Option<u64>,
    /// How long before it is stopped; the server's setting if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_after_seconds: Option<u64>,
}

/// The same, before it is known that there is something to run.
#[derive(Deserialize)]
struct ExecutorFields {
    kind: ExecutorKind,
    #[serde(default)]
    command: Option<Vec<String>>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    policy: Option<ExecutorPolicy>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    prompt: Option<PromptChannel>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    #[serde(default)]
    stalled_after_seconds: Option<u64>,
    #[serde(default)]
    stopped_after_seconds: Option<u64>,
}

#[derive(Debug, Error)]
enum ExecutorMistake {
    #[error("an executor of this kind needs a command: a list with the program and its arguments")]
    NoCommand,
}

impl Executor {
    /// A kind as it is without any options.
    pub fn of(kind: ExecutorKind) -> Self {
        Self {
            kind,
            command: Vec::new(),
            timeout_seconds: None,
            arguments: Vec::new(),
            policy: None,
            model: None,
            prompt: None,
            environment: BTreeMap::new(),
            stalled_after_seconds: None,
            stopped_after_seconds: None,
        }
    }
}

impl TryFrom<ExecutorFields> for Executor {
    type Error = ExecutorMistake;

    fn try_from(fields: ExecutorFields) -> Result<Self, ExecutorMistake> {
        let needed = matches!(fields.kind, ExecutorKind::Shell | ExecutorKind::Acp);
        let command = match fields.command {
            Some(words) if words.first().is_some_and(|program| !program.is_empty()) => words,
            None if !needed => Vec::new(),
            _ => return Err(ExecutorMistake::NoCommand),
        };
        Ok(Self {
            kind: fields.kind,
            command,
            timeout_seconds: fields.timeout_seconds,
            arguments: fields.arguments,
            policy: fields.policy,
            model: fields.model,
            prompt: fields.prompt,
            environment: fields.environment,
            stalled_after_seconds: fields.stalled_after_seconds,
            stopped_after_seconds: fields.stopped_after_seconds,
        })
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
    /// The agent that takes over when its allowance is used up (SPEC E-9).
    #[serde(default)]
    #[schema(required)]
    pub fallback: Option<Uuid>,
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
    /// The agent that takes over when its allowance is used up (SPEC E-9).
    #[serde(default)]
    pub fallback: Option<Uuid>,
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
    /// New call of its program, as a whole; its kind stays what it is, and running executions keep the old one. A
    /// variable whose value is `[redacted]`, as answers show it, keeps its value.
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
    /// Who takes over when its allowance is used up (SPEC E-9); `null` for nobody.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Uuid>)]
    pub fallback: Option<Option<Uuid>>,
}

//! Agents and their executors (SPEC §1, E-1, §7.1).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::field::{nullable, present};

/// The agent program that an executor runs (SPEC E-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutorKind {
    /// Your own command; it gets the prompt on standard input and in the file `$FORGE_PROMPT_FILE`.
    Shell,
    /// Anthropic's Claude Code.
    Claude,
    /// OpenAI's Codex CLI.
    Codex,
    /// Google's Gemini CLI.
    Gemini,
    /// The opencode CLI.
    Opencode,
    /// Cursor's command-line agent.
    Cursor,
    /// GitHub Copilot CLI.
    Copilot,
    /// Block's goose agent.
    Goose,
    /// Alibaba's Qwen Code.
    Qwen,
    /// Sourcegraph's Amp agent.
    Amp,
    /// Factory's droid agent.
    Droid,
    /// Any agent that speaks the Agent Client Protocol.
    Acp,
}

/// Permissions of an agent without asking a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutorPolicy {
    /// May read only.
    Plan,
    /// May also change files.
    Edit,
    /// May also run commands.
    Full,
}

/// How a `shell` executor receives its prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromptChannel {
    /// On standard input.
    Stdin,
    /// As the last argument.
    Argument,
    /// As a file; the last argument is its path.
    File,
}

/// The program of an agent and how Forge calls it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "ExecutorFields")]
pub struct AgentExecutor {
    /// The kind of agent program.
    pub kind: ExecutorKind,
    /// The program and its first arguments. `shell` and `acp` need it; for other kinds it replaces the default
    /// program. No shell interprets it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Time limit of an execution; `null` for no limit.
    #[serde(default)]
    pub timeout_seconds: Option<u64>,
    /// Additional arguments for the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// What the agent may do without asking; the kind's default if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<ExecutorPolicy>,
    /// Name of the model, for kinds with a flag for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How the program receives the prompt, for `shell`; standard input if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<PromptChannel>,
    /// Additional environment variables. Answers show only the names; a value is never sent back.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// Names of server variables that the program gets in addition to the inherited ones. The server's own variables
    /// (`FORGE_…`, `GIT_…`, `PGPASS…`, `GITHUB_TOKEN`) cannot be passed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pass_environment: Vec<String>,
    /// Absolute path on the server where the program keeps its settings and login; the program's default if left out.
    /// With it, two agents of one program can use two accounts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config_directory: Option<String>,
    /// Seconds without output or file changes after which Forge reports the execution as stalled (SPEC T-23); the
    /// server's setting if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalled_after_seconds: Option<u64>,
    /// Seconds without output or file changes after which Forge stops the execution; the server's setting if left
    /// out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_after_seconds: Option<u64>,
}

/// The wire form of an executor, before validation.
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
    pass_environment: Vec<String>,
    #[serde(default)]
    config_directory: Option<String>,
    #[serde(default)]
    stalled_after_seconds: Option<u64>,
    #[serde(default)]
    stopped_after_seconds: Option<u64>,
}

#[derive(Debug, Error)]
enum ExecutorFieldsError {
    #[error("an executor of this kind needs a command: a list with the program and its arguments")]
    NoCommand,
}

impl AgentExecutor {
    /// The executor of a kind without any options.
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
            pass_environment: Vec::new(),
            config_directory: None,
            stalled_after_seconds: None,
            stopped_after_seconds: None,
        }
    }
}

impl TryFrom<ExecutorFields> for AgentExecutor {
    type Error = ExecutorFieldsError;

    fn try_from(fields: ExecutorFields) -> Result<Self, ExecutorFieldsError> {
        let needed = matches!(fields.kind, ExecutorKind::Shell | ExecutorKind::Acp);
        let command = match fields.command {
            Some(words) if words.first().is_some_and(|program| !program.is_empty()) => words,
            None if !needed => Vec::new(),
            _ => return Err(ExecutorFieldsError::NoCommand),
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
            pass_environment: fields.pass_environment,
            config_directory: fields.config_directory,
            stalled_after_seconds: fields.stalled_after_seconds,
            stopped_after_seconds: fields.stopped_after_seconds,
        })
    }
}

/// A named worker that runs an agent program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Agent {
    pub id: Uuid,
    /// Unique name of the agent.
    pub name: String,
    /// The program it runs.
    pub executor: AgentExecutor,
    /// The roles it can hold; empty for any.
    pub roles: Vec<String>,
    /// Whether it is paused: a paused agent gets no new work.
    pub paused: bool,
    /// How many executions it may run at once.
    pub max_concurrent: u32,
    /// Whether Forge removes it when its work is finished.
    pub ephemeral: bool,
    /// The agent that takes over when this one's quota is used up or it is not signed in (SPEC E-9).
    #[serde(default)]
    #[schema(required)]
    pub fallback: Option<Uuid>,
    /// The project that owns it; `null` for an agent of the server, which works for every project (SPEC S-6).
    #[serde(default)]
    #[schema(required)]
    pub project_id: Option<Uuid>,
    /// Why it gets no tasks although it is not paused; `null` if it can work.
    #[serde(default)]
    #[schema(required)]
    pub waiting: Option<AgentWait>,
    /// Version number; every write increases it.
    pub version: u64,
    /// When it was created.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// When it was removed; `null` while it exists.
    #[serde(default)]
    #[schema(format = DateTime, required)]
    pub removed_at: Option<String>,
}

/// Names of an agent's environment variables, grouped by source. Values are never sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentEnvironment {
    /// From the server's environment; every program gets them.
    pub inherited: Vec<String>,
    /// From the server's environment, named in `pass_environment`.
    pub passed: Vec<String>,
    /// Named in `pass_environment`, but not set in the server's environment.
    pub missing: Vec<String>,
    /// From the agent's own `environment` setting.
    pub set: Vec<String>,
    /// The variable with an API key, which makes the program charge by use instead of the subscription; `null` if
    /// none is set.
    #[schema(required)]
    pub api_key: Option<String>,
}

/// Result of checking an agent's program on the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentProbe {
    /// The agent; it no longer waits for a login if its program is signed in.
    pub agent: Agent,
    /// The program that Forge looked for.
    pub program: String,
    /// Path of the program; `null` if it is not installed.
    #[schema(required)]
    pub path: Option<String>,
    /// The version that the program reports.
    #[schema(required)]
    pub version: Option<String>,
    /// The version that Forge was last tested with.
    #[schema(required)]
    pub tested_version: Option<String>,
    /// Why the version is unknown.
    #[schema(required)]
    pub problem: Option<String>,
    /// Login state of the program; `null` if it is not installed.
    #[schema(required)]
    pub login: Option<AgentLogin>,
}

/// An agent program that Forge knows, and whether this server has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentProgram {
    /// The kind of agent that runs it.
    pub kind: ExecutorKind,
    /// The program that Forge looked for.
    pub program: String,
    /// Path of the program; `null` if it is not installed.
    #[schema(required)]
    pub path: Option<String>,
    /// The version that the program reports.
    #[schema(required)]
    pub version: Option<String>,
    /// The version that Forge was last tested with.
    #[schema(required)]
    pub tested_version: Option<String>,
    /// Why the version is unknown.
    #[schema(required)]
    pub problem: Option<String>,
    /// Login state of the program; `null` if it is not installed.
    #[schema(required)]
    pub login: Option<AgentLogin>,
    /// The permission policies that the program can enforce.
    pub policies: Vec<ExecutorPolicy>,
}

/// Login state of an agent's program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentLogin {
    /// Signed in with an account.
    SignedIn,
    /// Uses an API key, which is charged by use.
    ApiKey,
    /// Not signed in.
    SignedOut,
    /// The program cannot report its login state, or did not answer.
    Unknown,
}

/// Why an agent waits (SPEC E-9).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentWait {
    /// The reason of the wait.
    pub reason: AgentWaitReason,
    /// When Forge tries the agent again by itself; `null` for a login, which needs a person.
    #[schema(format = DateTime, required)]
    pub until: Option<String>,
    /// Message of the agent's program.
    pub message: String,
}

/// The reasons for which an agent waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgentWaitReason {
    /// Its quota is used up.
    Quota,
    /// Its program is not signed in.
    Login,
}

/// Request to create an agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewAgent {
    /// Unique name of the agent.
    #[schema(min_length = 1, max_length = 100)]
    pub name: String,
    /// The program it runs.
    pub executor: AgentExecutor,
    /// The roles it can hold; any if left out.
    #[serde(default)]
    pub roles: Vec<String>,
    /// How many executions it may run at once; 1 if left out.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1000)]
    pub max_concurrent: Option<u32>,
    /// Whether Forge removes it when its work is finished.
    #[serde(default)]
    pub ephemeral: bool,
    /// The agent that takes over when this one's quota is used up or it is not signed in (SPEC E-9).
    #[serde(default)]
    pub fallback: Option<Uuid>,
    /// The project that owns it (SPEC S-6): members of the project manage it, and it works for no other project. If
    /// left out, the server owns it, which needs an admin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_id: Option<Uuid>,
}

/// Request to change an agent; fields that are left out stay as they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentPatch {
    /// The version that the caller read.
    pub version: u64,
    /// New name of the agent.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_length = 1, max_length = 100)]
    pub name: Option<String>,
    /// New executor, replaced as a whole. Its kind cannot change, and running executions keep the old executor. A
    /// variable with the value `[redacted]`, as answers show it, keeps its value.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub executor: Option<AgentExecutor>,
    /// New list of roles.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub roles: Option<Vec<String>>,
    /// New limit of concurrent executions.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, maximum = 1000)]
    pub max_concurrent: Option<u32>,
    /// The agent that takes over when this one's quota is used up (SPEC E-9); `null` for none.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Uuid>)]
    pub fallback: Option<Option<Uuid>>,
}

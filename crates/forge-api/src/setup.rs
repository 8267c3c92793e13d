//! What is done to a workspace before anybody works in it (SPEC W-13).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::LogPage;

/// A project's setup of its workspaces, and what their programs find around them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SetupSettings {
    /// Shell lines that run in order in a new workspace, before the agent starts; the first that fails stops the task.
    #[serde(default)]
    pub commands: Vec<String>,
    /// How long all of them together may take; `null` for 600 seconds.
    #[serde(default)]
    pub timeout_seconds: Option<u64>,
    /// Variables that setup, agents and checks get. `PATH`, `FORGE_…` and `GIT_…` cannot be set.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// How many ports a task gets, 0 to 20, as `FORGE_PORT_0` and so on.
    #[serde(default)]
    pub ports: u32,
}

/// How far the setup of a workspace is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SetupStatus {
    /// There has been nothing to do.
    NotNeeded,
    /// Waits for its turn.
    Pending,
    /// Runs now.
    Running,
    /// Came to its end.
    Finished,
    /// Failed; the task's error_annotation says how.
    Failed,
    /// The task moved on before it came to its end.
    Stopped,
}

/// The last setup of a task's workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkspaceSetup {
    /// How far it is.
    pub status: SetupStatus,
    /// The ports that the task holds: `FORGE_PORT_0` first.
    pub ports: Vec<u16>,
    /// When it was wanted.
    #[schema(format = DateTime, required)]
    pub created_at: Option<String>,
    /// When it ended.
    #[schema(format = DateTime, required)]
    pub finished_at: Option<String>,
    /// A part of what it said.
    pub log: LogPage,
}

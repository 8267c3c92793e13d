//! Setup of a workspace before work starts in it (SPEC W-13).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::LogPage;

/// Setup of a project's workspaces and the environment of the programs that run in them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SetupSettings {
    /// Shell commands that run in order in a new workspace before the agent starts; the first failure stops the task.
    #[serde(default)]
    #[schema(max_items = 50)]
    pub commands: Vec<String>,
    /// Time limit for all commands together; `null` for 600 seconds.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 86_400)]
    pub timeout_seconds: Option<u64>,
    /// Environment variables of setup, agents and checks. `PATH`, `FORGE_…` and `GIT_…` cannot be set.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Number of ports for each task, 0 to 20, as `FORGE_PORT_0` and so on.
    #[serde(default)]
    #[schema(maximum = 20)]
    pub ports: u32,
}

/// Progress of a workspace's setup.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SetupStatus {
    /// There was nothing to do.
    NotNeeded,
    /// Waiting to start.
    Pending,
    /// Running right now.
    Running,
    /// All commands succeeded.
    Finished,
    /// A command failed; the task's error_annotation says how.
    Failed,
    /// The task moved on before the setup ended.
    Stopped,
}

/// The last setup of a task's workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkspaceSetup {
    /// Progress of the setup.
    pub status: SetupStatus,
    /// The ports of the task, `FORGE_PORT_0` first.
    pub ports: Vec<u16>,
    /// When the setup was requested.
    #[schema(format = DateTime, required)]
    pub created_at: Option<String>,
    /// When the setup ended.
    #[schema(format = DateTime, required)]
    pub finished_at: Option<String>,
    /// A part of its output.
    pub log: LogPage,
}

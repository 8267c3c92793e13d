//! The demonstration project (`forge demo`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::TaskPhase;

/// Answer to starting a demonstration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DemoStarted {
    /// The demonstration's project.
    pub project_id: Uuid,
    /// Path of the temporary repository on the server's disk.
    pub repo_path: String,
}

/// Current state of a demonstration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DemoReport {
    /// The demonstration's project.
    pub project_id: Uuid,
    /// Path of the temporary repository on the server's disk.
    pub repo_path: String,
    /// Whether nothing in it continues without a person.
    pub finished: bool,
    /// Its tasks, in order of creation.
    pub tasks: Vec<DemoTask>,
    /// The landed commits, as printed by `git log --oneline --graph`.
    pub log: Vec<String>,
}

/// State of one task of a demonstration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DemoTask {
    /// The task's key, for example `T-12`.
    pub key: String,
    /// Title of the task.
    pub title: String,
    /// The workflow state it is in.
    pub status: String,
    /// The board phase of that state.
    pub phase: TaskPhase,
    /// How often it entered a gate.
    pub attempts: u32,
    /// What happened to it: why it waits for a person, or that its checks rejected attempts; `null` if nothing did.
    #[serde(default)]
    #[schema(required)]
    pub remark: Option<String>,
    /// The landed commit; `null` until it lands.
    #[schema(required)]
    pub commit: Option<String>,
}

//! The server itself (SPEC S-7, E-12, W-10).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The process answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Health {
    /// Always true in an answer: a process that is not well does not answer.
    pub alive: bool,
}

/// One thing the server needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadinessCheck {
    /// What was looked at.
    pub name: String,
    /// Whether it is as needed.
    pub ok: bool,
    /// What is wrong.
    #[schema(required)]
    pub message: Option<String>,
}

/// Whether the server can do its work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ready {
    /// All checks are well.
    pub ready: bool,
    /// What was looked at.
    pub checks: Vec<ReadinessCheck>,
}

/// A directory in the workspace root that belongs to no live task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Orphan {
    /// Where it is.
    pub path: String,
    /// Why nobody owns it.
    pub reason: String,
}

/// What the last start had to put right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecoveryReport {
    /// The Forge process that started.
    pub node: String,
    /// When recovery began.
    #[schema(format = DateTime)]
    pub started_at: String,
    /// When it ended; `null` while it runs.
    #[schema(format = DateTime, required)]
    pub finished_at: Option<String>,
    /// Workspaces whose lock nobody held any more, by task.
    pub locks_released: Vec<Uuid>,
    /// Executions whose process was gone; their work was saved.
    pub executions_lost: Vec<Uuid>,
    /// Executions whose process still ran and was taken over.
    pub executions_adopted: Vec<Uuid>,
    /// Executions whose process still ran and was ended.
    pub executions_ended: Vec<Uuid>,
    /// Steps that will be tried again.
    pub steps_resumed: Vec<Uuid>,
    /// Delayed removals of workspaces that were planned again, by task.
    pub cleanups_rescheduled: Vec<Uuid>,
    /// Directories that belong to no live task.
    pub orphans: Vec<Orphan>,
}

/// Which Forge this is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Version {
    /// The release.
    pub version: String,
    /// The commit it was built from, where known.
    #[schema(required)]
    pub commit: Option<String>,
}

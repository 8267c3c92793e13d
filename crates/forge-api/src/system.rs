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

/// What the last start had to put right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecoveryReport {
    /// The Forge process that started.
    pub node: Uuid,
    /// When.
    #[schema(format = DateTime)]
    pub started_at: String,
    /// Agents that were still at work and go on under this server.
    pub executions_adopted: u64,
    /// Agents that were still at work and were ended, as the settings ask; their work is kept and they begin again.
    pub executions_ended: u64,
    /// Agents that had come to their own end meanwhile; it counts as if the server had seen it.
    pub executions_finished: u64,
    /// Agents that were gone, nobody knows how; their work is kept and they begin again.
    pub executions_lost: u64,
    /// Steps that the run before had begun; each is carried out again, by asking reality first.
    pub steps_resumed: u64,
    /// Steps that waited at that moment.
    pub steps_open: u64,
    /// Workspaces whose lock a dead process had left; they are free again.
    pub locks_released: u64,
    /// Clones of remote repositories that were not finished; nothing of them is left.
    pub clones_discarded: u64,
    /// Directories under the workspace root that belonged to no live task at that moment; `null` for who is no admin.
    /// `GET /workspaces/orphans` says how it is now.
    #[schema(required)]
    pub orphans: Option<Vec<OrphanNote>>,
}

/// An orphaned directory, as the start met it. Forge left it alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OrphanNote {
    /// Where it was.
    pub path: String,
    /// Why it was one.
    pub reason: String,
}

/// Which programs and places a server works with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SystemInfo {
    /// The release.
    pub version: String,
    /// The version of git; `null` if git did not answer.
    #[schema(required)]
    pub git_version: Option<String>,
    /// The database: `sqlite` or `postgres`.
    pub database: String,
    /// Its version.
    pub database_version: String,
    /// The directory that holds everything Forge keeps outside the database.
    pub data_dir: String,
    /// This Forge process; the same after every restart.
    pub node: Uuid,
}

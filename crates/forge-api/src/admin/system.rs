//! The server itself: health, readiness, recovery, versions (SPEC S-7, E-12, W-10).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Answer of `/healthz`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HealthReport {
    /// Always `true`: a dead process does not answer.
    pub alive: bool,
}

/// One readiness check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadinessCheck {
    /// Name of the check.
    pub name: String,
    /// Whether the check passed.
    pub ok: bool,
    /// What is wrong; `null` if the check passed.
    #[schema(required)]
    pub message: Option<String>,
}

/// Whether the server can work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadinessReport {
    /// Whether all checks passed.
    pub ready: bool,
    /// The list of checks.
    pub checks: Vec<ReadinessCheck>,
}

/// What the server recovered at its last start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecoveryReport {
    /// The Forge process that started.
    pub node: Uuid,
    /// When it started.
    #[schema(format = DateTime)]
    pub started_at: String,
    /// Agents that were still running and continue under this server.
    pub executions_adopted: u64,
    /// Agents that were still running and that the server stopped, as configured; their work is kept and they start
    /// again.
    pub executions_ended: u64,
    /// Agents that had ended in the meantime; Forge recorded their end.
    pub executions_finished: u64,
    /// Agents that disappeared without a record of their end; their work is kept and they start again.
    pub executions_lost: u64,
    /// Effects that the previous run had started; the engine performs each again after checking the actual state.
    pub effects_resumed: u64,
    /// Effects that were pending at that moment.
    pub effects_open: u64,
    /// Workspaces whose lock belonged to a dead process; the server released them.
    pub locks_released: u64,
    /// Unfinished clones of remote repositories; the server removed them.
    pub clones_discarded: u64,
    /// Directories under the workspace root that belonged to no live task at that moment; `null` unless the caller is
    /// an admin. `GET /workspaces/orphans` shows the current state.
    #[schema(required)]
    pub orphans: Option<Vec<OrphanNote>>,
}

/// An orphaned directory as found at the start. Forge does not touch it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OrphanNote {
    /// Path of the directory.
    pub path: String,
    /// Why it is an orphan.
    pub reason: String,
}

/// Versions and directories of the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SystemInfo {
    /// Version of Forge.
    pub version: String,
    /// The version of git; `null` if git did not answer.
    #[schema(required)]
    pub git_version: Option<String>,
    /// The database: `sqlite` or `postgres`.
    pub database: String,
    /// Version of the database.
    pub database_version: String,
    /// The directory for all data outside the database; `null` for members, who do not see paths of the server.
    #[schema(required)]
    pub data_dir: Option<String>,
    /// Identifier of this Forge process; it stays the same across restarts.
    pub node: Uuid,
}

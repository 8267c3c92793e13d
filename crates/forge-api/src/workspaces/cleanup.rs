//! Cleanup of workspaces and orphaned directories (SPEC W-7, W-9, W-10).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Approximate size of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SizeClass {
    /// The directory is empty.
    Empty,
    /// Less than 10 MiB.
    Small,
    /// Less than 1 GiB.
    Medium,
    /// More, or too many files to count.
    Large,
}

/// A directory under the workspace root that belongs to no live task. Forge does not touch it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OrphanView {
    /// Path of the directory.
    pub path: String,
    /// Why it is an orphan.
    pub reason: String,
    /// Approximate size of the directory.
    pub size: SizeClass,
    /// Time of the last change in it; `null` if it cannot be read.
    #[schema(format = DateTime, required)]
    pub last_change_at: Option<String>,
    /// Name of the repository with a git worktree record for it; `null` if there is none.
    #[schema(required)]
    pub git_record_in: Option<String>,
}

/// Request to clean up workspaces.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CleanWorkspaces {
    /// Only report what would happen.
    #[serde(default)]
    pub dry_run: bool,
}

/// What happens to a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CleanupDecision {
    /// It would be removed.
    WouldBeRemoved,
    /// It was removed.
    Removed,
    /// The removal failed and is retried.
    Failed,
    /// Something prevents the removal.
    Blocked,
    /// It belongs to no task, so a person has to decide.
    Orphan,
}

/// One workspace and the decision about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkspaceCleanup {
    /// The task of the workspace; `null` for an orphan.
    #[schema(required)]
    pub task_id: Option<Uuid>,
    /// The task's key, for example `T-12`.
    #[schema(required)]
    pub key: Option<String>,
    /// Path of the workspace; empty if there is none.
    pub path: String,
    /// The decision about the workspace.
    pub verdict: CleanupDecision,
    /// Why, or what prevents the removal.
    pub why: String,
    /// Where uncommitted work is saved; `null` if a dry run found none.
    #[schema(required)]
    pub saved_under: Option<String>,
}

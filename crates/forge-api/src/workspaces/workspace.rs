//! The workspace of a task (SPEC §4, W-16).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// State of a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceStatus {
    /// Forge is creating it.
    Preparing,
    /// Ready for use.
    Ready,
    /// Forge is removing it.
    Cleaning,
    /// Forge has removed it.
    Cleaned,
    /// It does not match its record; it is parked for a person.
    Corrupted,
    /// An operation on it failed; `last_error` says which.
    Error,
    /// Unknown: it could not be read, or not in time; `last_error` says why.
    Unknown,
}

/// Number of files that differ from the last commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DirtyCounts {
    /// Changes in the index.
    pub staged: u64,
    /// Changes outside the index.
    pub modified: u64,
    /// Files that are neither tracked nor ignored.
    pub untracked: u64,
}

/// The lock on a workspace (SPEC W-4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkspaceLock {
    /// The execution that holds it; `null` if Forge itself works in the workspace.
    #[schema(required)]
    pub execution_id: Option<Uuid>,
    /// The execution or the effect that holds it.
    pub holder: String,
    /// The machine of the Forge process.
    pub node: String,
    /// The process that holds the lock.
    pub pid: u32,
    /// Since when it is locked.
    #[schema(format = DateTime)]
    pub since: String,
}

/// A task's workspace. Values that come from git are `null` once the directory is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkspaceView {
    /// Identifier of the task.
    pub task_id: Uuid,
    /// The task's key, such as `T-12`.
    pub key: String,
    /// The task's title.
    pub title: String,
    /// The task's project.
    pub project_id: Uuid,
    /// Path of the directory on the server's disk.
    pub path: String,
    /// The branch; `null` without git or on a detached commit.
    #[schema(required)]
    pub branch: Option<String>,
    /// The commit that the branch started from.
    #[schema(required)]
    pub base: Option<String>,
    /// The current commit.
    #[schema(required)]
    pub head: Option<String>,
    /// Number of commits that the target branch does not have.
    #[schema(required)]
    pub ahead: Option<u64>,
    /// Number of commits of the target branch that it does not have.
    #[schema(required)]
    pub behind: Option<u64>,
    /// Number of uncommitted changes.
    #[schema(required)]
    pub dirty: Option<DirtyCounts>,
    /// State of the workspace.
    pub status: WorkspaceStatus,
    /// The last error of an operation on it.
    #[schema(required)]
    pub last_error: Option<String>,
    /// The current lock; `null` if it is free.
    #[schema(required)]
    pub lock: Option<WorkspaceLock>,
}

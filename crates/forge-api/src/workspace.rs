//! Where a task's executions run (SPEC §4, W-16).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// How a workspace stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceStatus {
    /// Is being made.
    Preparing,
    /// Can be used.
    Ready,
    /// Is being removed.
    Cleaning,
    /// Was removed.
    Cleaned,
    /// Is not what was recorded; parked for a person.
    Corrupted,
    /// An operation on it failed; `last_error` says which.
    Error,
}

/// How many files differ from the last commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DirtyCounts {
    /// In the index.
    pub staged: u64,
    /// Changed, not in the index.
    pub modified: u64,
    /// Not tracked and not ignored.
    pub untracked: u64,
}

/// Who works in a workspace now (SPEC W-4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkspaceLock {
    /// The execution; `null` when Forge itself works there.
    #[schema(required)]
    pub execution_id: Option<Uuid>,
    /// On whose behalf: the execution, or the step that Forge carries out.
    pub holder: String,
    /// The Forge process's machine.
    pub node: String,
    /// The process that holds the lock.
    pub pid: u32,
    /// Since when.
    #[schema(format = DateTime)]
    pub since: String,
}

/// A task's workspace. What git would have to be asked for is `null` once the directory is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Workspace {
    /// The task.
    pub task_id: Uuid,
    /// The task's key, such as `T-12`.
    pub key: String,
    /// The task's title.
    pub title: String,
    /// The task's project.
    pub project_id: Uuid,
    /// The directory on the server's disk.
    pub path: String,
    /// The branch; `null` without git or on a detached commit.
    #[schema(required)]
    pub branch: Option<String>,
    /// The commit the branch began at.
    #[schema(required)]
    pub base: Option<String>,
    /// The commit it is at.
    #[schema(required)]
    pub head: Option<String>,
    /// Commits the target branch does not have.
    #[schema(required)]
    pub ahead: Option<u64>,
    /// Commits of the target branch it does not have.
    #[schema(required)]
    pub behind: Option<u64>,
    /// Uncommitted changes.
    #[schema(required)]
    pub dirty: Option<DirtyCounts>,
    /// How it stands.
    pub status: WorkspaceStatus,
    /// What last went wrong.
    #[schema(required)]
    pub last_error: Option<String>,
    /// Who works in it now.
    #[schema(required)]
    pub lock: Option<WorkspaceLock>,
}

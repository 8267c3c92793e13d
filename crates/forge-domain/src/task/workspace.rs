//! Workspaces, in which a task's executions run.

use serde::{Deserialize, Serialize};

/// A task's worktree as recorded. Git gets these values, never the ones that the directory itself claims (W-5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workspace {
    /// Path of the worktree.
    pub path: String,
    /// Its branch; empty for a plain directory.
    pub branch: String,
    /// The commit it started from.
    pub base: String,
    pub status: WorkspaceStatus,
}

impl Workspace {
    /// Whether it is a plain directory without git, shared by all tasks of its project (W-1).
    pub fn is_plain(&self) -> bool {
        self.branch.is_empty()
    }
}

/// State of a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceStatus {
    /// It exists on disk as recorded.
    Ready,
    /// It was removed; the branch may still exist.
    Cleaned,
    /// Its removal failed and is retried.
    Error,
}

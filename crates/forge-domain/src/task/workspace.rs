//! The place where a task's executions run.

use serde::{Deserialize, Serialize};

/// A task's worktree as recorded; git is told these values, never what the directory claims (W-5).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workspace {
    /// The worktree.
    pub path: String,
    /// Its branch; empty in a plain directory, which has none.
    pub branch: String,
    /// The commit it started from.
    pub base: String,
    /// Whether it is there.
    pub status: WorkspaceStatus,
}

impl Workspace {
    /// Whether it is a plain directory that all tasks of its project share, without git (W-1).
    pub fn is_plain(&self) -> bool {
        self.branch.is_empty()
    }
}

/// Whether a workspace can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceStatus {
    /// On disk, as recorded.
    Ready,
    /// Removed; the branch may live on.
    Cleaned,
    /// Removal failed; it is tried again.
    Error,
}

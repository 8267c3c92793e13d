//! The type of a project's workspaces.

use serde::{Deserialize, Serialize};

/// Where the tasks of a project run (W-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceType {
    /// Each task in a git worktree of its own.
    GitWorktree,
    /// All tasks in one directory without git, one after another.
    PersistentDirectory,
}

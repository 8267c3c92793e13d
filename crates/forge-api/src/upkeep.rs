//! Looking after workspaces (SPEC W-7, W-9, W-10).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Roughly how large a directory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SizeClass {
    /// Nothing in it.
    Empty,
    /// Less than 10 MiB.
    Small,
    /// Less than 1 GiB.
    Medium,
    /// More, or more files than are worth counting.
    Large,
}

/// A directory under the workspace root that belongs to no live task. Forge leaves it alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Orphan {
    /// Where it is.
    pub path: String,
    /// Why it is one.
    pub reason: String,
    /// How large it is, roughly.
    pub size: SizeClass,
    /// When something in it last changed; `null` if it cannot be read.
    #[schema(format = DateTime, required)]
    pub last_change_at: Option<String>,
    /// The name of the repository in which git has a record of it as a worktree; `null` if none has.
    #[schema(required)]
    pub git_record_in: Option<String>,
}

/// Asks for removals.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CleanWorkspaces {
    /// Only say what would happen.
    #[serde(default)]
    pub dry_run: bool,
}

/// What becomes of a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CleanVerdict {
    /// It would be removed.
    WouldBeRemoved,
    /// It was removed.
    Removed,
    /// It could not be removed now, and is tried again.
    Failed,
    /// Something stands in the way.
    Blocked,
    /// It is no task's, so it is left to people.
    Orphan,
}

/// A workspace, and whether it goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Cleaned {
    /// Its task; `null` for an orphan.
    #[schema(required)]
    pub task_id: Option<Uuid>,
    /// The task's short name.
    #[schema(required)]
    pub key: Option<String>,
    /// Where it is; empty if there is none.
    pub path: String,
    /// Whether it goes.
    pub verdict: CleanVerdict,
    /// Why, or what stands in the way.
    pub why: String,
    /// Where work that is in no commit is kept; `null` if a dry run saw none.
    #[schema(required)]
    pub saved_under: Option<String>,
}

//! Live branches that conflict with each other (SPEC M-14).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The live branches of a project and the conflicts between them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ConflictList {
    /// The branches of all tasks that have not ended, ordered by task number.
    pub branches: Vec<LiveBranch>,
    /// The pairs that conflict in files that both changed since they left their target, oldest conflict first.
    pub conflicts: Vec<ConflictView>,
}

/// A branch as of the last check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LiveBranch {
    /// The task that owns the branch.
    pub task_id: Uuid,
    /// The task's key, for example `T-12`.
    pub key: String,
    /// The task's title.
    pub title: String,
    /// The task's status.
    pub status: String,
    /// The repository of the branch.
    pub repo_id: Uuid,
    /// Name of the branch.
    pub branch: String,
    /// Commit of the branch.
    pub head: String,
    /// Whether uncommitted work from the journal is included on top of that commit.
    pub uncommitted: bool,
    /// The branch it lands on; `null` if that branch does not exist.
    #[serde(default)]
    #[schema(required)]
    pub target: Option<String>,
    /// Its conflict with the target branch; `null` if the two merge.
    #[serde(default)]
    #[schema(required)]
    pub target_conflict: Option<TargetConflict>,
}

/// A conflict between a branch and its target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TargetConflict {
    /// The files in conflict.
    pub files: Vec<String>,
    /// When the conflict was first found.
    #[schema(format = DateTime)]
    pub since: String,
}

/// Two branches that conflict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ConflictView {
    /// The two branches, the lower task number first.
    #[schema(min_items = 2, max_items = 2)]
    pub branches: Vec<LiveBranch>,
    /// The files in conflict.
    pub files: Vec<String>,
    /// When the conflict was first found.
    #[schema(format = DateTime)]
    pub since: String,
}

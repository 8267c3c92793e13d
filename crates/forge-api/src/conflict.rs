//! Live branches that clash with each other (SPEC M-14).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The live branches of a project, and which of them clash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Conflicts {
    /// The branches of tasks that have not ended, in the order of the tasks' numbers.
    pub branches: Vec<LiveBranch>,
    /// The pairs that clash, the oldest first; all others merge with each other.
    pub conflicts: Vec<Conflict>,
}

/// A branch as it was last looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LiveBranch {
    /// Its task.
    pub task_id: Uuid,
    /// How people call the task.
    pub key: String,
    /// The task's title.
    pub title: String,
    /// The task's status.
    pub status: String,
    /// Its repository.
    pub repo_id: Uuid,
    /// Its name.
    pub branch: String,
    /// Its commit.
    pub head: String,
    /// Whether work on top of that commit counts that is saved in the journal and not committed yet.
    pub uncommitted: bool,
}

/// Two branches that clash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Conflict {
    /// The two, the lower number first.
    #[schema(min_items = 2, max_items = 2)]
    pub branches: Vec<LiveBranch>,
    /// Where they clash.
    pub files: Vec<String>,
    /// Since when.
    #[schema(format = DateTime)]
    pub since: String,
}

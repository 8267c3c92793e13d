//! How a task is part of another (SPEC T-17).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a task is part of another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubtaskMode {
    /// It has its own workspace and runs independently.
    #[default]
    Independent,
    /// It runs in its parent's workspace, after the turns before it.
    OrderedTurn,
}

/// Where an independent subtask lands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubtaskTarget {
    /// On the same target as other tasks.
    #[default]
    Main,
    /// On its parent's branch, which must exist.
    Parent,
}

/// How a task is part of its parent, and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SubtaskInfo {
    /// Mode of the subtask.
    pub mode: SubtaskMode,
    /// Position of an ordered turn among the turns of its parent; `null` for an independent subtask.
    #[schema(required)]
    pub order: Option<i64>,
    /// The commit of an ordered turn on the parent's branch; `null` if there is none.
    #[schema(required)]
    pub commit: Option<String>,
    /// Whether an execution of an ordered turn ended without a change.
    pub no_changes: bool,
}

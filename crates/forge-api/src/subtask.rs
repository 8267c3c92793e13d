//! How a task is part of another (SPEC T-17).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a task is part of another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubtaskMode {
    /// Its own workspace and its own life.
    #[default]
    Independent,
    /// A turn in its parent's workspace, after the turns before it.
    OrderedTurn,
}

/// Where an independent subtask lands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubtaskTarget {
    /// Where any other task lands.
    #[default]
    Main,
    /// On its parent's branch, which must be there.
    Parent,
}

/// How a task is part of its parent, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Subtask {
    /// How.
    pub mode: SubtaskMode,
    /// A turn's place among those of its parent; `null` for an independent one.
    #[schema(required)]
    pub order: Option<i64>,
    /// The one commit on the parent's branch that came of a turn; `null` if none did.
    #[schema(required)]
    pub commit: Option<String>,
    /// Whether a run of a turn ended without a change.
    pub no_changes: bool,
}

//! What a task is to the task it is part of (T-17).

use serde::{Deserialize, Serialize};

/// How a task is part of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum Subtask {
    /// Its own workspace and its own life.
    Independent {
        /// How many tasks are above it.
        depth: u32,
    },
    /// A turn in its parent's workspace.
    OrderedTurn(Turn),
}

/// A turn that is taken in the workspace of another task, after those that come before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Its place among the turns of its parent; equal ones go by their number on the board.
    pub order: i64,
    /// The commit it began from; none before its first run has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The commit it left: the same one if nothing was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
}

impl Turn {
    /// A turn that nobody has begun.
    pub fn new(order: i64) -> Self {
        Self { order, base: None, head: None }
    }

    /// Whether a commit came of it; not known before a run of it has ended.
    pub fn changed(&self) -> Option<bool> {
        Some(self.base.as_ref()? != self.head.as_ref()?)
    }

    /// Where the commit of a run that began at `head` begins: what an earlier run of the same turn left is part of it,
    /// unless somebody else has committed since.
    pub fn begins_at<'a>(&'a self, head: &'a str) -> &'a str {
        match (&self.base, &self.head) {
            (Some(base), Some(left)) if left == head => base,
            _ => head,
        }
    }
}

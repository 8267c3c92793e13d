//! Relation of a subtask to its parent (T-17).

use serde::{Deserialize, Serialize};

/// The kind of a subtask.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum Subtask {
    /// A subtask with its own workspace and workflow.
    Independent {
        /// Number of its ancestors.
        depth: u32,
    },
    /// An ordered turn in its parent's workspace.
    OrderedTurn(OrderedTurn),
}

/// A subtask that runs in its parent's workspace, after the turns before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderedTurn {
    /// Position among the turns of its parent; equal positions go by task number.
    pub order: i64,
    /// The commit at which it began; `None` before its first execution has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The commit at which it ended; equal to `base` without changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
}

impl OrderedTurn {
    /// A turn that has not started.
    pub fn new(order: i64) -> Self {
        Self { order, base: None, head: None }
    }

    /// Whether it made a commit; unknown before its first execution has ended.
    pub fn has_changes(&self) -> Option<bool> {
        Some(self.base.as_ref()? != self.head.as_ref()?)
    }

    /// Base of the commit of an execution that began at `head`. It includes the result of an earlier execution of the
    /// same turn, unless another commit was made since.
    pub fn commit_base<'a>(&'a self, head: &'a str) -> &'a str {
        match (&self.base, &self.head) {
            (Some(base), Some(left)) if left == head => base,
            _ => head,
        }
    }
}

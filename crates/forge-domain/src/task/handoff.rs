//! Handoff notes (T-20).

use crate::{Actor, Assignee, ExecutionId, Timestamp};
use serde::{Deserialize, Serialize};

/// A note by which a holder hands the task off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandoffNote {
    /// Author of the note.
    pub by: Actor,
    /// Holder of the claim role until then.
    pub from: Option<Assignee>,
    /// The last execution before the handoff.
    pub execution: Option<ExecutionId>,
    /// The branch with the work; `None` in a plain directory, or before any work exists.
    pub branch: Option<String>,
    /// The worktree with the work.
    pub worktree: Option<String>,
    /// What was done, and what blocks progress.
    pub message: String,
    pub at: Timestamp,
}

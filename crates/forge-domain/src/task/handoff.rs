//! A note from one hand to the next (T-20).

use crate::{Actor, Assignee, ExecutionId, Timestamp};
use serde::{Deserialize, Serialize};

/// Who let go of a task, and what the next one should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handoff {
    /// Who said it.
    pub by: Actor,
    /// Who carried the task until then.
    pub from: Option<Assignee>,
    /// The last execution before it.
    pub execution: Option<ExecutionId>,
    /// The branch the work is on; none in a plain directory, or before there was any work.
    pub branch: Option<String>,
    /// The worktree the work is in.
    pub worktree: Option<String>,
    /// What was done, and what stands in the way.
    pub message: String,
    /// When.
    pub at: Timestamp,
}

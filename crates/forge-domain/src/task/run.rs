//! The execution a task has under way.

use crate::workflow::RoleName;
use crate::{Assignee, ExecutionId};
use serde::{Deserialize, Serialize};

/// One execution that has not ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Which execution.
    pub execution: ExecutionId,
    /// In which role.
    pub role: RoleName,
    /// By whom.
    pub assignee: Assignee,
    /// What for.
    pub purpose: Purpose,
}

/// What an execution is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// To change the tree.
    Work,
    /// To judge the change.
    Judge,
}

//! Numbers of a project's tasks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Numbers of a project's tasks, without archived ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskCounts {
    /// By phase of the board.
    pub phases: PhaseCounts,
    /// By name of the state; states without a task are left out.
    pub states: BTreeMap<String, u64>,
}

/// Numbers of tasks in each phase of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct PhaseCounts {
    /// Tasks that are not queued yet.
    pub backlog: u64,
    /// Tasks that wait for a claim.
    pub ready: u64,
    /// Tasks that an agent or user works on.
    pub working: u64,
    /// Tasks that are reviewed or landed.
    pub review: u64,
    /// Tasks that have ended.
    pub done: u64,
}

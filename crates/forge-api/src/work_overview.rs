//! The overview of a user's work in all projects (SPEC S-4).

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{NextStep, TaskPhase};

/// A task of the overview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkOverviewTask {
    /// Identifier of the task.
    pub task_id: Uuid,
    /// The task's key, for example `T-12`.
    pub key: String,
    /// Title of the task.
    pub title: String,
    /// Workflow state of the task.
    pub status: String,
    /// Board phase of that state.
    pub phase: TaskPhase,
    /// The project's name.
    pub project_name: String,
    /// The project's slug, as commands take it.
    pub project_slug: String,
    /// Name of the agent or user that works on it, worked on it last, or has a role in it; `null` if there is none.
    #[schema(required)]
    pub holder: Option<String>,
    /// Why it waits for a person, as in the list of tasks that need a person; `null` if it does not.
    #[schema(required)]
    pub reason: Option<String>,
    /// What it waits for, in words.
    pub message: String,
    /// Since when it is in its group: since when it waits or is being worked on, or when it landed.
    #[schema(format = DateTime)]
    pub since: String,
    /// Time since then in seconds.
    pub age_seconds: u64,
    /// Suggested next actions for the caller, best first.
    pub next: Vec<NextStep>,
}

/// A group of the overview.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkOverviewGroup {
    /// Number of tasks in the group. Counts end at 1000, and that of landed tasks at 100.
    pub count: u32,
    /// The first tasks of the group.
    pub tasks: Vec<WorkOverviewTask>,
}

/// What waits for a person, is being worked on, is queued, and landed recently, in all projects of the caller.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkOverview {
    /// Tasks that wait for a person, longest wait first.
    pub needs_person: WorkOverviewGroup,
    /// Tasks that an agent, a person or the server works on, latest change first.
    pub working: WorkOverviewGroup,
    /// Tasks that wait for an agent, most urgent first.
    pub queued: WorkOverviewGroup,
    /// Tasks that landed in the period, latest first.
    pub landed: WorkOverviewGroup,
    /// Number of tasks that are not queued yet, up to 1000.
    pub backlog: u32,
}

/// Query of the overview.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WorkOverviewQuery {
    /// Maximum number of tasks in each group; 5 if left out.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Length of the period for landed tasks, in seconds before now; a day if left out.
    #[serde(default)]
    pub landed_seconds: Option<u32>,
}

//! Tasks that wait for a person, across projects (SPEC T-28).

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::NextStep;

/// A task that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NeedsPerson {
    /// Identifier of the task.
    pub task_id: Uuid,
    /// The task's key, for example `T-12`.
    pub key: String,
    /// Title of the task.
    pub title: String,
    /// Workflow state of the task.
    pub status: String,
    /// The task's project.
    pub project_id: Uuid,
    /// The project's name.
    pub project_name: String,
    /// The project's slug, as commands take it.
    pub project_slug: String,
    /// Why it waits: the type of its error_annotation, or one of `question`, `review_passed`, `verdict`,
    /// `pull_request`, `claim`, `decision`.
    pub reason: String,
    /// The reason in words.
    pub message: String,
    /// The files involved: files in conflict, or files that block the landing.
    pub files: Vec<String>,
    /// Since when it waits for this reason.
    #[schema(format = DateTime)]
    pub since: String,
    /// Age of the wait in seconds.
    pub age_seconds: u64,
    /// Suggested next actions for the caller, best first.
    pub next: Vec<NextStep>,
}

/// Query of the tasks that wait for a person.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct NeedsPersonQuery {
    /// Only tasks of this project.
    #[serde(default)]
    pub project: Option<Uuid>,
    /// Maximum number of tasks.
    #[serde(default)]
    pub limit: Option<u32>,
    /// The `next_cursor` of the previous page.
    #[serde(default)]
    pub cursor: Option<String>,
}

//! Creating, changing and listing tasks (SPEC T-1, T-2).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::field::{nullable, present};
use crate::{
    Assignee, Budget, MergeConfig, Phase, ReviewConfig, SubtaskMode, SubtaskTarget, TaskKind,
};

/// Creates a task. It starts in the workflow's initial state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewTask {
    /// Short label.
    pub title: String,
    /// The full prompt for the agent.
    #[serde(default)]
    pub description: Option<String>,
    /// The project's primary repository if left out.
    #[serde(default)]
    pub repo_id: Option<Uuid>,
    /// Higher goes first; 0 if left out.
    #[serde(default)]
    pub priority: Option<i32>,
    /// Labels.
    #[serde(default)]
    pub labels: Vec<String>,
    /// The project's default if left out.
    #[serde(default)]
    pub review_config: Option<ReviewConfig>,
    /// Squash onto the repository's default branch if left out.
    #[serde(default)]
    pub merge_config: Option<MergeConfig>,
    /// Who holds which role.
    #[serde(default)]
    pub roles: BTreeMap<String, Assignee>,
    /// The tasks that must finish first.
    #[serde(default)]
    pub dependencies: Vec<Uuid>,
    /// The task it is a part of.
    #[serde(default)]
    pub parent: Option<Uuid>,
    /// How it is part of it (SPEC T-17); `independent` if left out.
    #[serde(default)]
    pub subtask_mode: Option<SubtaskMode>,
    /// An ordered turn's place among those of its parent; after all others if left out.
    #[serde(default)]
    pub subtask_order: Option<i64>,
    /// Where an independent subtask lands; `main` if left out.
    #[serde(default)]
    pub subtask_target: Option<SubtaskTarget>,
    /// `task` if left out.
    #[serde(default)]
    pub kind: Option<TaskKind>,
    /// What its agents may use (SPEC E-8); no limit if left out.
    #[serde(default)]
    pub budget: Option<Budget>,
    /// Kept for the user's own tools.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub metadata: Map<String, Value>,
}

/// Changes a task's own fields; what is left out stays. The status changes by a transition only.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskPatch {
    /// The version the caller read.
    pub version: u64,
    /// New title.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub title: Option<String>,
    /// New description; `null` empties it.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub description: Option<Option<String>>,
    /// New priority.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub priority: Option<i32>,
    /// New list of labels.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub labels: Option<Vec<String>>,
    /// New review configuration, as a whole; `null` goes back to the project's default.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ReviewConfig>)]
    pub review_config: Option<Option<ReviewConfig>>,
    /// New merge configuration, as a whole; `null` goes back to the default.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<MergeConfig>)]
    pub merge_config: Option<Option<MergeConfig>>,
    /// New budget, as a whole; `null` takes it away.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Budget>)]
    pub budget: Option<Option<Budget>>,
    /// New metadata, as a whole.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>, nullable = false)]
    pub metadata: Option<Map<String, Value>>,
}

/// What a task list is ordered by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskSort {
    /// When the task was created.
    #[default]
    Created,
    /// When the task last changed.
    Updated,
    /// The task's priority.
    Priority,
}

/// The direction of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SortOrder {
    /// Smallest or oldest first.
    Asc,
    /// Largest or newest first.
    Desc,
}

/// Which tasks to list, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TaskQuery {
    /// Only tasks in this workflow state.
    #[serde(default)]
    pub status: Option<String>,
    /// Only tasks in this part of the board.
    #[serde(default)]
    pub phase: Option<Phase>,
    /// Only tasks with this label.
    #[serde(default)]
    pub label: Option<String>,
    /// Only tasks in which this agent holds a role.
    #[serde(default)]
    pub agent: Option<Uuid>,
    /// Only tasks whose title or description has these words.
    #[serde(default)]
    pub text: Option<String>,
    /// Only tasks of this kind.
    #[serde(default)]
    pub kind: Option<TaskKind>,
    /// Also archived tasks.
    #[serde(default)]
    pub include_archived: bool,
    /// What the list is ordered by; `created` if left out.
    #[serde(default)]
    pub sort: Option<TaskSort>,
    /// The direction; `desc` if left out.
    #[serde(default)]
    pub order: Option<SortOrder>,
    /// How many tasks at most.
    #[serde(default)]
    pub limit: Option<u32>,
    /// `next_cursor` of the page before, with the same filters and order.
    #[serde(default)]
    pub cursor: Option<String>,
}

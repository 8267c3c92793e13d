//! Creating, changing and listing tasks (SPEC T-1, T-2).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::field::{nullable, present};
use crate::{
    BudgetLimits, MergeConfig, ReviewConfig, RoleAssignee, SubtaskMode, SubtaskTarget, TaskKind,
    TaskPhase,
};

/// Request to create a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewTask {
    /// Short title of the task.
    #[schema(min_length = 1, max_length = 500)]
    pub title: String,
    /// The full prompt for the agent.
    #[serde(default)]
    pub description: Option<String>,
    /// The repository; the project's primary one if left out.
    #[serde(default)]
    pub repo_id: Option<Uuid>,
    /// Priority; higher numbers go first; 0 if left out.
    #[serde(default)]
    pub priority: Option<i32>,
    /// Labels of the task.
    #[serde(default)]
    #[schema(max_items = 100)]
    pub labels: Vec<String>,
    /// Review configuration; the project's default if left out.
    #[serde(default)]
    pub review_config: Option<ReviewConfig>,
    /// Merge configuration; squash onto the repository's default branch if left out.
    #[serde(default)]
    pub merge_config: Option<MergeConfig>,
    /// Holders of its roles, by role.
    #[serde(default)]
    pub roles: BTreeMap<String, RoleAssignee>,
    /// The tasks that must finish first.
    #[serde(default)]
    pub dependencies: Vec<Uuid>,
    /// The task it is a part of.
    #[serde(default)]
    pub parent: Option<Uuid>,
    /// How it is part of its parent (SPEC T-17); `independent` if left out.
    #[serde(default)]
    pub subtask_mode: Option<SubtaskMode>,
    /// Position of an ordered turn among the turns of its parent; last if left out.
    #[serde(default)]
    pub subtask_order: Option<i64>,
    /// Where an independent subtask lands; `main` if left out.
    #[serde(default)]
    pub subtask_target: Option<SubtaskTarget>,
    /// Whether it starts in the claimable queue, where dispatch finds it, instead of the initial state; if left out, it
    /// does in a project with dispatch on. An ordered turn starts in the initial state.
    #[serde(default)]
    pub queue: Option<bool>,
    /// Kind of the task; `task` if left out.
    #[serde(default)]
    pub kind: Option<TaskKind>,
    /// Limit for its agents (SPEC E-8); no limit if left out.
    #[serde(default)]
    pub budget: Option<BudgetLimits>,
    /// Data of your own tools.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub metadata: Map<String, Value>,
}

/// Request to change a task's own fields; fields that are left out stay as they are. The status changes only by a
/// transition.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskPatch {
    /// The version that the caller read.
    pub version: u64,
    /// New title of the task.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_length = 1, max_length = 500)]
    pub title: Option<String>,
    /// New description; `null` empties it.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub description: Option<Option<String>>,
    /// New priority of the task.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub priority: Option<i32>,
    /// New list of labels.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_items = 100)]
    pub labels: Option<Vec<String>>,
    /// New review configuration, as a whole; `null` for the project's default.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ReviewConfig>)]
    pub review_config: Option<Option<ReviewConfig>>,
    /// New merge configuration, as a whole; `null` for the default.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<MergeConfig>)]
    pub merge_config: Option<Option<MergeConfig>>,
    /// New budget, as a whole; `null` removes it.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BudgetLimits>)]
    pub budget: Option<Option<BudgetLimits>>,
    /// New metadata, as a whole.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>, nullable = false)]
    pub metadata: Option<Map<String, Value>>,
}

/// Sort key of a task list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskSort {
    /// Time of creation.
    #[default]
    Created,
    /// Time of the last change.
    Updated,
    /// Priority of the task.
    Priority,
}

/// Direction of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SortOrder {
    /// Smallest or oldest first.
    Asc,
    /// Largest or newest first.
    Desc,
}

/// Filters and order of a task list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TaskQuery {
    /// Only tasks in this workflow state.
    #[serde(default)]
    pub status: Option<String>,
    /// Only tasks in this board phase.
    #[serde(default)]
    pub phase: Option<TaskPhase>,
    /// Only tasks with this label.
    #[serde(default)]
    pub label: Option<String>,
    /// Only tasks in which this agent holds a role.
    #[serde(default)]
    pub agent: Option<Uuid>,
    /// Only tasks whose title or description contains these words.
    #[serde(default)]
    pub text: Option<String>,
    /// Only tasks of this kind.
    #[serde(default)]
    pub kind: Option<TaskKind>,
    /// Include archived tasks.
    #[serde(default)]
    pub include_archived: bool,
    /// Sort key; `created` if left out.
    #[serde(default)]
    pub sort: Option<TaskSort>,
    /// Direction; `desc` if left out.
    #[serde(default)]
    pub order: Option<SortOrder>,
    /// Maximum number of tasks.
    #[serde(default)]
    pub limit: Option<u32>,
    /// The `next_cursor` of the previous page, with the same filters and order.
    #[serde(default)]
    pub cursor: Option<String>,
}

//! Tasks as clients see them (SPEC T-1).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    Assignee, Budget, CleanupReport, Handoff, Landing, MergeConfig, PullRequest, QueuedMessage,
    Regression, ReviewConfig, Subtask, TaskOrigin,
};

/// What a task is (SPEC §3.7).
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// Work that ends by landing a branch.
    #[default]
    Task,
    /// A person or agent working freely in one workspace.
    Session,
    /// One run of a pipeline.
    Run,
    /// A look at messages, without a branch.
    Triage,
}

/// Which part of the board a state belongs to, whatever its name (SPEC F-6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Not queued.
    Backlog,
    /// Waits to be claimed.
    Ready,
    /// Is worked on.
    Working,
    /// Is checked or landed.
    Review,
    /// Has ended.
    Done,
}

/// What the engine is doing for a task right now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Busy {
    /// Ending an execution.
    Stopping,
    /// Making the workspace ready.
    Preparing,
    /// Running an execution.
    Running,
    /// Running the gate's checks.
    Checking,
    /// Waiting for the gate's verdict.
    Judging,
    /// Landing the branch.
    Landing,
    /// Removing the workspace.
    Cleaning,
    /// Merging the target into the branch.
    Rebasing,
    /// Making a branch with the inverse of what another task landed.
    Reverting,
}

/// Why a task waits for somebody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorAnnotation {
    /// What kind of trouble, for programs; for example `stopped` or `workspace_reset_required`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What happened and what to do.
    pub message: String,
    /// Facts that belong to the kind; `null` if none.
    pub details: Value,
    /// Since when.
    #[schema(format = DateTime)]
    pub at: String,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Task {
    /// Identifier.
    pub id: Uuid,
    /// Its project.
    pub project_id: Uuid,
    /// The repository it works on; `null` in a project without one.
    #[schema(required)]
    pub repo_id: Option<Uuid>,
    /// Counts up per project.
    pub number: u64,
    /// The number as people write it, for example `T-12`.
    pub key: String,
    /// What it is.
    pub kind: TaskKind,
    /// Short label.
    pub title: String,
    /// The full prompt for the agent; empty if none was given.
    pub description: String,
    /// The workflow state it is in.
    pub status: String,
    /// Which part of the board that state belongs to.
    pub phase: Phase,
    /// Changes with every write; send it back when changing the task.
    pub version: u64,
    /// Higher goes first.
    pub priority: i32,
    /// Labels.
    pub labels: Vec<String>,
    /// How it is checked.
    pub review_config: ReviewConfig,
    /// How it is landed.
    pub merge_config: MergeConfig,
    /// Who holds which role.
    pub roles: BTreeMap<String, Assignee>,
    /// The tasks that must finish first.
    pub dependencies: Vec<Uuid>,
    /// The task it is a part of.
    #[schema(required)]
    pub parent: Option<Uuid>,
    /// How it is part of it (SPEC T-17); `null` if it is part of none.
    #[serde(default)]
    #[schema(required)]
    pub subtask: Option<Subtask>,
    /// Why it waits for somebody; `null` while all is well.
    #[schema(required)]
    pub error_annotation: Option<ErrorAnnotation>,
    /// The pull request by which it lands (SPEC M-16); `null` if there is none.
    #[serde(default)]
    #[schema(required)]
    pub pull_request: Option<PullRequest>,
    /// When the present content passed its gate.
    #[schema(format = DateTime, required)]
    pub review_passed_at: Option<String>,
    /// When it was hidden from lists.
    #[schema(format = DateTime, required)]
    pub archived_at: Option<String>,
    /// What one hand told the next, the oldest first.
    #[serde(default)]
    #[schema(required)]
    pub handoffs: Vec<Handoff>,
    /// Messages to its agent that are not known to be read yet, the oldest first (SPEC T-22).
    #[serde(default)]
    #[schema(required)]
    pub messages: Vec<QueuedMessage>,
    /// The task it was made for; `null` if it has its own purpose.
    #[serde(default)]
    #[schema(required)]
    pub origin: Option<TaskOrigin>,
    /// How its work came to its target; `null` until it has.
    #[serde(default)]
    #[schema(required)]
    pub landing: Option<Landing>,
    /// What was taken away with its workspace (SPEC M-10); `null` while that is there.
    #[serde(default)]
    #[schema(required)]
    pub cleanup: Option<CleanupReport>,
    /// The task that takes back what it landed.
    #[serde(default)]
    #[schema(required)]
    pub reverted_by: Option<Uuid>,
    /// What it is known to have broken.
    #[serde(default)]
    #[schema(required)]
    pub regression: Option<Regression>,
    /// What its agents may use (SPEC E-8); `null` for no limit.
    #[serde(default)]
    #[schema(required)]
    pub budget: Option<Budget>,
    /// Kept for the user's own tools; `handoff` in it says where the work of the last handoff is.
    #[schema(value_type = Object)]
    pub metadata: Map<String, Value>,
    /// The exact workflow definition it follows.
    pub workflow_hash: String,
    /// What the engine is doing for it right now; `null` if nothing.
    #[schema(required)]
    pub busy: Option<Busy>,
    /// When it was created.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// When it last changed.
    #[schema(format = DateTime)]
    pub updated_at: String,
}

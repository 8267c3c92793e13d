//! Tasks as clients see them (SPEC T-1).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    BudgetLimits, ClaimOverrides, CleanupReport, HandoffView, LandingReport, MergeConfig,
    PullRequest, Question, QueuedMessage, RegressionReport, ReviewConfig, RoleAssignee,
    SubtaskInfo, TaskOrigin,
};

/// Kind of a task (SPEC §3.7).
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// Work that ends by landing a branch.
    #[default]
    Task,
    /// A person or agent works freely in one workspace.
    Session,
    /// One run of a pipeline.
    Run,
    /// Triage of messages, without a branch.
    Triage,
}

/// The part of the board that a state belongs to, whatever its name (SPEC F-6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskPhase {
    /// Not queued yet.
    Backlog,
    /// Waits for a claim.
    Ready,
    /// An agent or user works on it.
    Working,
    /// Is being reviewed or landed.
    Review,
    /// It has ended.
    Done,
}

/// The current activity of the engine for a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActivityView {
    /// Stopping an execution.
    Stopping,
    /// Preparing the workspace.
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
    /// Creating a branch with the inverse of what another task landed.
    Reverting,
}

/// Why a task needs a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorAnnotation {
    /// Kind of the problem, for programs; for example `stopped` or `workspace_reset_required`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What happened and what to do.
    pub message: String,
    /// Data of the kind; `null` if none.
    pub details: Value,
    /// Since when it holds.
    #[schema(format = DateTime)]
    pub at: String,
}

/// A task on a project's board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Task {
    pub id: Uuid,
    /// The project it belongs to.
    pub project_id: Uuid,
    /// The repository it works on; `null` in a project without one.
    #[schema(required)]
    pub repo_id: Option<Uuid>,
    /// Number within the project, from 1.
    pub number: u64,
    /// The number as people write it, for example `T-12`.
    pub key: String,
    /// Kind of the task.
    pub kind: TaskKind,
    /// Short title of the task.
    pub title: String,
    /// The full prompt for the agent; empty if none was given.
    pub description: String,
    /// Current workflow state.
    pub status: String,
    /// Board phase of that state.
    pub phase: TaskPhase,
    /// Version number; every write increases it. Send it back when changing the task.
    pub version: u64,
    /// Priority; higher numbers go first.
    pub priority: i32,
    /// Labels of the task.
    pub labels: Vec<String>,
    /// How a gate reviews it.
    pub review_config: ReviewConfig,
    /// How and where it lands.
    pub merge_config: MergeConfig,
    /// Holders of its roles, by role.
    pub roles: BTreeMap<String, RoleAssignee>,
    /// By role, what the claim of its holder changes about the agent's settings.
    #[serde(default)]
    #[schema(required)]
    pub overrides: BTreeMap<String, ClaimOverrides>,
    /// The tasks that must finish first.
    pub dependencies: Vec<Uuid>,
    /// The task it is a part of.
    #[schema(required)]
    pub parent: Option<Uuid>,
    /// How it is part of its parent (SPEC T-17); `null` without a parent.
    #[serde(default)]
    #[schema(required)]
    pub subtask: Option<SubtaskInfo>,
    /// Why it needs a person; `null` while it needs none.
    #[schema(required)]
    pub error_annotation: Option<ErrorAnnotation>,
    /// Its pull request (SPEC M-16); `null` if there is none.
    #[serde(default)]
    #[schema(required)]
    pub pull_request: Option<PullRequest>,
    /// When the current content passed its gate.
    #[schema(format = DateTime, required)]
    pub review_passed_at: Option<String>,
    /// When it was archived, which hides it from lists.
    #[schema(format = DateTime, required)]
    pub archived_at: Option<String>,
    /// Handoff notes, oldest first.
    #[serde(default)]
    #[schema(required)]
    pub handoffs: Vec<HandoffView>,
    /// Messages that its agent is not known to have read yet, oldest first (SPEC T-22).
    #[serde(default)]
    #[schema(required)]
    pub messages: Vec<QueuedMessage>,
    /// The last answer of its last planner, which is part of the later prompts; `null` without a plan.
    #[serde(default)]
    #[schema(required)]
    pub plan: Option<String>,
    /// Questions that wait for an answer, oldest first (SPEC T-27).
    #[serde(default)]
    #[schema(required)]
    pub questions: Vec<Question>,
    /// The task for which Forge created it; `null` for an ordinary task.
    #[serde(default)]
    #[schema(required)]
    pub origin: Option<TaskOrigin>,
    /// How its work landed; `null` before the landing.
    #[serde(default)]
    #[schema(required)]
    pub landing: Option<LandingReport>,
    /// What the cleanup of its workspace removed (SPEC M-10); `null` while the workspace exists.
    #[serde(default)]
    #[schema(required)]
    pub cleanup: Option<CleanupReport>,
    /// The task that reverts what it landed.
    #[serde(default)]
    #[schema(required)]
    pub reverted_by: Option<Uuid>,
    /// What it is known to have broken.
    #[serde(default)]
    #[schema(required)]
    pub regression: Option<RegressionReport>,
    /// Limit for its agents (SPEC E-8); `null` for no limit.
    #[serde(default)]
    #[schema(required)]
    pub budget: Option<BudgetLimits>,
    /// Data of your own tools. `handoff` in it says where the work of the last handoff is, as do `handoffBranch`,
    /// `handoffWorktree`, `lastSessionId` and `handoffAt` in its `orchestrator`.
    #[schema(value_type = Object)]
    pub metadata: Map<String, Value>,
    /// Hash of the exact workflow definition it follows.
    pub workflow_hash: String,
    /// The current activity of the engine for it; `null` if there is none.
    #[schema(required)]
    pub busy: Option<ActivityView>,
    /// When it was created.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// When it last changed.
    #[schema(format = DateTime)]
    pub updated_at: String,
}

//! Workflows as clients see them (SPEC §2).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::TaskPhase;

/// What the engine does with a task in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StateKind {
    /// Waits for a move or a claim.
    Queue,
    /// An execution of the state's role runs.
    Work,
    /// Checks run, then the role's holder gives a verdict.
    Gate,
    /// The branch lands.
    Merge,
    /// Waits for a person.
    Hold,
    /// The task ends here.
    Terminal,
}

/// Meaning of a terminal state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeView {
    /// The work is finished.
    Success,
    /// The work was given up.
    Failure,
    /// The work was cancelled.
    Cancelled,
}

/// When Forge removes the workspace of a task that reached a terminal state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum CleanupView {
    /// Immediately at the end.
    Immediate,
    /// After a delay.
    Delayed {
        /// The delay in seconds; `null` for the server's `FORGE_WORKSPACE_CLEANUP_DELAY_SECONDS`.
        #[schema(required)]
        after_seconds: Option<u64>,
    },
}

/// Where a task can move from a state, by meaning.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StateTargets {
    /// Where a claim moves it.
    #[schema(required)]
    pub claim: Option<String>,
    /// Work: the execution succeeded.
    #[schema(required)]
    pub done: Option<String>,
    /// Work: the execution failed.
    #[schema(required)]
    pub failed: Option<String>,
    /// Gate: the attempt passed.
    #[schema(required)]
    pub pass: Option<String>,
    /// Gate: the attempt was rejected.
    #[schema(required)]
    pub reject: Option<String>,
    /// Gate: rejected `max_attempts` times. Merge: failed `max_attempts` times.
    #[schema(required)]
    pub exhausted: Option<String>,
    /// Merge: the branch landed.
    #[schema(required)]
    pub merged: Option<String>,
    /// Merge: the branch conflicts.
    #[schema(required)]
    pub conflict: Option<String>,
    /// Merge: the checks failed on the merged tree.
    #[serde(default)]
    #[schema(required)]
    pub rejected: Option<String>,
    /// Where a person may move it.
    pub manual: Vec<String>,
}

/// One state of a workflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StateView {
    /// Name of the state.
    pub name: String,
    /// What the engine does in it.
    pub kind: StateKind,
    /// The board column it belongs to.
    pub phase: TaskPhase,
    /// The role that works or reviews in it.
    #[schema(required)]
    pub role: Option<String>,
    /// Whether tasks skip it if the role has no holder.
    pub optional: bool,
    /// Whether tasks can be claimed from it.
    pub claimable: bool,
    /// Where a task can move.
    pub targets: StateTargets,
    /// Number of rejections or failed landings before `exhausted`.
    #[schema(required)]
    pub max_attempts: Option<u32>,
    /// Whether a passed task moves on without a person.
    pub auto_advance: bool,
    /// Meaning of a terminal state.
    #[schema(required)]
    pub outcome: Option<OutcomeView>,
    /// When Forge removes the workspace in a terminal state.
    #[schema(required)]
    pub cleanup: Option<CleanupView>,
}

/// A workflow with all its states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkflowView {
    /// The workflow's name.
    pub name: String,
    /// Hash of the exact definition.
    pub hash: String,
    /// Where new tasks start.
    pub initial: String,
    /// The state for tasks that need a person.
    pub fault: String,
    /// The state for cancelled tasks.
    pub cancel: String,
    /// All states, in the order of the definition.
    pub states: Vec<StateView>,
}

/// One mistake in a workflow definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkflowProblem {
    /// Position in the definition.
    pub place: String,
    /// Kind of the mistake, for programs.
    pub code: String,
    /// What is wrong and how to correct it.
    pub message: String,
}

/// The name of a built-in template, or a whole definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    untagged,
    expecting = "expected the name of a workflow template or a workflow definition object"
)]
pub enum WorkflowChoice {
    /// Name of a template.
    Template(String),
    /// A definition; the workflow check reads it and reports every mistake, including unknown names.
    #[schema(value_type = Object)]
    Inline(Map<String, Value>),
}

/// Request to replace a project's workflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReplaceWorkflow {
    /// The version of the project that the caller read.
    pub version: u64,
    /// The new workflow.
    pub workflow: WorkflowChoice,
    /// Old state → new state of the same kind, for the states that the new workflow does not have under the same
    /// name.
    #[serde(default)]
    pub mapping: BTreeMap<String, String>,
}

//! Workflows as clients see them (SPEC §2).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::Phase;

/// What the engine does with a task in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StateKind {
    /// Waits to be moved or claimed.
    Queue,
    /// An execution of the state's role runs.
    Work,
    /// Checks run, then the role's verdict is asked for.
    Gate,
    /// The branch is landed.
    Merge,
    /// Waits for a person.
    Hold,
    /// The end.
    Terminal,
}

/// What a terminal state means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The work is finished.
    Success,
    /// The work was given up.
    Failure,
    /// Somebody called it off.
    Cancelled,
}

/// When the workspace of a task that reached a terminal state is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum Cleanup {
    /// At once.
    Immediate,
    /// Later.
    Delayed {
        /// How much later; `null` for the server's `FORGE_WORKSPACE_CLEANUP_DELAY_SECONDS`.
        #[schema(required)]
        after_seconds: Option<u64>,
    },
}

/// Where a task can go from a state, by meaning.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StateTargets {
    /// Where a claim takes it.
    #[schema(required)]
    pub claim: Option<String>,
    /// Work: the execution succeeded.
    #[schema(required)]
    pub done: Option<String>,
    /// Work: the execution failed.
    #[schema(required)]
    pub failed: Option<String>,
    /// Gate: passed.
    #[schema(required)]
    pub pass: Option<String>,
    /// Gate: rejected.
    #[schema(required)]
    pub reject: Option<String>,
    /// Gate: rejected `max_attempts` times.
    #[schema(required)]
    pub exhausted: Option<String>,
    /// Merge: landed.
    #[schema(required)]
    pub merged: Option<String>,
    /// Merge: conflict.
    #[schema(required)]
    pub conflict: Option<String>,
    /// Where a person may move it.
    pub manual: Vec<String>,
}

/// One state of a workflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StateView {
    /// The state's name.
    pub name: String,
    /// What the engine does in it.
    pub kind: StateKind,
    /// Which board column it belongs to.
    pub phase: Phase,
    /// The role that works or judges here.
    #[schema(required)]
    pub role: Option<String>,
    /// Skipped when nobody holds the role.
    pub optional: bool,
    /// Tasks can be claimed from here.
    pub claimable: bool,
    /// Where a task can go.
    pub targets: StateTargets,
    /// How many rejections until `exhausted`.
    #[schema(required)]
    pub max_attempts: Option<u32>,
    /// A pass goes on without a person.
    pub auto_advance: bool,
    /// What a terminal state means.
    #[schema(required)]
    pub outcome: Option<Outcome>,
    /// When a terminal state's workspace is removed.
    #[schema(required)]
    pub cleanup: Option<Cleanup>,
}

/// A workflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkflowView {
    /// The workflow's name.
    pub name: String,
    /// Identifies the exact definition.
    pub hash: String,
    /// Where new tasks start.
    pub initial: String,
    /// Where the engine parks what needs a person.
    pub fault: String,
    /// Where cancelled tasks go.
    pub cancel: String,
    /// All states, in the order of the definition.
    pub states: Vec<StateView>,
}

/// One mistake in a workflow definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WorkflowProblem {
    /// Where in the definition.
    pub place: String,
    /// What kind of mistake, for programs.
    pub code: String,
    /// What is wrong and how to correct it.
    pub message: String,
}

/// A built-in template by name, or a whole definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    untagged,
    expecting = "expected the name of a workflow template or a workflow definition object"
)]
pub enum WorkflowChoice {
    /// A template's name.
    Template(String),
    /// A definition; the workflow check reads it and reports every mistake, unknown names included.
    #[schema(value_type = Object)]
    Inline(Map<String, Value>),
}

/// Replaces a project's workflow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReplaceWorkflow {
    /// The project's version the caller read.
    pub version: u64,
    /// The new workflow.
    pub workflow: WorkflowChoice,
    /// Old state → new state of the same kind, for the states that the new workflow does not have under the same name.
    #[serde(default)]
    pub mapping: BTreeMap<String, String>,
}

//! A workflow as a person writes it (TOML in files, JSON over the wire).

use crate::workflow::{InvalidWorkflowError, WorkflowHash};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// A definition as written and not yet validated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkflowDefinition {
    /// Name of the template.
    pub name: String,
    /// Initial state of a new task.
    pub initial: String,
    /// State in which the engine parks tasks that need a person.
    pub fault: String,
    /// State of a cancelled task.
    pub cancel: String,
    /// The states, in board order.
    #[serde(default)]
    pub state: Vec<StateDefinition>,
}

/// A state as written. The validation checks which fields its kind allows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateDefinition {
    pub name: String,
    pub kind: WorkflowStateKind,
    /// Board column (F-6); derived from the kind when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<BoardPhase>,
    /// The working or judging role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Whether the state is skipped when the role has no holder.
    #[serde(default, skip_serializing_if = "is_false")]
    pub optional: bool,
    /// Whether claims and the scheduler consider this state.
    #[serde(default, skip_serializing_if = "is_false")]
    pub claimable: bool,
    /// Target of a claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_target: Option<String>,
    /// Next state after success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<String>,
    /// Next state after a failure; the fault state when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// Next state after a pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass: Option<String>,
    /// Next state after a rejection; the fault state when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reject: Option<String>,
    /// Next state after too many rejections or failed landings; the fault state when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exhausted: Option<String>,
    /// Number of rejections, or of failed landings, that exhaust the state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_attempts: Option<u32>,
    /// Whether a pass moves the task on without a person.
    #[serde(default, skip_serializing_if = "is_false")]
    pub auto_advance: bool,
    /// Next state after a landing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<String>,
    /// Next state after a conflict; the fault state when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict: Option<String>,
    /// Next state after failed checks on the merged tree; that of `conflict` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<String>,
    /// States to which a person may move a task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub manual: Vec<String>,
    /// Outcome of a terminal state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<TerminalOutcome>,
    /// When the workspace is removed; immediate for terminal states when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleanup: Option<CleanupTiming>,
    /// The delay of a delayed cleanup; the server's setting when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleanup_seconds: Option<u64>,
}

/// Kind of a state (F-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkflowStateKind {
    /// Waits to be claimed or moved.
    Queue,
    /// Runs an execution of the role.
    Work,
    /// Runs checks, then asks the optional role for a verdict.
    Gate,
    /// Lands the branch on its target.
    Merge,
    /// Waits for a person.
    Hold,
    /// Ends the task.
    Terminal,
}

/// Board column of a state (F-6), by which clients can show any workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoardPhase {
    /// Not queued yet.
    Backlog,
    /// Waits for an agent or a person.
    Ready,
    /// An agent or a person works on it.
    Working,
    /// Being checked or landed.
    Review,
    Done,
}

/// Outcome of a terminal state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TerminalOutcome {
    /// The work has landed.
    Success,
    /// The work was given up.
    Failure,
    /// A person cancelled the task.
    Cancelled,
}

/// When a workspace is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CleanupTiming {
    /// When the state is entered.
    Immediate,
    /// After a delay.
    Delayed,
}

impl fmt::Display for WorkflowStateKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Queue => "queue",
            Self::Work => "work",
            Self::Gate => "gate",
            Self::Merge => "merge",
            Self::Hold => "hold",
            Self::Terminal => "terminal",
        })
    }
}

impl WorkflowDefinition {
    /// Reads a definition from TOML. A file that is no definition gives one problem with its line.
    pub fn from_toml(text: &str) -> Result<Self, InvalidWorkflowError> {
        toml::from_str(text).map_err(|error| InvalidWorkflowError::unreadable(text, &error))
    }

    /// Hash of the definition: equal content gives an equal hash.
    pub fn hash(&self) -> WorkflowHash {
        // The fields are hashed in the order in which the types above declare them; no map is part of it, and none may
        // be added. Serialising plain strings and enums to memory cannot fail; an empty text would only lose
        // deduplication.
        let canonical = serde_json::to_vec(self).unwrap_or_default();
        let digest = Sha256::digest(&canonical);
        WorkflowHash::new(digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

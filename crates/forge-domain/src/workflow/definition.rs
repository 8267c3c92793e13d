//! A workflow as a person writes it (TOML in files, JSON over the wire).

use super::{Invalid, WorkflowHash};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// The file as written; nothing in it has been checked yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The template's name.
    pub name: String,
    /// Where a new task starts.
    pub initial: String,
    /// Where the engine parks what needs a person.
    pub fault: String,
    /// Where a cancelled task goes.
    pub cancel: String,
    /// The states, in board order.
    #[serde(default)]
    pub state: Vec<StateDefinition>,
}

/// One state as written. Which fields belong to which kind is checked, not assumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateDefinition {
    /// Its name.
    pub name: String,
    /// What happens in it.
    pub kind: Kind,
    /// Which board column it belongs to (F-6); derived from the kind when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<Phase>,
    /// Who works or judges here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Skipped when nobody holds the role.
    #[serde(default, skip_serializing_if = "is_false")]
    pub optional: bool,
    /// Claims and the scheduler look here.
    #[serde(default, skip_serializing_if = "is_false")]
    pub claimable: bool,
    /// Where a claim leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_target: Option<String>,
    /// Work finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<String>,
    /// Work failed; the fault state when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// The gate let it through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass: Option<String>,
    /// The gate sent it back; the fault state when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reject: Option<String>,
    /// The gate sent it back too often; the fault state when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exhausted: Option<String>,
    /// How many rejections make it exhausted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_attempts: Option<u32>,
    /// A pass goes on without a person.
    #[serde(default, skip_serializing_if = "is_false")]
    pub auto_advance: bool,
    /// The branch landed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<String>,
    /// The branch does not fit; the fault state when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict: Option<String>,
    /// Where a person may move a task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub manual: Vec<String>,
    /// How a terminal state ends the task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// When the workspace goes; immediate for terminal states when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleanup: Option<Cleanup>,
    /// The delay of a delayed cleanup; the server's setting when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleanup_seconds: Option<u64>,
}

/// What a state does (F-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Waits to be claimed or moved.
    Queue,
    /// An execution of the role runs.
    Work,
    /// Checks run, then the optional role judges.
    Gate,
    /// The branch lands.
    Merge,
    /// Waits for a person.
    Hold,
    /// The end.
    Terminal,
}

/// The board column of a state (F-6): lets clients show any workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Not queued yet.
    Backlog,
    /// Waits for a worker.
    Ready,
    /// Somebody works on it.
    Working,
    /// Being checked or landed.
    Review,
    /// Over.
    Done,
}

/// How a terminal state ends a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The work is in.
    Success,
    /// The work is given up.
    Failure,
    /// A person called it off.
    Cancelled,
}

/// When a workspace is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cleanup {
    /// On arrival.
    Immediate,
    /// After a delay.
    Delayed,
}

impl fmt::Display for Kind {
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

impl Definition {
    /// Reads a definition from TOML; a file that is no definition at all is one problem with its line.
    pub fn from_toml(text: &str) -> Result<Self, Invalid> {
        toml::from_str(text).map_err(|error| Invalid::unreadable(text, &error))
    }

    /// The identity of this definition: equal content, equal hash.
    pub fn hash(&self) -> WorkflowHash {
        // The fields in the order in which the types above declare them; no map has a part in it, and none may get one.
        // Serialising plain strings and enums to memory cannot fail; an empty text would only lose deduplication.
        let canonical = serde_json::to_vec(self).unwrap_or_default();
        let digest = Sha256::digest(&canonical);
        WorkflowHash::new(digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

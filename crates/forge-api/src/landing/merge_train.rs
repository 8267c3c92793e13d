//! The merge train (SPEC M-11 to M-13).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::MergeMode;

/// How branches of a project land.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MergeSettings {
    /// Whether waiting branches are tested together, each on top of the previous ones; otherwise one at a time.
    #[serde(default)]
    pub train: bool,
    /// Maximum number of branches tested ahead; `null` for 16.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 100)]
    pub window: Option<u32>,
    /// Whether landing is paused.
    #[serde(default)]
    pub paused: bool,
    /// How Forge verifies landed commits after the push.
    #[serde(default)]
    pub verify: MergeVerify,
    /// How branches land.
    #[serde(default)]
    pub mode: MergeMode,
}

/// How Forge verifies landed commits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MergeVerify {
    /// No verification at all.
    #[default]
    Off,
    /// Forge watches GitHub's checks of the landed commit; if they fail, it creates a task to fix it.
    RemoteChecks,
}

/// The merge train of one target branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MergeTrainStatus {
    /// The target branch.
    pub target: String,
    /// The server that runs it; `null` if it is the answering one.
    #[schema(required)]
    pub node: Option<String>,
    /// How many entries are tested at once now; `null` if only the server that runs the train knows.
    #[schema(required)]
    pub window: Option<u64>,
    /// The entries, in landing order.
    pub entries: Vec<MergeTrainEntry>,
}

/// One entry of a merge train: a task that waits to land.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MergeTrainEntry {
    /// Identifier of the task.
    pub task_id: Uuid,
    /// The task's key; `null` for a task of another project.
    #[schema(required)]
    pub key: Option<String>,
    /// The task's title; `null` for a task of another project.
    #[schema(required)]
    pub title: Option<String>,
    /// State of the entry's trial.
    pub state: MergeTrainEntryState,
    /// The commit under test; `null` if there is none.
    #[schema(required)]
    pub commit: Option<String>,
}

/// State of the trial of an entry together with all entries ahead of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MergeTrainEntryState {
    /// Its trial has not started.
    Waiting,
    /// Its checks are running or about to run.
    Running,
    /// Its checks passed; it lands when it is first.
    Passed,
    /// Its checks failed; they run again when it is first, before Forge evicts it.
    Failed,
    /// It conflicts with an entry ahead of it.
    Clashes,
    /// It adds nothing to the entries ahead of it.
    Empty,
    /// Only the server that runs the train knows.
    Unknown,
}

/// Statistics of one check of a project's repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CheckRecord {
    /// The command of the check.
    pub command: String,
    /// Number of runs on trials.
    pub runs: u64,
    /// Number of runs that did not pass.
    pub failures: u64,
    /// How often it passed on a tree on which it had failed before.
    pub flips: u64,
    /// When it last gave two results on one tree.
    #[schema(format = DateTime, required)]
    pub last_flip_at: Option<String>,
    /// Until when its failures are ignored; `null` if they count.
    #[schema(format = DateTime, required)]
    pub quarantined_until: Option<String>,
}

/// Request to ignore the failures of a check for a limited time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QuarantineRequest {
    /// The command, as configured.
    #[schema(min_length = 1, max_length = 10_000)]
    pub command: String,
    /// Duration in seconds from now; 0 ends it.
    pub seconds: u64,
}

//! Landing many branches (SPEC M-11 to M-13).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::MergeMode;

/// How a project's branches land.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MergeSettings {
    /// Whether branches that wait are tried together, each on top of those before it; else one at a time.
    #[serde(default)]
    pub train: bool,
    /// How many are tried ahead at most; `null` for 16.
    #[serde(default)]
    pub window: Option<u32>,
    /// Whether nothing lands for now.
    #[serde(default)]
    pub paused: bool,
    /// What is done to know whether what landed is well where it was pushed.
    #[serde(default)]
    pub verify: MergeVerify,
    /// By what branches land.
    #[serde(default)]
    pub mode: MergeMode,
}

/// How what has landed is looked after.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MergeVerify {
    /// Not at all.
    #[default]
    Off,
    /// GitHub's checks of exactly the landed commit are watched; where they fail, a task is made that mends it.
    RemoteChecks,
}

/// Those who wait for one target branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Train {
    /// The target branch.
    pub target: String,
    /// The server that runs it; `null` for the one that answers.
    #[schema(required)]
    pub node: Option<String>,
    /// How many are tried at once now; `null` where only the server that runs it knows.
    #[schema(required)]
    pub window: Option<u64>,
    /// Who waits, in the order in which they are to land.
    pub cars: Vec<TrainCar>,
}

/// A task that waits to land.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TrainCar {
    /// The task.
    pub task_id: Uuid,
    /// How people call it; `null` for a task of another project.
    #[schema(required)]
    pub key: Option<String>,
    /// Its title; `null` for a task of another project.
    #[schema(required)]
    pub title: Option<String>,
    /// What is known of it with all before it.
    pub standing: CarStanding,
    /// The commit that is tried; `null` while none is.
    #[schema(required)]
    pub commit: Option<String>,
}

/// What is known of a task with all before it on top of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CarStanding {
    /// Nothing: its turn to be tried has not come.
    Waiting,
    /// Its checks run or are about to.
    Running,
    /// They passed; it lands when it is first.
    Passed,
    /// They failed; they run again when it is first, before it is blamed.
    Failed,
    /// It does not fit on those before it.
    Clashes,
    /// It adds nothing to those before it.
    Empty,
    /// It rides, and how it stands only the server that runs its train knows.
    Unknown,
}

/// What is known of one check of a project's repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CheckRecord {
    /// The command.
    pub command: String,
    /// How often it ran on trials.
    pub runs: u64,
    /// How often it did not pass.
    pub failures: u64,
    /// How often it passed on a tree on which it had failed.
    pub flips: u64,
    /// When it last gave two results on one tree.
    #[schema(format = DateTime, required)]
    pub last_flip_at: Option<String>,
    /// Until when nobody is blamed for its failure; `null` if somebody is.
    #[schema(format = DateTime, required)]
    pub quarantined_until: Option<String>,
}

/// A check that is not to be trusted for a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Quarantine {
    /// The command, as it is configured.
    pub command: String,
    /// For how many seconds from now; 0 ends it.
    pub seconds: u64,
}

//! The journal: saved states of a task's workspace (SPEC W-14).

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{DiffFile, DiffFormat};

/// Why Forge saved a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JournalReason {
    /// An execution ended.
    TurnEnd,
    /// An execution was stopped.
    Stop,
    /// Edits were about to be discarded.
    BeforeReset,
    /// The workspace was about to be removed.
    BeforeRemoval,
    /// The target branch was about to be merged in.
    BeforeRebase,
    /// An agent had been working for a while.
    Periodic,
    /// Another entry was about to be restored.
    BeforeRestore,
    /// The workspace did not match its record.
    Corrupted,
}

/// One saved state: all files that are not ignored, including uncommitted and untracked files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JournalEntry {
    /// Number of the entry, from 1 within the task.
    pub number: u64,
    /// Time of the entry.
    #[schema(format = DateTime)]
    pub at: String,
    /// Why Forge saved it.
    pub reason: JournalReason,
    /// The execution that was working in the workspace.
    #[schema(required)]
    pub execution_id: Option<Uuid>,
    /// The commit with the files, under `refs/forge/journal/<task>/<number>`.
    pub commit: String,
    /// The branch that was checked out; `null` for none.
    #[schema(required)]
    pub branch: Option<String>,
    /// The commit that was checked out; `null` before the first commit.
    #[schema(required)]
    pub head: Option<String>,
    /// Whether the files differ from that commit.
    pub differs: bool,
    /// Whether there were files to save; otherwise the entry holds only the commit.
    pub has_files: bool,
    /// Files that could not be read and are not in the entry.
    pub skipped: Vec<String>,
}

/// What to compare a journal entry with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JournalAgainst {
    /// From the previous entry to this one; for the first entry, from its commit.
    #[default]
    Previous,
    /// From the merge base with the target to this entry.
    Base,
    /// From this entry to the current files.
    Files,
}

/// Query of a journal diff.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct JournalDiffQuery {
    /// What to compare with.
    #[serde(default)]
    pub against: JournalAgainst,
    /// The format of the answer.
    #[serde(default)]
    pub format: DiffFormat,
}

/// The difference between a journal entry and another state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JournalDiff {
    /// Number of the entry.
    pub number: u64,
    /// What it is compared with.
    pub against: JournalAgainst,
    /// The commit or tree that the changes start from.
    pub base: String,
    /// The commit or tree that the changes end at.
    pub head: String,
    /// The changed files, ordered by path.
    pub files: Vec<DiffFile>,
    /// Whether more files changed than are listed.
    pub truncated: bool,
}

/// Request to restore a journal entry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RestoreEntry {
    /// Also move the task's branch to the entry's commit. Otherwise the branch stays and the difference is
    /// uncommitted. If the branch now starts at another commit of its target than the entry did, Forge merges the
    /// entry's change into it, so that work that landed since is not undone.
    #[serde(default)]
    pub move_branch: bool,
}

/// Answer to restoring a journal entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RestoreResponse {
    /// Number of the restored entry.
    pub number: u64,
    /// The entry with the previous files; restore it to undo this.
    #[schema(required)]
    pub saved: Option<JournalEntry>,
    /// Files that both the entry and later landed work changed. They contain both sides between git's conflict
    /// markers and cannot be committed until the markers are removed.
    #[serde(default)]
    #[schema(required)]
    pub conflicts: Vec<String>,
}

/// Request to create a task that starts with the files of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ForkEntry {
    /// Title of the new task; derived from the old title if left out.
    #[serde(default)]
    pub title: Option<String>,
}

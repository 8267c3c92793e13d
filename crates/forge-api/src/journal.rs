//! The saved states of a task's workspace (SPEC W-14).

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{DiffFile, DiffFormat};

/// Why a state was saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JournalReason {
    /// An execution ended.
    TurnEnd,
    /// An execution was stopped.
    Stop,
    /// Edits were about to be thrown away.
    BeforeReset,
    /// The workspace was about to be removed.
    BeforeRemoval,
    /// Before the target was merged in.
    BeforeRebase,
    /// An agent had worked for a while.
    Periodic,
    /// Another entry was about to be restored.
    BeforeRestore,
    /// The workspace was not what had been made.
    Corrupted,
}

/// One saved state: all files that are not ignored, uncommitted and untracked ones included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JournalEntry {
    /// Counts up from 1 within the task.
    pub number: u64,
    /// When.
    #[schema(format = DateTime)]
    pub at: String,
    /// Why.
    pub reason: JournalReason,
    /// The execution that worked there.
    #[schema(required)]
    pub execution_id: Option<Uuid>,
    /// The commit that holds the files, under `refs/forge/journal/<task>/<number>`.
    pub commit: String,
    /// The branch that was checked out; `null` if none was.
    #[schema(required)]
    pub branch: Option<String>,
    /// The commit that was checked out; `null` before the first.
    #[schema(required)]
    pub head: Option<String>,
    /// The files differ from that commit.
    pub differs: bool,
    /// There were files to save; otherwise the entry only holds the commit.
    pub has_files: bool,
    /// What could not be read, and so is not in it.
    pub skipped: Vec<String>,
}

/// What an entry is compared with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JournalAgainst {
    /// The entry before → this one; for the first, the commit it was on → this one.
    #[default]
    Previous,
    /// Where the task left its target → this one.
    Base,
    /// This one → the files as they are now.
    Files,
}

/// Which comparison, and in which form.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct JournalDiffQuery {
    /// With what.
    #[serde(default)]
    pub against: JournalAgainst,
    /// In which form.
    #[serde(default)]
    pub format: DiffFormat,
}

/// How an entry differs from something else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JournalDiff {
    /// The entry.
    pub number: u64,
    /// With what it is compared.
    pub against: JournalAgainst,
    /// The commit or tree the changes are counted from.
    pub base: String,
    /// The commit or tree they lead to.
    pub head: String,
    /// The changed files, by path.
    pub files: Vec<DiffFile>,
    /// More changed than is listed.
    pub truncated: bool,
}

/// How an entry is restored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RestoreEntry {
    /// Also moves the task's branch to the commit the entry was on. Otherwise it stays, and the difference is
    /// uncommitted.
    #[serde(default)]
    pub move_branch: bool,
}

/// The workspace has the entry's files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Restored {
    /// The entry.
    pub number: u64,
    /// The entry that holds what was there before; restore it to undo this.
    #[schema(required)]
    pub saved: Option<JournalEntry>,
}

/// A task that begins with an entry's files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ForkEntry {
    /// Its title; left out, made from the old one.
    #[serde(default)]
    pub title: Option<String>,
}

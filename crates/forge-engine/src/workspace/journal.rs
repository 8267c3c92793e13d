//! The journal of a task's workspace (W-14): written by effects, read and compared for users, pruned regularly.

use crate::command::clock::Clock;
use crate::command::errors::EngineError;
use crate::command::lookup::RecordReader;
use crate::effects::EffectError;
use crate::workspace::locate::commit_signature;
use crate::workspace::task_repos::TaskRepos;
use crate::workspace::view::workspace_summary::into_engine_error;
use forge_domain::TaskId;
use forge_domain::task::TaskSnapshot;
use forge_git::{
    DiffLimits, GitDiff, GitProgram, Journal, JournalEntry, JournalEntryMetadata, JournalPolicy,
    JournalReason, JournalWriteOutcome, ObjectId, Repo, RepoLocks, SnapshotSource, WorkspaceRoot,
};
use forge_store::{Db, tables};
use std::path::Path;
use std::sync::Arc;

/// Interval between prunings.
const PRUNE_SECONDS: u64 = 3600;
const DAY_SECONDS: i64 = 86_400;

/// What a journal entry is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EntryComparison {
    /// The preceding entry, else the commit of this entry.
    #[default]
    Previous,
    /// The commit at which the task forked from its target.
    Base,
    /// The current files.
    Files,
}

/// The differences between two trees or commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryDiff {
    /// The tree or commit that the diff starts from.
    pub old: String,
    /// The tree or commit that the diff ends at.
    pub new: String,
    pub diff: GitDiff,
}

/// The journals of workspaces: writes, lists, compares and prunes entries.
#[derive(Debug, Clone)]
pub struct WorkspaceJournals {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) git: GitProgram,
    /// Seconds between entries while an agent works.
    pub(crate) seconds: u64,
    /// How many entries of a task are kept.
    pub(crate) entries: usize,
    /// How many days entries are kept.
    pub(crate) days: u64,
    pub(crate) records: RecordReader,
    pub(crate) repo_locks: RepoLocks,
    pub(crate) repos: TaskRepos,
    pub(crate) root: WorkspaceRoot,
}

impl WorkspaceJournals {
    /// The journal entries of a task, oldest first.
    pub async fn journal_entries(
        &self,
        task: &TaskSnapshot,
    ) -> Result<Vec<JournalEntry>, EngineError> {
        let task = &*self.records.load_workspace_owner(task).await?;
        if task.workspace.is_none() && task.repo_id.is_none() {
            return Ok(Vec::new());
        }
        let repo = self.repos.open_task_repo(task).await.map_err(into_engine_error)?;
        let journal = journal_of(task.id, &repo).map_err(into_engine_error)?;
        journal.load_entries().await.map_err(|error| into_engine_error(error.into()))
    }

    /// Compares an entry with its base, its predecessor or the current files.
    pub async fn journal_diff(
        &self,
        task: &TaskSnapshot,
        number: u64,
        with: EntryComparison,
        limits: DiffLimits,
    ) -> Result<EntryDiff, EngineError> {
        let task = &*self.records.load_workspace_owner(task).await?;
        let entries = self.journal_entries(task).await?;
        let place = entries.iter().position(|entry| entry.number == number);
        let entry =
            place.and_then(|place| entries.get(place)).ok_or_else(|| entry_not_found(number))?;
        let before = place.and_then(|place| entries.get(place.checked_sub(1)?));
        let compare = async {
            let repo = self.repos.open_task_repo(task).await?;
            let (old, new) = match with {
                EntryComparison::Previous => {
                    let old = before.map(|entry| entry.tree.clone()).or(entry.head.clone());
                    (old, entry.tree.clone())
                }
                EntryComparison::Base => {
                    (self.find_fork_point(task, &repo, entry).await?, entry.tree.clone())
                }
                EntryComparison::Files => {
                    let now = match &task.workspace {
                        Some(workspace) => self.site_of(&repo, workspace).await?.tree().await?,
                        None => None,
                    };
                    (Some(entry.tree.clone()), now.unwrap_or(repo.empty_tree().await?))
                }
            };
            let old = match old {
                Some(old) => old,
                None => repo.empty_tree().await?,
            };
            let diff = repo.diff(&old, &new, limits).await?;
            Ok(EntryDiff { old: old.to_string(), new: new.to_string(), diff })
        };
        compare.await.map_err(into_engine_error)
    }

    async fn find_fork_point(
        &self,
        task: &TaskSnapshot,
        repo: &Repo,
        entry: &JournalEntry,
    ) -> Result<Option<ObjectId>, EffectError> {
        let (_, tip) = self.repos.load_target(task, repo).await?;
        match &entry.head {
            Some(head) => Ok(Some(repo.merge_base(&tip, head).await?.unwrap_or(tip))),
            None => Ok(Some(tip)),
        }
    }

    /// The metadata of a new entry.
    pub(crate) fn journal_note(
        &self,
        reason: JournalReason,
        execution: Option<String>,
    ) -> Result<JournalEntryMetadata, EffectError> {
        let signature = commit_signature("Forge", self.clock.now().millis())?;
        Ok(JournalEntryMetadata { reason, execution, signature })
    }

    /// Writes an entry into a task's journal.
    pub(crate) async fn write_entry(
        &self,
        task: TaskId,
        site: &SnapshotSource,
        reason: JournalReason,
        execution: Option<String>,
    ) -> Result<JournalWriteOutcome, EffectError> {
        let journal = journal_of(task, site.repo())?;
        let note = self.journal_note(reason, execution)?;
        Ok(journal.save_workspace(&self.repo_locks, site, &note).await?)
    }

    /// Prunes regularly while the engine runs.
    pub(crate) async fn prune_journals_regularly(&self) {
        loop {
            self.clock.wait_until(self.clock.now().plus_seconds(PRUNE_SECONDS)).await;
            match self.prune_journals().await {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "pruned journal entries"),
                Err(error) => tracing::warn!(%error, "could not prune journals"),
            }
        }
    }

    /// Deletes expired entries in all repositories and returns their number. The newest entry of each task stays.
    pub async fn prune_journals(&self) -> Result<usize, EngineError> {
        let days = i64::try_from(self.days).unwrap_or(i64::MAX);
        let since =
            (self.clock.now().millis() / 1000).saturating_sub(days.saturating_mul(DAY_SECONDS));
        let policy = JournalPolicy { entries: self.entries.max(1), since };
        let mut count = 0;
        for row in tables::repos::list_all(&self.db).await? {
            let Some(path) = row.path else { continue };
            let pruned = async {
                let repo = Repo::open(&self.git, Path::new(&path)).await?;
                let locked = self.repo_locks.acquire(&repo).await?;
                locked.drop_journal_locks().await?;
                Ok::<_, EffectError>(locked.prune_journals(policy).await?)
            };
            match pruned.await {
                Ok(pruned) => count += pruned,
                // An unavailable repository, for example on an unmounted disk, must not block the others.
                Err(failure) => {
                    let error = into_engine_error(failure);
                    tracing::warn!(path, %error, "could not prune the journals of a repository");
                }
            }
        }
        Ok(count)
    }
}

/// The journal of a task.
pub(crate) fn journal_of(task: TaskId, repo: &Repo) -> Result<Journal, EffectError> {
    Journal::for_task(repo, &task.to_string())
        .map_err(|error| EffectError::workspace(error.to_string()))
}

pub(crate) fn entry_not_found(number: u64) -> EngineError {
    EngineError::NotFound { noun: "journal entry", id: number.to_string() }
}

//! The journal of a task's workspace (W-14): written by steps, read and compared for people, pruned now and then.

use crate::effects::Failure;
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::inspect::unreadable;
use forge_domain::TaskId;
use forge_domain::task::Snapshot;
use forge_git::{
    Diff, DiffLimits, Journal, JournalEntry, JournalNote, JournalPolicy, JournalReason, ObjectId,
    Recorded, Repo, Site,
};
use forge_store::tables;
use std::path::Path;

/// How often journals are pruned.
const PRUNE_SECONDS: u64 = 3600;
const DAY_SECONDS: i64 = 86_400;

/// What an entry is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compared {
    /// The entry before; where there is none, the commit that this one was on.
    #[default]
    Previous,
    /// The commit where the task left its target.
    Base,
    /// The files as they are now.
    Files,
}

/// What differs, and between which trees or commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryDiff {
    /// Counted from here.
    pub old: String,
    /// To here.
    pub new: String,
    /// The changes.
    pub diff: Diff,
}

impl Engine {
    /// The saved states of a task's workspace, oldest first.
    pub async fn journal_entries(&self, task: &Snapshot) -> Result<Vec<JournalEntry>, EngineError> {
        let task = &*self.host_of(task).await?;
        if task.workspace.is_none() && task.repo_id.is_none() {
            return Ok(Vec::new());
        }
        let repo = self.repo_of(task).await.map_err(unreadable)?;
        let journal = self.journal_of(task.id, &repo).map_err(unreadable)?;
        journal.load_entries().await.map_err(|error| unreadable(error.into()))
    }

    /// What an entry changed, or what has changed since.
    pub async fn journal_diff(
        &self,
        task: &Snapshot,
        number: u64,
        with: Compared,
        limits: DiffLimits,
    ) -> Result<EntryDiff, EngineError> {
        let task = &*self.host_of(task).await?;
        let entries = self.journal_entries(task).await?;
        let place = entries.iter().position(|entry| entry.number == number);
        let entry = place.and_then(|place| entries.get(place)).ok_or_else(|| missing(number))?;
        let before = place.and_then(|place| entries.get(place.checked_sub(1)?));
        let compare = async {
            let repo = self.repo_of(task).await?;
            let (old, new) = match with {
                Compared::Previous => {
                    let old = before.map(|entry| entry.tree.clone()).or(entry.head.clone());
                    (old, entry.tree.clone())
                }
                Compared::Base => {
                    (self.left_target_at(task, &repo, entry).await?, entry.tree.clone())
                }
                Compared::Files => {
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
        compare.await.map_err(unreadable)
    }

    async fn left_target_at(
        &self,
        task: &Snapshot,
        repo: &Repo,
        entry: &JournalEntry,
    ) -> Result<Option<ObjectId>, Failure> {
        let (_, tip) = self.target_of(task, repo).await?;
        match &entry.head {
            Some(head) => Ok(Some(repo.merge_base(&tip, head).await?.unwrap_or(tip))),
            None => Ok(Some(tip)),
        }
    }

    /// The journal of a task.
    pub(crate) fn journal_of(&self, task: TaskId, repo: &Repo) -> Result<Journal, Failure> {
        Journal::of(repo, &task.to_string()).map_err(|error| Failure::workspace(error.to_string()))
    }

    /// What is said about an entry that is written now.
    pub(crate) fn journal_note(
        &self,
        reason: JournalReason,
        execution: Option<String>,
    ) -> Result<JournalNote, Failure> {
        let signature = self.signature("Forge", self.now().millis())?;
        Ok(JournalNote { reason, execution, signature })
    }

    /// Writes the state of a place into a task's journal.
    pub(crate) async fn write_entry(
        &self,
        task: TaskId,
        site: &Site,
        reason: JournalReason,
        execution: Option<String>,
    ) -> Result<Recorded, Failure> {
        let journal = self.journal_of(task, site.repo())?;
        let note = self.journal_note(reason, execution)?;
        Ok(journal.record(&self.0.repo_locks, site, &note).await?)
    }

    /// Prunes at a slow pace, for as long as the engine runs.
    pub(crate) async fn tend_journals(&self) {
        loop {
            self.0.clock.wait_until(self.0.clock.now().plus_seconds(PRUNE_SECONDS)).await;
            match self.prune_journals().await {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "pruned journal entries"),
                Err(error) => tracing::warn!(%error, "journals could not be pruned"),
            }
        }
    }

    /// Forgets the entries that the settings do not keep, in all repositories: how many. The newest of a task stays.
    pub async fn prune_journals(&self) -> Result<usize, EngineError> {
        let limits = &self.0.limits;
        let days = i64::try_from(limits.journal_days).unwrap_or(i64::MAX);
        let since = (self.now().millis() / 1000).saturating_sub(days.saturating_mul(DAY_SECONDS));
        let policy = JournalPolicy { entries: limits.journal_entries.max(1), since };
        let mut count = 0;
        for row in tables::repos::list_all(self.db()).await? {
            let Some(path) = row.path else { continue };
            let pruned = async {
                let repo = Repo::open(&self.0.git, Path::new(&path)).await?;
                let locked = self.0.repo_locks.acquire(&repo).await?;
                Ok::<_, Failure>(locked.prune_journals(policy).await?)
            };
            match pruned.await {
                Ok(pruned) => count += pruned,
                // One that is away, on a disk not mounted for instance, must not keep the others from it.
                Err(failure) => {
                    let error = unreadable(failure);
                    tracing::warn!(path, %error, "the journals of a repository were not pruned");
                }
            }
        }
        Ok(count)
    }
}

pub(crate) fn missing(number: u64) -> EngineError {
    EngineError::NotFound { noun: "journal entry", id: number.to_string() }
}

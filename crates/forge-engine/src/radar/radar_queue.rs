//! The queue of branches that may have moved since the last radar pass.

use forge_domain::task::TaskSnapshot;
use forge_domain::{RecordedEvent, RepoId, TaskEvent, TaskId};
use forge_git::PairResultCache;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use tokio::sync::Notify;

/// How many merge results are cached: enough for a repository with two hundred branches.
const MEMORY: usize = 20_000;

/// Filled cheaply by every command that moves a branch, drained by the radar.
#[derive(Debug)]
pub(crate) struct RadarQueue {
    moved: Mutex<BTreeMap<RepoId, BTreeSet<TaskId>>>,
    pub(crate) wake: Notify,
    /// Held during a pass, so that one runs at a time.
    pub(crate) memory: tokio::sync::Mutex<PairResultCache>,
}

impl Default for RadarQueue {
    fn default() -> Self {
        Self {
            moved: Mutex::default(),
            wake: Notify::new(),
            memory: tokio::sync::Mutex::new(PairResultCache::new(MEMORY)),
        }
    }
}

impl RadarQueue {
    /// Queues a task whose branch may have moved.
    pub(crate) fn add(&self, task: &TaskSnapshot) {
        if let (Some(repo), Some(_)) = (task.repo_id, &task.workspace) {
            self.add_all(repo, [task.id]);
            self.wake.notify_one();
        }
    }

    pub(crate) fn add_all(&self, repo: RepoId, tasks: impl IntoIterator<Item = TaskId>) {
        let mut moved = self.moved.lock().unwrap_or_else(PoisonError::into_inner);
        moved.entry(repo).or_default().extend(tasks);
    }

    pub(crate) fn take(&self) -> BTreeMap<RepoId, BTreeSet<TaskId>> {
        std::mem::take(&mut *self.moved.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Whether the events may have moved a task's branch or the saved state on top of it.
pub(crate) fn moves_a_branch(events: &[RecordedEvent]) -> bool {
    events.iter().any(|recorded| {
        matches!(
            recorded.event,
            TaskEvent::TaskTransitioned { .. }
                | TaskEvent::TaskAdopted { .. }
                | TaskEvent::TaskArchived
                | TaskEvent::TaskUnarchived
                | TaskEvent::ExecutionFinished { .. }
                | TaskEvent::WorkspaceRebased { .. }
                | TaskEvent::WorkspaceInverted { .. }
                | TaskEvent::ReviewChecked { .. }
                | TaskEvent::MergeFinished { .. }
                | TaskEvent::WorkspaceCreated { .. }
                | TaskEvent::WorkspaceCleaned { .. }
                | TaskEvent::WorkspaceReset
                | TaskEvent::WorkspaceRecovered
                | TaskEvent::WorkspaceRestored { .. }
                | TaskEvent::JournalRecorded { .. }
        )
    })
}

//! Whose branch may have moved since the radar last looked.

use forge_domain::task::Snapshot;
use forge_domain::{Event, Recorded, RepoId, TaskId};
use forge_git::MeetingMemory;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use tokio::sync::Notify;

/// How many merges are remembered: all of a repository with two hundred branches.
const MEMORY: usize = 20_000;

/// Noted by whoever moves a branch, which costs them nothing; taken by whoever looks.
#[derive(Debug)]
pub(crate) struct Notices {
    moved: Mutex<BTreeMap<RepoId, BTreeSet<TaskId>>>,
    pub(super) news: Notify,
    /// One looks at a time.
    pub(super) memory: tokio::sync::Mutex<MeetingMemory>,
}

impl Default for Notices {
    fn default() -> Self {
        Self {
            moved: Mutex::default(),
            news: Notify::new(),
            memory: tokio::sync::Mutex::new(MeetingMemory::new(MEMORY)),
        }
    }
}

impl Notices {
    /// A task's branch may have moved.
    pub(crate) fn add(&self, task: &Snapshot) {
        if let (Some(repo), Some(_)) = (task.repo_id, &task.workspace) {
            self.add_all(repo, [task.id]);
            self.news.notify_one();
        }
    }

    pub(super) fn add_all(&self, repo: RepoId, tasks: impl IntoIterator<Item = TaskId>) {
        let mut moved = self.moved.lock().unwrap_or_else(PoisonError::into_inner);
        moved.entry(repo).or_default().extend(tasks);
    }

    pub(super) fn take(&self) -> BTreeMap<RepoId, BTreeSet<TaskId>> {
        std::mem::take(&mut *self.moved.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Whether something happened after which a task's branch, or what is saved on top of it, can be another one.
pub(crate) fn moves_a_branch(events: &[Recorded]) -> bool {
    events.iter().any(|recorded| {
        matches!(
            recorded.event,
            Event::TaskTransitioned { .. }
                | Event::TaskAdopted { .. }
                | Event::TaskArchived
                | Event::TaskUnarchived
                | Event::ExecutionFinished { .. }
                | Event::WorkspaceRebased { .. }
                | Event::WorkspaceInverted { .. }
                | Event::ReviewChecked { .. }
                | Event::MergeFinished { .. }
                | Event::WorkspaceCreated { .. }
                | Event::WorkspaceCleaned { .. }
                | Event::WorkspaceReset
                | Event::WorkspaceRecovered
                | Event::WorkspaceRestored { .. }
                | Event::JournalRecorded { .. }
        )
    })
}

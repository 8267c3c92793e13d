//! A task's changes as they happen (W-16).

use crate::compare::{DiffSource, TaskDiff};
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::inspect::unreadable;
use forge_domain::TaskId;
use forge_domain::task::Snapshot;
use forge_git::{DiffLimits, DiffScope};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// Long enough to gather what one save writes, short enough to feel immediate.
const GATHER: Duration = Duration::from_millis(100);
/// A worktree that takes long to compare is compared less often.
const SLOWEST: Duration = Duration::from_secs(2);

/// Tells whenever a task's changes change.
#[derive(Debug)]
pub struct DiffFollower {
    engine: Engine,
    task: TaskId,
    scope: DiffScope,
    changes: Option<watch::Receiver<u64>>,
    told: Option<TaskDiff>,
    ended: bool,
    pace: Duration,
}

/// One state of a task's changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffNews {
    /// The changes.
    pub diff: TaskDiff,
    /// More is told when they change. Not so once they have landed, and where there are more directories than the
    /// system can watch.
    pub live: bool,
}

impl Engine {
    /// Follows a task's changes.
    pub fn follow_diff(&self, task: TaskId, scope: DiffScope) -> DiffFollower {
        let engine = self.clone();
        let (changes, told, ended) = (None, None, false);
        DiffFollower { engine, task, scope, changes, told, ended, pace: GATHER }
    }

    async fn follow_worktree(
        &self,
        task: &Snapshot,
    ) -> Result<Option<watch::Receiver<u64>>, EngineError> {
        let task = &*self.host_of(task).await?;
        let Some(recorded) = &task.workspace else { return Ok(None) };
        match self.seen_worktree(task, None, recorded).await.map_err(unreadable)? {
            Some((worktree, _)) => Ok(self.0.looks.sights.follow(&worktree).await),
            None => Ok(None),
        }
    }
}

impl DiffFollower {
    /// The next state: at once the first time, and then when it is another one. `None` when the workspace is gone or
    /// cannot be read any more.
    pub async fn next(&mut self) -> Option<DiffNews> {
        while !self.ended {
            if self.told.is_some() {
                self.wait().await;
            }
            match self.look().await {
                Ok(Some(news)) => return Some(news),
                Ok(None) => {}
                Err(error) => {
                    tracing::debug!(task = %self.task, %error, "a diff is not followed any more");
                    self.ended = true;
                }
            }
        }
        None
    }

    async fn wait(&mut self) {
        let told = match &mut self.changes {
            Some(changes) => changes.changed().await.is_ok(),
            // It is not watched: nothing more is told until the client goes.
            None => std::future::pending().await,
        };
        if told {
            // Writes come in bursts, and nothing says which is the last.
            tokio::time::timeout(self.pace, std::future::pending::<()>()).await.ok();
        } else {
            self.changes = None;
        }
    }

    async fn look(&mut self) -> Result<Option<DiffNews>, EngineError> {
        let task = self.engine.task(self.task).await?;
        if self.changes.is_none() {
            self.changes = self.engine.follow_worktree(&task).await?;
        }
        if let Some(changes) = &mut self.changes {
            changes.borrow_and_update();
        }
        let begun = Instant::now();
        let diff = self.engine.diff(&task, self.scope, DiffLimits::default()).await?;
        self.pace = begun.elapsed().clamp(GATHER, SLOWEST);
        self.ended = diff.source != DiffSource::Workspace;
        if self.told.as_ref() == Some(&diff) {
            return Ok(None);
        }
        self.told = Some(diff.clone());
        Ok(Some(DiffNews { live: self.changes.is_some() && !self.ended, diff }))
    }
}

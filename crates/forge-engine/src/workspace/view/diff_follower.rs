//! Live updates of a task's diff (W-16).

use crate::command::errors::EngineError;
use crate::workspace::view::task_diff::{TaskDiff, TaskDiffSource};
use crate::workspace::view::workspace_summary::{WorkspaceViews, into_engine_error};
use forge_domain::TaskId;
use forge_domain::task::TaskSnapshot;
use forge_git::{DiffLimits, DiffScope};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// Long enough to collect the writes of one save, short enough to feel immediate.
const GATHER: Duration = Duration::from_millis(100);
/// Upper bound of the pause between comparisons of a slow worktree.
const SLOWEST: Duration = Duration::from_secs(2);

/// Streams a task's diff whenever it changes.
#[derive(Debug)]
pub struct TaskDiffFollower {
    views: WorkspaceViews,
    task: TaskId,
    scope: DiffScope,
    changes: Option<watch::Receiver<u64>>,
    last_sent: Option<TaskDiff>,
    ended: bool,
    pace: Duration,
}

/// One state of a task's diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskDiffUpdate {
    pub diff: TaskDiff,
    /// Whether updates follow. False once the task has landed, or if the directories exceed the system's watch limit.
    pub live: bool,
}

impl WorkspaceViews {
    /// Follows a task's diff.
    pub fn follow_diff(&self, task: TaskId, scope: DiffScope) -> TaskDiffFollower {
        TaskDiffFollower {
            views: self.clone(),
            task,
            scope,
            changes: None,
            last_sent: None,
            ended: false,
            pace: GATHER,
        }
    }

    async fn follow_worktree(
        &self,
        task: &TaskSnapshot,
    ) -> Result<Option<watch::Receiver<u64>>, EngineError> {
        let task = &*self.records.load_workspace_owner(task).await?;
        let Some(recorded) = &task.workspace else { return Ok(None) };
        match self.load_cached_worktree(task, None, recorded).await.map_err(into_engine_error)? {
            Some((worktree, _)) => Ok(self.read_cache.sights.subscribe(&worktree).await),
            None => Ok(None),
        }
    }
}

impl TaskDiffFollower {
    /// The next state: immediately the first time, then at each change. `None` if the workspace is gone or unreadable.
    pub async fn next(&mut self) -> Option<TaskDiffUpdate> {
        while !self.ended {
            if self.last_sent.is_some() {
                self.wait_for_change().await;
            }
            match self.poll_diff().await {
                Ok(Some(news)) => return Some(news),
                Ok(None) => {}
                Err(error) => {
                    tracing::debug!(task = %self.task, %error, "stopped following a diff");
                    self.ended = true;
                }
            }
        }
        None
    }

    async fn wait_for_change(&mut self) {
        let told = match &mut self.changes {
            Some(changes) => changes.changed().await.is_ok(),
            // Without a watch no update follows until the client disconnects.
            None => std::future::pending().await,
        };
        if told {
            // Writes come in bursts without a sign of the last.
            tokio::time::timeout(self.pace, std::future::pending::<()>()).await.ok();
        } else {
            self.changes = None;
        }
    }

    async fn poll_diff(&mut self) -> Result<Option<TaskDiffUpdate>, EngineError> {
        let task = self.views.records.task(self.task).await?;
        if self.changes.is_none() {
            self.changes = self.views.follow_worktree(&task).await?;
        }
        if let Some(changes) = &mut self.changes {
            changes.borrow_and_update();
        }
        let begun = Instant::now();
        let diff = self.views.diff(&task, self.scope, DiffLimits::default()).await?;
        self.pace = begun.elapsed().clamp(GATHER, SLOWEST);
        self.ended = diff.source != TaskDiffSource::Workspace;
        if self.last_sent.as_ref() == Some(&diff) {
            return Ok(None);
        }
        self.last_sent = Some(diff.clone());
        Ok(Some(TaskDiffUpdate { live: self.changes.is_some() && !self.ended, diff }))
    }
}

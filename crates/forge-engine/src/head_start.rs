//! Files of a worktree that are begun while the claim that needs them is still being decided (W-15): a decision waits for
//! the disk, and meanwhile the processors have nothing to do. A claim that is refused leaves nothing of it.

use crate::effects::Failure;
use crate::engine::Engine;
use forge_domain::TaskId;
use forge_git::Draft;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::JoinHandle;

/// What was begun, by task.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeadStarts(Arc<Mutex<HashMap<TaskId, JoinHandle<Option<Draft>>>>>);

/// A head start whose claim is not decided yet; it ends with this value unless the claim was granted.
#[derive(Debug)]
pub(crate) struct HeadStart {
    starts: HeadStarts,
    task: TaskId,
    granted: bool,
}

impl HeadStarts {
    /// What was begun for a task, for whoever makes its worktree.
    pub(crate) async fn take(&self, task: TaskId) -> Option<Draft> {
        let begun = self.all().remove(&task)?;
        begun.await.ok().flatten()
    }

    /// Ends what was begun for a task and is not wanted.
    pub(crate) fn end(&self, task: TaskId) {
        self.all().remove(&task);
    }

    /// Ends everything.
    pub(crate) fn end_all(&self) {
        self.all().clear();
    }

    fn all(&self) -> MutexGuard<'_, HashMap<TaskId, JoinHandle<Option<Draft>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeadStart {
    /// The claim was granted, and the step that makes the worktree is going to be begun here.
    pub(crate) fn grant(mut self) {
        self.granted = true;
    }
}

impl Drop for HeadStart {
    fn drop(&mut self) {
        if !self.granted {
            self.starts.end(self.task);
        }
    }
}

impl Engine {
    /// Begins the files of a task's worktree, unless somebody else's claim of the same task did.
    pub(crate) fn begin_files(&self, task: TaskId) -> Option<HeadStart> {
        let starts = self.0.head_starts.clone();
        let mut all = starts.all();
        if all.contains_key(&task) {
            return None;
        }
        let engine = self.clone();
        let begun = async move { engine.draft_of(task).await.ok().flatten() };
        all.insert(task, self.0.tasks.spawn(begun));
        drop(all);
        Some(HeadStart { starts, task, granted: false })
    }

    /// None where there is nothing to gain: a worktree is there or waits, or where it starts is to be fetched first.
    async fn draft_of(&self, task: TaskId) -> Result<Option<Draft>, Failure> {
        let task = self.task(task).await?;
        if task.workspace.is_some() || task.run.is_some() || task.turn().is_some() {
            return Ok(None);
        }
        let (row, project) = tokio::try_join!(self.repo_row(&task), async {
            Ok(self.project(task.project_id).await?)
        })?;
        if row.url.is_some() || self.directory_of(&project)?.is_some() {
            return Ok(None);
        }
        let repo = self.repo_of(&task).await?;
        let waiting = self.pool_of(&repo, &project)?.is_some_and(|pool| !pool.ready().is_empty());
        if waiting || self.given_base(&task, &repo).await?.is_some() {
            return Ok(None);
        }
        let (_, tip) = self.target_of(&task, &repo).await?;
        Ok(Some(Draft::begin(&repo, &self.0.root, tip)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(starts: &HeadStarts, task: TaskId) -> HeadStart {
        starts.all().insert(task, tokio::spawn(async { None }));
        HeadStart { starts: starts.clone(), task, granted: false }
    }

    #[tokio::test]
    async fn w_15_a_head_start_ends_with_its_claim_unless_that_is_granted() {
        let (starts, task) = (HeadStarts::default(), TaskId::new(uuid::Uuid::from_u128(1)));
        drop(begun(&starts, task));
        assert!(starts.all().is_empty(), "refused");
        begun(&starts, task).grant();
        assert!(starts.all().contains_key(&task), "granted, and not taken yet");
        starts.take(task).await;
        assert!(starts.all().is_empty(), "taken");
        begun(&starts, task).grant();
        starts.end(task);
        assert!(starts.all().is_empty(), "the step came to nothing");
        begun(&starts, task).grant();
        starts.end_all();
        assert!(starts.all().is_empty(), "the server ends");
    }
}

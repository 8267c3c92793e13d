//! What a task changed (W-16): in its workspace while there is one, and what became of it afterwards.

use crate::effects::{Failure, LandingIntent};
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::inspect::unreadable;
use forge_domain::task::{Snapshot, Workspace, WorkspaceStatus};
use forge_domain::{Effect, Refusal};
use forge_git::{BranchName, Diff, DiffLimits, DiffScope, ObjectId, RefName, Repo, VerifyError};
use forge_store::tables;

/// What a task changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskDiff {
    /// Where the changes are.
    pub source: DiffSource,
    /// The commit the changes are counted from.
    pub base: String,
    /// The commit they lead to; none when that is the working tree.
    pub head: Option<String>,
    /// The changes.
    pub diff: Diff,
}

/// Where a task's changes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiffSource {
    /// In its workspace.
    Workspace,
    /// On the target branch: they landed.
    Landed,
    /// On its branch, or where the branch was put when it was done with.
    Branch,
}

impl Engine {
    /// What the task changed, counted from where it left its target; once the workspace is gone, what landed.
    pub async fn diff(
        &self,
        task: &Snapshot,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<TaskDiff, EngineError> {
        let missing = || EngineError::from(Refusal::WorkspaceMissing { key: task.key() });
        let task = &*self.host_of(task).await?;
        let recorded = task.workspace.as_ref().ok_or_else(missing)?;
        if recorded.is_plain() {
            return Err(EngineError::NotAGitWorkspace);
        }
        let compared = match recorded.status {
            WorkspaceStatus::Ready => self.compare(task, recorded, scope, limits).await,
            WorkspaceStatus::Cleaned => self.compare_left(task, recorded, scope, limits).await,
            WorkspaceStatus::Error => Ok(None),
        };
        compared.map_err(unreadable)?.ok_or_else(missing)
    }

    async fn compare(
        &self,
        task: &Snapshot,
        recorded: &Workspace,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<Option<TaskDiff>, Failure> {
        let Some((worktree, tip)) = self.seen_worktree(task, None, recorded).await? else {
            return Ok(None);
        };
        let found = self.0.looks.sights.diff(&worktree, &tip, scope, limits).await;
        let found = found.map_err(|error| match error {
            VerifyError::Git(error) => Failure::from(error),
            corrupt @ VerifyError::Corrupt(_) => corrupt.into(),
        })?;
        Ok(Some(TaskDiff {
            source: DiffSource::Workspace,
            base: found.base.to_string(),
            head: (scope == DiffScope::Branch).then(|| found.head.to_string()),
            diff: found.diff.clone(),
        }))
    }

    /// The changes of a task whose workspace was removed.
    async fn compare_left(
        &self,
        task: &Snapshot,
        recorded: &Workspace,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<Option<TaskDiff>, Failure> {
        let (repo, _, tip) = self.seen_target(task, None).await?;
        let found = match self.landed(task, &repo, &tip).await? {
            Some((base, head)) => Some((DiffSource::Landed, base, head)),
            None => self.left(task, recorded, &repo, &tip).await?,
        };
        let Some((source, base, head)) = found else { return Ok(None) };
        let diff = match scope {
            DiffScope::Uncommitted => Diff::default(),
            DiffScope::Branch | DiffScope::All => repo.diff(&base, &head, limits).await?,
        };
        let base = if scope == DiffScope::Uncommitted { &head } else { &base };
        Ok(Some(TaskDiff { source, base: base.to_string(), head: Some(head.to_string()), diff }))
    }

    /// Between which commits of the target the task landed last.
    async fn landed(
        &self,
        task: &Snapshot,
        repo: &Repo,
        tip: &ObjectId,
    ) -> Result<Option<(ObjectId, ObjectId)>, Failure> {
        let steps = tables::effects::list_of_task(self.db(), task.id).await?;
        let landings =
            steps.into_iter().rev().filter(|step| matches!(step.effect, Effect::Land { .. }));
        for step in landings {
            let intent = step.journal.and_then(|text| serde_json::from_str(&text).ok());
            let Some(LandingIntent { old, new, .. }) = intent else { continue };
            let (Ok(old), Ok(new)) = (ObjectId::new(old), ObjectId::new(new)) else { continue };
            // It was only about to land, unless the target has it.
            if repo.is_ancestor(&new, tip).await.unwrap_or(false) {
                return Ok(Some((old, new)));
            }
        }
        Ok(None)
    }

    /// The branch as it was left, or where its commits were put.
    async fn left(
        &self,
        task: &Snapshot,
        recorded: &Workspace,
        repo: &Repo,
        target: &ObjectId,
    ) -> Result<Option<(DiffSource, ObjectId, ObjectId)>, Failure> {
        let broken = |error: String| Failure::workspace(error);
        let branch = BranchName::new(recorded.branch.clone());
        let branch = branch.map_err(|error| broken(error.to_string()))?;
        let archive = RefName::new(format!("refs/forge/archive/{}", task.id));
        let archive = archive.map_err(|error| broken(error.to_string()))?;
        let head = match repo.tip(&branch).await? {
            Some(head) => Some(head),
            // The names of steps are in the order of time.
            None => repo.refs_below(&archive).await?.pop().map(|(_, head)| head),
        };
        let Some(head) = head else { return Ok(None) };
        let base = repo.merge_base(target, &head).await?.unwrap_or_else(|| target.clone());
        Ok(Some((DiffSource::Branch, base, head)))
    }
}

//! The diff of a task (W-16): from its workspace while there is one, later from what landed or from its branch.

use crate::command::errors::EngineError;
use crate::effects::EffectError;
use crate::landing::land::LandingIntent;
use crate::landing::reverted_landings::deleted_landings;
use crate::workspace::view::workspace_summary::{WorkspaceViews, into_engine_error};
use forge_domain::task::{TaskSnapshot, Workspace, WorkspaceStatus};
use forge_domain::{Effect, Refusal};
use forge_git::{
    BranchName, DiffLimits, DiffScope, GitDiff, ObjectId, RefName, Repo, WorktreeVerifyError,
};
use forge_store::tables;

/// The diff of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskDiff {
    pub source: TaskDiffSource,
    /// The commit that the diff starts from.
    pub base: String,
    /// The commit that the diff ends at; `None` for the working tree.
    pub head: Option<String>,
    pub diff: GitDiff,
    /// Files that other tasks landed while this task was in progress, and that it would delete.
    pub deletes_landed: Vec<String>,
}

/// Where a task's changes are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaskDiffSource {
    /// The task's workspace.
    Workspace,
    /// The target branch, after the task landed.
    Landed,
    /// The task's branch, or the archive ref of a retired branch.
    Branch,
}

impl WorkspaceViews {
    /// Returns the task's changes since it forked from its target; after the workspace is removed, what landed.
    pub async fn diff(
        &self,
        task: &TaskSnapshot,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<TaskDiff, EngineError> {
        let missing = || EngineError::from(Refusal::WorkspaceMissing { key: task.key() });
        let task = &*self.records.load_workspace_owner(task).await?;
        let recorded = task.workspace.as_ref().ok_or_else(missing)?;
        if recorded.is_plain() {
            return Err(EngineError::NotAGitWorkspace);
        }
        let compared = match recorded.status {
            WorkspaceStatus::Ready => self.diff_workspace(task, recorded, scope, limits).await,
            WorkspaceStatus::Cleaned => {
                self.diff_removed_workspace(task, recorded, scope, limits).await
            }
            WorkspaceStatus::Error => Ok(None),
        };
        compared.map_err(into_engine_error)?.ok_or_else(missing)
    }

    async fn diff_workspace(
        &self,
        task: &TaskSnapshot,
        recorded: &Workspace,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<Option<TaskDiff>, EffectError> {
        let Some((worktree, tip)) = self.load_cached_worktree(task, None, recorded).await? else {
            return Ok(None);
        };
        let found = self.read_cache.sights.diff(&worktree, &tip, scope, limits).await;
        let found = found.map_err(|error| match error {
            WorktreeVerifyError::Git(error) => EffectError::from(error),
            corrupt @ WorktreeVerifyError::Corrupt(_) => corrupt.into(),
        })?;
        let deletes_landed = match scope {
            DiffScope::Uncommitted => Vec::new(),
            DiffScope::Branch | DiffScope::All => {
                deleted_landings(&self.db, task, worktree.repo(), &found.base, &found.diff).await?
            }
        };
        Ok(Some(TaskDiff {
            source: TaskDiffSource::Workspace,
            base: found.base.to_string(),
            head: (scope == DiffScope::Branch).then(|| found.head.to_string()),
            diff: found.diff.clone(),
            deletes_landed,
        }))
    }

    /// Returns the changes of a task whose workspace was removed.
    async fn diff_removed_workspace(
        &self,
        task: &TaskSnapshot,
        recorded: &Workspace,
        scope: DiffScope,
        limits: DiffLimits,
    ) -> Result<Option<TaskDiff>, EffectError> {
        let (repo, _, tip) = self.load_cached_target(task, None).await?;
        let found = match self.find_landed_range(task, &repo, &tip).await? {
            Some((base, head)) => Some((TaskDiffSource::Landed, base, head)),
            None => self.find_branch_range(task, recorded, &repo, &tip).await?,
        };
        let Some((source, base, head)) = found else { return Ok(None) };
        let diff = match scope {
            DiffScope::Uncommitted => GitDiff::default(),
            DiffScope::Branch | DiffScope::All => repo.diff(&base, &head, limits).await?,
        };
        let base = if scope == DiffScope::Uncommitted { &head } else { &base };
        let (base, head) = (base.to_string(), Some(head.to_string()));
        Ok(Some(TaskDiff { source, base, head, diff, deletes_landed: Vec::new() }))
    }

    /// The target commits before and after the task's last landing.
    async fn find_landed_range(
        &self,
        task: &TaskSnapshot,
        repo: &Repo,
        tip: &ObjectId,
    ) -> Result<Option<(ObjectId, ObjectId)>, EffectError> {
        let steps = tables::effects::list_of_task(&self.db, task.id).await?;
        let landings =
            steps.into_iter().rev().filter(|step| matches!(step.effect, Effect::Land { .. }));
        for step in landings {
            let intent = step.journal.and_then(|text| serde_json::from_str(&text).ok());
            let Some(LandingIntent { old, new, .. }) = intent else { continue };
            let (Ok(old), Ok(new)) = (ObjectId::new(old), ObjectId::new(new)) else { continue };
            // The effect journals its intent before it lands, so the target decides whether it landed.
            if repo.is_ancestor(&new, tip).await.unwrap_or(false) {
                return Ok(Some((old, new)));
            }
        }
        Ok(None)
    }

    /// Reads the changes from the branch, or from its archive ref.
    async fn find_branch_range(
        &self,
        task: &TaskSnapshot,
        recorded: &Workspace,
        repo: &Repo,
        target: &ObjectId,
    ) -> Result<Option<(TaskDiffSource, ObjectId, ObjectId)>, EffectError> {
        let broken = |error: String| EffectError::workspace(error);
        let branch = BranchName::new(recorded.branch.clone());
        let branch = branch.map_err(|error| broken(error.to_string()))?;
        let archive = RefName::new(format!("refs/forge/archive/{}", task.id));
        let archive = archive.map_err(|error| broken(error.to_string()))?;
        let head = match repo.tip(&branch).await? {
            Some(head) => Some(head),
            // Effect ids sort by time, so the last ref is the newest.
            None => repo.refs_below(&archive).await?.pop().map(|(_, head)| head),
        };
        let Some(head) = head else { return Ok(None) };
        let base = repo.merge_base(target, &head).await?.unwrap_or_else(|| target.clone());
        Ok(Some((TaskDiffSource::Branch, base, head)))
    }
}

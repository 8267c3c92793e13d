//! Creates a task's worktree, or finds the existing one (W-2, W-8).

use crate::effects::effect_run::EffectRun;
use crate::effects::{EffectError, EffectOutcome};
use crate::engine::Engine;
use crate::workspace::workspace_plan::WorkspacePlan;
use forge_domain::ExecutionId;
use forge_domain::task::{AnnotationType, Workspace, WorkspaceStatus};
use forge_git::{
    BranchName, DirectoryName, LockedWorktree, ObjectId, Repo, WorkspaceLockGuard,
    WorktreeAddError, WorktreeBranch,
};
use forge_store::tables::projects::ProjectRow;

const MOST_CLASHES: u32 = 5;

/// Why no worktree was obtained: git's error, which may be a name collision, or any other error.
#[derive(Debug)]
enum ObtainError {
    Add(WorktreeAddError),
    Other(EffectError),
}

impl From<EffectError> for ObtainError {
    fn from(failure: EffectError) -> Self {
        Self::Other(failure)
    }
}

impl From<ObtainError> for EffectError {
    fn from(error: ObtainError) -> Self {
        match error {
            ObtainError::Add(error) => error.into(),
            ObtainError::Other(failure) => failure,
        }
    }
}

impl EffectRun<'_> {
    pub(crate) async fn prepare_workspace(
        &self,
        execution: ExecutionId,
    ) -> Result<EffectOutcome, EffectError> {
        let repo = self.engine.open_task_repo(&self.task).await?;
        let (workspace, worktree) = match &self.task.workspace {
            Some(known) => self.find_existing_worktree(&repo, known).await?,
            None if self.task.turn().is_some() => return Err(self.parent_workspace_missing()),
            None => self.create_worktree(&repo).await?,
        };
        Ok(EffectOutcome::Report(self.workspace_report(execution, workspace, &worktree).await?))
    }

    async fn find_existing_worktree(
        &self,
        repo: &Repo,
        known: &Workspace,
    ) -> Result<(Workspace, LockedWorktree), EffectError> {
        let worktree = self.lock_usable_worktree(repo).await?;
        Ok((Workspace { status: WorkspaceStatus::Ready, ..known.clone() }, worktree))
    }

    pub(crate) async fn create_worktree(
        &self,
        repo: &Repo,
    ) -> Result<(Workspace, LockedWorktree), EffectError> {
        let mut planned = self.journalled::<WorkspacePlan>();
        for _ in 0..MOST_CLASHES {
            let intent = match planned.take() {
                Some(intent) => intent,
                None => {
                    let intent = self.plan_workspace(repo).await?;
                    self.engine.journal_intent(self.lease, &intent).await?;
                    intent
                }
            };
            self.pass_fault_point("workspace.planned").await?;
            match self.add_worktree(repo, &intent).await? {
                Some(made) => {
                    self.pass_fault_point("workspace.added").await?;
                    return Ok(made);
                }
                // Another project of the same repository took the name in this moment (T-24).
                None => tracing::info!(
                    branch = intent.branch,
                    "branch name was taken meanwhile; choosing another"
                ),
            }
        }
        Err(EffectError::Transient("no free branch name could be held; trying again".to_owned()))
    }

    /// Creates the planned worktree. Returns `None` if the branch is checked out elsewhere.
    async fn add_worktree(
        &self,
        repo: &Repo,
        intent: &WorkspacePlan,
    ) -> Result<Option<(Workspace, LockedWorktree)>, EffectError> {
        let broken = |error: String| EffectError::workspace(error);
        let name = DirectoryName::new(intent.directory.clone())
            .map_err(|error| broken(error.to_string()))?;
        let branch =
            BranchName::new(intent.branch.clone()).map_err(|error| broken(error.to_string()))?;
        let base = ObjectId::new(intent.base.clone()).map_err(|error| broken(error.to_string()))?;
        let wanted = match repo.tip(&branch).await? {
            Some(_) => WorktreeBranch::Existing(branch.clone()),
            None => WorktreeBranch::New { name: branch.clone(), base: base.clone() },
        };
        let hold = self.lock_workspace(&name).await?;
        let worktree = match self.engine.obtain_worktree(repo, &self.project, &hold, &wanted).await
        {
            Ok(worktree) => worktree,
            Err(ObtainError::Add(WorktreeAddError::CheckedOut { .. })) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let workspace = Workspace {
            path: worktree.path().to_string_lossy().into_owned(),
            branch: branch.to_string(),
            base: base.to_string(),
            status: WorkspaceStatus::Ready,
        };
        Ok(Some((workspace, worktree)))
    }
}

impl Engine {
    /// Recreates a missing worktree from its branch.
    pub(crate) async fn recreate_worktree(
        &self,
        repo: &Repo,
        project: &ProjectRow,
        hold: &WorkspaceLockGuard,
        branch: &BranchName,
    ) -> Result<LockedWorktree, EffectError> {
        if repo.tip(branch).await?.is_none() {
            return Err(EffectError::for_person(
                AnnotationType::WorkspaceResetRequired,
                format!(
                    "the worktree and its branch {branch} are gone; reset the workspace to start afresh"
                ),
            ));
        }
        let wanted = WorktreeBranch::Existing(branch.clone());
        Ok(self.obtain_worktree(repo, project, hold, &wanted).await?)
    }

    /// Returns a worktree for a branch: from the pool, or newly created (W-15).
    async fn obtain_worktree(
        &self,
        repo: &Repo,
        project: &ProjectRow,
        hold: &WorkspaceLockGuard,
        wanted: &WorktreeBranch,
    ) -> Result<LockedWorktree, ObtainError> {
        let adopted = match self.open_pool(repo, project)? {
            Some(pool) => {
                self.0.pool_demand.record(repo.common_dir(), hold.name(), self.0.clock.now());
                pool.adopt(hold, wanted).await.map_err(ObtainError::Add)?
            }
            None => None,
        };
        let Some(adopted) = adopted else {
            let locks = &self.0.repo_locks;
            return repo.add_worktree(locks, hold, wanted).await.map_err(ObtainError::Add);
        };
        self.0.faults.reach("adopt.taken").await.map_err(EffectError::from)?;
        let worktree = adopted.finish().await.map_err(EffectError::from)?;
        self.0.faults.reach("adopt.finished").await.map_err(EffectError::from)?;
        Ok(worktree)
    }
}

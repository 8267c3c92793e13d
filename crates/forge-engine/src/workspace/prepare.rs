//! Creates a task's worktree, or finds the existing one (W-2, W-8).

use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::execution::ordered_turns::parent_workspace_missing;
use crate::workspace::setup_effect::workspace_report;
use crate::workspace::workspace_plan::WorkspacePlan;
use crate::workspace::workspaces::Workspaces;
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

impl Workspaces {
    pub(crate) async fn prepare_workspace(
        &self,
        effect: &EffectContext,
        execution: ExecutionId,
    ) -> Result<EffectOutcome, EffectError> {
        let repo = self.repos.open_of_effect(effect).await?;
        let (workspace, worktree) = match &effect.task.workspace {
            Some(known) => self.find_existing_worktree(effect, &repo, known).await?,
            None if effect.task.turn().is_some() => return Err(parent_workspace_missing()),
            None => self.create_worktree(effect, &repo).await?,
        };
        Ok(EffectOutcome::Report(workspace_report(effect, execution, workspace, &worktree).await?))
    }

    async fn find_existing_worktree(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        known: &Workspace,
    ) -> Result<(Workspace, LockedWorktree), EffectError> {
        let worktree = self.lock_usable_worktree(effect, repo).await?;
        Ok((Workspace { status: WorkspaceStatus::Ready, ..known.clone() }, worktree))
    }

    pub(crate) async fn create_worktree(
        &self,
        effect: &EffectContext,
        repo: &Repo,
    ) -> Result<(Workspace, LockedWorktree), EffectError> {
        let mut planned = effect.journalled::<WorkspacePlan>();
        for _ in 0..MOST_CLASHES {
            let intent = match planned.take() {
                Some(intent) => intent,
                None => {
                    let intent = self.plan_workspace(effect, repo).await?;
                    effect.journal_intent(&intent).await?;
                    intent
                }
            };
            effect.pass_fault_point("workspace.planned").await?;
            match self.add_worktree(effect, repo, &intent).await? {
                Some(made) => {
                    effect.pass_fault_point("workspace.added").await?;
                    return Ok(made);
                }
                // Another project of the same repository took the name in this moment (T-24).
                None => tracing::info!(
                    branch = intent.branch,
                    "branch name was taken meanwhile; choosing another"
                ),
            }
        }
        Err(EffectError::transient("no free branch name could be held; trying again".to_owned()))
    }

    /// Creates the planned worktree. Returns `None` if the branch is checked out elsewhere.
    async fn add_worktree(
        &self,
        effect: &EffectContext,
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
        let hold = self.lock_workspace(effect, &name).await?;
        let worktree = match self.obtain_worktree(repo, &effect.project, &hold, &wanted).await {
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
        let adopted = match self.pools.open_pool(repo, project)? {
            Some(pool) => {
                self.pool_demand.record(repo.common_dir(), hold.name(), self.clock.now());
                pool.adopt(hold, wanted).await.map_err(ObtainError::Add)?
            }
            None => None,
        };
        let Some(adopted) = adopted else {
            let locks = &self.repo_locks;
            return repo.add_worktree(locks, hold, wanted).await.map_err(ObtainError::Add);
        };
        self.faults.reach("adopt.taken").await.map_err(EffectError::from)?;
        let worktree = adopted.finish().await.map_err(EffectError::from)?;
        self.faults.reach("adopt.finished").await.map_err(EffectError::from)?;
        Ok(worktree)
    }
}

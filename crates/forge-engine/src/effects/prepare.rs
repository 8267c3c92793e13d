//! Makes a task's worktree, or finds it again (W-2, W-8).

use super::perform::Step;
use super::plan::Intent;
use super::{Failure, Outcome};
use crate::engine::Engine;
use forge_domain::ExecutionId;
use forge_domain::task::{AnnotationType, Workspace, WorkspaceStatus};
use forge_git::{
    AddError, BranchName, DirectoryName, Draft, HeldWorktree, ObjectId, Repo, WorkspaceHold,
    WorktreeBranch,
};
use forge_store::tables::projects::Project;

const MOST_CLASHES: u32 = 5;

/// Why there is no worktree: what its making said, which a clash of names is part of, or anything else.
#[derive(Debug)]
enum Obtain {
    Add(AddError),
    Other(Failure),
}

impl From<Failure> for Obtain {
    fn from(failure: Failure) -> Self {
        Self::Other(failure)
    }
}

impl From<Obtain> for Failure {
    fn from(error: Obtain) -> Self {
        match error {
            Obtain::Add(error) => error.into(),
            Obtain::Other(failure) => failure,
        }
    }
}

impl Step<'_> {
    pub(super) async fn prepare_workspace(
        &self,
        execution: ExecutionId,
    ) -> Result<Outcome, Failure> {
        let draft = self.engine.0.head_starts.take(self.task.id).await;
        let repo = self.engine.repo_of(&self.task).await?;
        let (workspace, worktree) = match &self.task.workspace {
            Some(known) => self.found_again(&repo, known).await?,
            None if self.task.turn().is_some() => return Err(self.no_place()),
            None => self.made(&repo, draft).await?,
        };
        Ok(Outcome::Report(self.handed_over(execution, workspace, &worktree).await?))
    }

    async fn found_again(
        &self,
        repo: &Repo,
        known: &Workspace,
    ) -> Result<(Workspace, HeldWorktree), Failure> {
        let worktree = self.usable_worktree(repo).await?;
        Ok((Workspace { status: WorkspaceStatus::Ready, ..known.clone() }, worktree))
    }

    /// A draft is used if it has the right files.
    pub(super) async fn made(
        &self,
        repo: &Repo,
        mut draft: Option<Draft>,
    ) -> Result<(Workspace, HeldWorktree), Failure> {
        let mut planned = self.journalled::<Intent>();
        for _ in 0..MOST_CLASHES {
            let intent = match planned.take() {
                Some(intent) => intent,
                None => {
                    let intent = self.plan_workspace(repo).await?;
                    self.engine.journal(self.claimed, &intent).await?;
                    intent
                }
            };
            self.reach("workspace.planned").await?;
            match self.add(repo, &intent, draft.take()).await? {
                Some(made) => {
                    self.reach("workspace.added").await?;
                    return Ok(made);
                }
                // Another board of the same repository took the name in this moment (T-24).
                None => tracing::info!(branch = intent.branch, "taken meanwhile; choosing another"),
            }
        }
        Err(Failure::Passing("no free branch name could be held; trying again".to_owned()))
    }

    /// Makes what was planned; none if somebody else has the branch.
    async fn add(
        &self,
        repo: &Repo,
        intent: &Intent,
        draft: Option<Draft>,
    ) -> Result<Option<(Workspace, HeldWorktree)>, Failure> {
        let broken = |error: String| Failure::workspace(error);
        let name = DirectoryName::new(intent.directory.clone())
            .map_err(|error| broken(error.to_string()))?;
        let branch =
            BranchName::new(intent.branch.clone()).map_err(|error| broken(error.to_string()))?;
        let base = ObjectId::new(intent.base.clone()).map_err(|error| broken(error.to_string()))?;
        let wanted = match repo.tip(&branch).await? {
            Some(_) => WorktreeBranch::Existing(branch.clone()),
            None => WorktreeBranch::New { name: branch.clone(), base: base.clone() },
        };
        let hold = self.hold(&name).await?;
        let worktree = match self.engine.obtain(repo, &self.project, &hold, &wanted, draft).await {
            Ok(worktree) => worktree,
            Err(Obtain::Add(AddError::CheckedOut { .. })) => return Ok(None),
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
    /// Makes a worktree that is gone once more, from its branch.
    pub(crate) async fn rebuild(
        &self,
        repo: &Repo,
        project: &Project,
        hold: &WorkspaceHold,
        branch: &BranchName,
    ) -> Result<HeldWorktree, Failure> {
        if repo.tip(branch).await?.is_none() {
            return Err(Failure::of(
                AnnotationType::WorkspaceResetRequired,
                format!(
                    "the worktree and its branch {branch} are gone; reset the workspace to start afresh"
                ),
            ));
        }
        let wanted = WorktreeBranch::Existing(branch.clone());
        Ok(self.obtain(repo, project, hold, &wanted, None).await?)
    }

    /// A worktree for a branch: one that waits, or a new one (W-15).
    async fn obtain(
        &self,
        repo: &Repo,
        project: &Project,
        hold: &WorkspaceHold,
        wanted: &WorktreeBranch,
        draft: Option<Draft>,
    ) -> Result<HeldWorktree, Obtain> {
        let adopted = match self.pool_of(repo, project)? {
            Some(pool) => pool.adopt(hold, wanted).await.map_err(Obtain::Add)?,
            None => None,
        };
        let Some(adopted) = adopted else {
            let locks = &self.0.repo_locks;
            let made = repo.add_drafted_worktree(locks, hold, wanted, draft).await;
            return made.map_err(Obtain::Add);
        };
        self.0.faults.reach("adopt.taken").await.map_err(Failure::from)?;
        let worktree = adopted.finish().await.map_err(Failure::from)?;
        self.0.faults.reach("adopt.finished").await.map_err(Failure::from)?;
        Ok(worktree)
    }
}

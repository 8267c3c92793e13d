//! Removes a task's worktree (W-7). What is in it and nowhere else is saved first (P-1).

use super::perform::Step;
use super::site::{branch_of, directory_of};
use super::{Failure, Outcome};
use forge_domain::Report;
use forge_domain::task::WorkspaceStatus;
use forge_git::{LockedRepo, RefName, Repo, Worktree};

const PATIENCE_SECONDS: u64 = 300;

impl Step<'_> {
    pub(super) async fn clean_workspace(&self, retire_branch: bool) -> Result<Outcome, Failure> {
        match self.remove(retire_branch).await {
            Ok(report) => Ok(Outcome::Report(report)),
            Err(Failure::Overtaken) => Err(Failure::Overtaken),
            Err(Failure::Passing(error) | Failure::Final { message: error, .. }) => {
                let report = Report::CleaningFailed { error: error.clone() };
                Ok(Outcome::TryAgain { report, error, patience_seconds: PATIENCE_SECONDS })
            }
        }
    }

    async fn remove(&self, retire_branch: bool) -> Result<Report, Failure> {
        let Some(workspace) =
            self.task.workspace.as_ref().filter(|w| w.status != WorkspaceStatus::Cleaned)
        else {
            return Ok(Report::WorkspaceCleaned { branch_deleted: false, warnings: Vec::new() });
        };
        let repo = self.engine.repo_of(&self.task).await?;
        let mut warnings = Vec::new();
        if let Some(worktree) = self.engine.worktree_of(&repo, workspace).await?
            && worktree.path().exists()
        {
            match worktree.verify().await {
                Ok(_) => self.save(&worktree).await?,
                // What is there is not ours to read as a worktree any more; it goes to the trash whole.
                Err(error) => warnings.push(error.to_string()),
            }
        }
        self.reach("clean.saved").await?;
        let locked = self.engine.0.repo_locks.acquire(&repo).await?;
        let removed =
            locked.remove_worktree(&self.engine.0.root, &directory_of(workspace)?).await?;
        warnings.extend(removed.left_in_trash);
        self.reach("clean.removed").await?;
        let branch_deleted = retire_branch && self.retire(&repo, &locked).await?;
        Ok(Report::WorkspaceCleaned { branch_deleted, warnings })
    }

    /// Keeps uncommitted work under a ref of its own.
    pub(super) async fn save(&self, worktree: &Worktree) -> Result<(), Failure> {
        if worktree.is_clean().await? {
            return Ok(());
        }
        let name = format!("refs/forge/journal/{}/{}", self.task.id, self.row.id);
        let reference =
            RefName::new(name).map_err(|error| Failure::workspace(error.to_string()))?;
        let signature = self.engine.signature("Forge", self.row.created_at.millis())?;
        let commit = worktree.snapshot("saved before it was removed\n", &signature).await?;
        let locked = self.engine.0.repo_locks.acquire(worktree.repo()).await?;
        Ok(locked.keep(&reference, &commit).await?)
    }

    /// The branch has landed: its commits move to the archive, its name becomes free.
    async fn retire(&self, repo: &Repo, locked: &LockedRepo) -> Result<bool, Failure> {
        let Some(workspace) = &self.task.workspace else { return Ok(false) };
        let branch = branch_of(workspace)?;
        let Some(tip) = repo.tip(&branch).await? else { return Ok(false) };
        let name = format!("refs/forge/archive/{}/{branch}", self.task.id);
        let archive = RefName::new(name).map_err(|error| Failure::workspace(error.to_string()))?;
        locked.keep(&archive, &tip).await?;
        self.reach("clean.archived").await?;
        Ok(locked.delete_branch(&branch, &tip).await?)
    }
}

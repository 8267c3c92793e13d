//! Makes the workspace of a task that takes back what another landed: a branch from the target with the inverse on it,
//! or with both sides in the files where later work stands in the way.

use super::perform::Step;
use super::rebase::told;
use super::{Failure, Outcome};
use forge_domain::task::Workspace;
use forge_domain::{Inverted, Report};
use forge_git::{HeldWorktree, Met, ObjectId, Repo};

/// The trailer that says whose work a landed commit is.
pub(crate) const TASK_TRAILER: &str = "Forge-Task";

impl Step<'_> {
    pub(super) async fn revert(&self, landed: &str) -> Result<Outcome, Failure> {
        let repo = self.engine.repo_of(&self.task).await?;
        let (workspace, worktree) = match &self.task.workspace {
            Some(known) => (known.clone(), self.usable_worktree(&repo).await?),
            None => self.made(&repo, None).await?,
        };
        let result = self.invert(&repo, &workspace, &worktree, landed).await?;
        self.reach("revert.made").await?;
        Ok(Outcome::Report(Report::Inverted { workspace, result }))
    }

    async fn invert(
        &self,
        repo: &Repo,
        workspace: &Workspace,
        worktree: &HeldWorktree,
        landed: &str,
    ) -> Result<Inverted, Failure> {
        let read = |id: &str| {
            ObjectId::new(id.to_owned()).map_err(|error| Failure::workspace(error.to_string()))
        };
        let (base, landed) = (read(&workspace.base)?, read(landed)?);
        let head = worktree.head().await?;
        if head != base {
            // An earlier holder of this step had committed it.
            return Ok(Inverted::Clean { commit: head.to_string() });
        }
        self.leave_as_found(worktree, &base).await?;
        let signature =
            self.engine.signature(&self.author().await?, self.row.created_at.millis())?;
        let other = match &self.task.aftermath.origin {
            Some(origin) => origin.of().to_string(),
            None => String::new(),
        };
        let trailer = (TASK_TRAILER, other.as_str());
        let inverse = repo.make_inverse(&landed, trailer, &signature).await?;
        self.reach("revert.inverted").await?;
        match worktree.take_in(&inverse, &signature).await? {
            Met::Conflict { files, hunks } => Ok(Inverted::Conflict { files, hunks: told(hunks) }),
            Met::Clean => {
                self.reach("revert.taken").await?;
                let title = &self.task.title;
                let message = self.message(&format!("{title}\n\nThis reverts commit {landed}."));
                let commit = worktree.commit_all(&message, &signature).await?.head;
                Ok(Inverted::Clean { commit: commit.to_string() })
            }
        }
    }
}

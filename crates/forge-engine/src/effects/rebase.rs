//! Brings a task's branch up to its target in its workspace (M-9): a clean merge is committed, a conflict is left for
//! whoever works there next.

use super::perform::Step;
use super::{Failure, Outcome};
use forge_domain::task::{Workspace, WorkspaceStatus};
use forge_domain::{ConflictHunk, Rebased, Report};
use forge_git::{HeldWorktree, Hunk, JournalReason, Met, ObjectId, Repo};
use serde::{Deserialize, Serialize};

/// What is about to be merged: everything before it is committed, so what is half done can be put back to it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Intent {
    branch: String,
    head: String,
    tip: String,
}

impl Step<'_> {
    pub(super) async fn rebase(
        &self,
        visit: u64,
        message: Option<&str>,
    ) -> Result<Outcome, Failure> {
        let repo = self.engine.repo_of(&self.task).await?;
        let worktree = self.usable_worktree(&repo).await?;
        let result = match self.journalled::<Intent>() {
            Some(intent) => self.go_on_merging(&repo, &worktree, &intent).await?,
            None => self.begin_merging(&repo, &worktree).await?,
        };
        self.reach("rebase.merged").await?;
        let known = self.workspace()?.clone();
        let workspace = Workspace { status: WorkspaceStatus::Ready, ..known };
        let message = message.map(str::to_owned);
        Ok(Outcome::Report(Report::Rebased { visit, workspace, result, message }))
    }

    async fn begin_merging(
        &self,
        repo: &Repo,
        worktree: &HeldWorktree,
    ) -> Result<Rebased, Failure> {
        self.record(&worktree.site(), JournalReason::BeforeRebase).await?;
        let row = self.engine.repo_row(&self.task).await?;
        self.engine.refresh_target(&self.task, &row, repo).await?;
        let (target, tip) = self.engine.target_of(&self.task, repo).await?;
        if worktree.merging().await.is_some()
            && let Met::Conflict { files, hunks } = worktree.load_conflict().await?
        {
            // Somebody began a merge here and has not resolved it: that comes first.
            let hunks = told(hunks);
            return Ok(Rebased::Conflict { target: target.to_string(), files, hunks });
        }
        let signature =
            self.engine.signature(&self.author().await?, self.row.created_at.millis())?;
        let left = worktree.commit_all(&self.message(&self.task.title), &signature).await?;
        self.reach("rebase.collected").await?;
        if repo.is_ancestor(&tip, &left.head).await? {
            return Ok(Rebased::UpToDate { target: target.to_string() });
        }
        let (branch, head) = (target.to_string(), left.head.to_string());
        let intent = Intent { branch, head, tip: tip.to_string() };
        self.engine.journal(self.claimed, &intent).await?;
        self.reach("rebase.planned").await?;
        self.merge_target(worktree, &intent, &tip).await
    }

    /// An earlier holder of this step was about to merge: did it?
    async fn go_on_merging(
        &self,
        repo: &Repo,
        worktree: &HeldWorktree,
        intent: &Intent,
    ) -> Result<Rebased, Failure> {
        let read = |id: &String| {
            ObjectId::new(id.clone()).map_err(|error| Failure::workspace(error.to_string()))
        };
        let (head, tip) = (read(&intent.head)?, read(&intent.tip)?);
        let now = worktree.head().await?;
        if repo.is_ancestor(&tip, &now).await? {
            let (target, commit) = (intent.branch.clone(), now.to_string());
            return Ok(Rebased::Merged { target, commit });
        }
        if worktree.merging().await.as_ref() == Some(&tip)
            && let Met::Conflict { files, hunks } = worktree.load_conflict().await?
        {
            let (target, hunks) = (intent.branch.clone(), told(hunks));
            return Ok(Rebased::Conflict { target, files, hunks });
        }
        // Cut off in the middle: all that was anybody's is committed.
        self.leave_as_found(worktree, &head).await?;
        self.merge_target(worktree, intent, &tip).await
    }

    async fn merge_target(
        &self,
        worktree: &HeldWorktree,
        intent: &Intent,
        tip: &ObjectId,
    ) -> Result<Rebased, Failure> {
        let target = intent.branch.clone();
        let message = self.message(&format!("Merge {target} into {}", worktree.branch()));
        let signature =
            self.engine.signature(&self.author().await?, self.row.created_at.millis())?;
        Ok(match worktree.merge_in(tip, &message, &signature).await? {
            Met::Clean => {
                let commit = worktree.head().await?.to_string();
                Rebased::Merged { target, commit }
            }
            Met::Conflict { files, hunks } => {
                Rebased::Conflict { target, files, hunks: told(hunks) }
            }
        })
    }
}

/// Hunks as they are told.
pub(super) fn told(hunks: Vec<Hunk>) -> Vec<ConflictHunk> {
    hunks.into_iter().map(|hunk| ConflictHunk { file: hunk.file, text: hunk.text }).collect()
}

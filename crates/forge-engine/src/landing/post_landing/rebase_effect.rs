//! Merges the target into a task's branch in its workspace (M-9): commits a clean merge, and leaves a conflict for the
//! next execution.

use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::landing::post_landing::PostLanding;
use forge_domain::task::{Workspace, WorkspaceStatus};
use forge_domain::{ConflictHunk, EffectReport, RebaseResult};
use forge_git::{JournalReason, LockedWorktree, MergeOutcome, ObjectId, Repo, UnmergedHunk};
use serde::{Deserialize, Serialize};

/// The merge that the effect is about to make in the task's workspace. All earlier work is committed by then, so a retry can reset
/// an interrupted merge to `head` without losing work.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct RebaseIntent {
    /// The target branch, by name.
    branch: String,
    /// The commit of the task's branch before the merge.
    head: String,
    /// The commit of the target branch to merge.
    tip: String,
}

impl PostLanding {
    pub(crate) async fn perform_rebase(
        &self,
        effect: &EffectContext,
        visit: u64,
        message: Option<&str>,
    ) -> Result<EffectOutcome, EffectError> {
        let repo = self.repos.open_of_effect(effect).await?;
        if effect.journalled::<RebaseIntent>().is_none()
            && let Some(due) = self.await_return_to_work(effect, &repo).await?
        {
            return Ok(due);
        }
        let worktree = self.workspaces.lock_usable_worktree(effect, &repo).await?;
        let result = match effect.journalled::<RebaseIntent>() {
            Some(intent) => self.resume_merging(effect, &repo, &worktree, &intent).await?,
            None => self.begin_merging(effect, &repo, &worktree).await?,
        };
        effect.pass_fault_point("rebase.merged").await?;
        let known = effect.workspace()?.clone();
        let workspace = Workspace { status: WorkspaceStatus::Ready, ..known };
        let message = message.map(str::to_owned);
        Ok(EffectOutcome::Report(EffectReport::Rebased { visit, workspace, result, message }))
    }

    async fn begin_merging(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        worktree: &LockedWorktree,
    ) -> Result<RebaseResult, EffectError> {
        self.journals
            .write_journal_entry(effect, &worktree.snapshot_source(), JournalReason::BeforeRebase)
            .await?;
        let row = effect.repo_row()?;
        self.repos.fetch_task_target(&effect.task, row, &effect.project, repo).await?;
        let (target, tip) = effect.load_target(repo).await?;
        if worktree.merge_in_progress().await.is_some()
            && let MergeOutcome::Conflict { files, hunks } = worktree.load_conflict().await?
        {
            // An unresolved merge was started here earlier; it comes first.
            let hunks = conflict_hunks(hunks);
            return Ok(RebaseResult::Conflict { target: target.to_string(), files, hunks });
        }
        let signature = effect.load_signature().await?;
        let left =
            worktree.commit_all(&effect.commit_message(&effect.task.title), &signature).await?;
        effect.pass_fault_point("rebase.collected").await?;
        if repo.is_ancestor(&tip, &left.head).await? {
            return Ok(RebaseResult::UpToDate { target: target.to_string() });
        }
        let (branch, head) = (target.to_string(), left.head.to_string());
        let intent = RebaseIntent { branch, head, tip: tip.to_string() };
        effect.journal_intent(&intent).await?;
        effect.pass_fault_point("rebase.planned").await?;
        merge_target(effect, worktree, &intent, &tip).await
    }

    /// An earlier attempt may have merged already; finish or repeat it.
    async fn resume_merging(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        worktree: &LockedWorktree,
        intent: &RebaseIntent,
    ) -> Result<RebaseResult, EffectError> {
        let read = |id: &String| {
            ObjectId::new(id.clone()).map_err(|error| EffectError::workspace(error.to_string()))
        };
        let (head, tip) = (read(&intent.head)?, read(&intent.tip)?);
        let now = worktree.head().await?;
        if repo.is_ancestor(&tip, &now).await? {
            let (target, commit) = (intent.branch.clone(), now.to_string());
            return Ok(RebaseResult::Merged { target, commit });
        }
        if worktree.merge_in_progress().await.as_ref() == Some(&tip)
            && let MergeOutcome::Conflict { files, hunks } = worktree.load_conflict().await?
        {
            let (target, hunks) = (intent.branch.clone(), conflict_hunks(hunks));
            return Ok(RebaseResult::Conflict { target, files, hunks });
        }
        // The merge was interrupted; all earlier work is committed, so reset and repeat.
        self.workspaces.restore_workspace(effect, worktree, &head).await?;
        merge_target(effect, worktree, intent, &tip).await
    }
}

async fn merge_target(
    effect: &EffectContext,
    worktree: &LockedWorktree,
    intent: &RebaseIntent,
    tip: &ObjectId,
) -> Result<RebaseResult, EffectError> {
    let target = intent.branch.clone();
    let message = effect.commit_message(&format!("Merge {target} into {}", worktree.branch()));
    let signature = effect.load_signature().await?;
    Ok(match worktree.merge_commit(tip, &message, &signature).await? {
        MergeOutcome::Clean => {
            let commit = worktree.head().await?.to_string();
            RebaseResult::Merged { target, commit }
        }
        MergeOutcome::Conflict { files, hunks } => {
            RebaseResult::Conflict { target, files, hunks: conflict_hunks(hunks) }
        }
    })
}

/// Converts git's hunks into the domain type.
pub(crate) fn conflict_hunks(hunks: Vec<UnmergedHunk>) -> Vec<ConflictHunk> {
    hunks.into_iter().map(|hunk| ConflictHunk { file: hunk.file, text: hunk.text }).collect()
}

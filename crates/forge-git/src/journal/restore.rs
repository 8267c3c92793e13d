use std::time::Duration;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::index::private_index::PrivateIndex;
use crate::journal::restore_plan::RestorePlan;
use crate::journal::snapshot_builder::SnapshotNeeds;
use crate::journal::task_journal::{Journal, JournalEntryMetadata, JournalWriteOutcome};
use crate::refs::branch_update::BranchMoveError;
use crate::repo::repo_lock::RepoLocks;
use crate::worktree::worktree_handle::LockedWorktree;

const RESTORE_DEADLINE: Duration = Duration::from_secs(1800);

/// What happens to the task's branch when an entry is restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BranchOnRestore {
    /// The branch stays. Differences of the restored files are uncommitted.
    #[default]
    Keep,
    /// The branch moves to the commit that the entry was on.
    MoveToEntry,
}

/// A restore whose previous state is saved, so that an entry's files may replace it.
#[derive(Debug)]
#[must_use = "nothing is restored yet"]
pub struct PendingRestore<'a> {
    worktree: &'a LockedWorktree,
    index: Option<PrivateIndex>,
    before: JournalWriteOutcome,
}

impl LockedWorktree {
    /// Resets every tracked file to HEAD (M-2). Untracked files stay.
    pub async fn restore_tracked(&self) -> Result<(), GitError> {
        self.drop_lock_files().await?;
        GitCommand::write_worktree(self, "reset").args(["--hard", "--quiet", "HEAD"]).run().await?;
        Ok(())
    }

    /// Discards every uncommitted edit and every untracked file that is not ignored (T-14).
    pub async fn discard_changes(&self) -> Result<(), GitError> {
        self.restore_tracked().await?;
        GitCommand::write_worktree(self, "clean").args(["-f", "-d", "--quiet"]).run().await?;
        Ok(())
    }

    /// Replaces the files by those of the plan, untracked files included; ignored files stay. Saves the current state
    /// to the journal first (W-14). Afterwards only conflicts are staged.
    pub async fn restore(
        &self,
        locks: &RepoLocks,
        journal: &Journal,
        plan: &RestorePlan,
        note: &JournalEntryMetadata,
    ) -> Result<JournalWriteOutcome, BranchMoveError> {
        match self.begin_restore(locks, journal, note).await? {
            Some(begun) => begun.finish(locks, plan).await,
            None => Ok(JournalWriteOutcome::Empty),
        }
    }

    /// Saves the current state before a restore; `None` if there is nothing to save.
    pub async fn begin_restore(
        &self,
        locks: &RepoLocks,
        journal: &Journal,
        note: &JournalEntryMetadata,
    ) -> Result<Option<PendingRestore<'_>>, GitError> {
        self.drop_lock_files().await?;
        let Some(snapshot) =
            Box::pin(self.snapshot_source().snapshot(SnapshotNeeds::TreeAndIndex)).await?
        else {
            return Ok(None);
        };
        let newest = journal.load_newest().await?;
        let before = Box::pin(journal.write_entry(locks, &snapshot, note, newest)).await?;
        Ok(Some(PendingRestore { worktree: self, index: snapshot.index, before }))
    }
}

impl PendingRestore<'_> {
    /// Writes the planned files. An interrupted restore can be started and finished again.
    pub async fn finish(
        self,
        locks: &RepoLocks,
        plan: &RestorePlan,
    ) -> Result<JournalWriteOutcome, BranchMoveError> {
        let worktree = self.worktree;
        if let Some(head) = &plan.branch_to
            && let Some(tip) = worktree.repo().tip(worktree.branch()).await?
            && tip != *head
        {
            let reason = format!("restored entry {}", plan.number);
            let locked = locks.acquire(worktree.repo()).await?;
            locked.move_branch(worktree.branch(), head, &tip, &reason).await?;
        }
        if let Some(index) = &self.index {
            // The index lists every current file, so git deletes files that the plan does not have.
            GitCommand::write_worktree(worktree, "read-tree")
                .with_index(index.path())
                .args(["--reset", "-u", plan.tree.as_str()])
                .deadline(RESTORE_DEADLINE)
                .run()
                .await?;
        }
        let unstage = match worktree.head().await {
            Ok(_) => {
                GitCommand::write_worktree(worktree, "reset").args(["--mixed", "--quiet", "HEAD"])
            }
            Err(_) => GitCommand::write_worktree(worktree, "read-tree").arg("--empty"),
        };
        unstage.run().await?;
        let unmerged = plan.unmerged();
        if !unmerged.is_empty() {
            GitCommand::write_worktree(worktree, "update-index")
                .args(["-z", "--index-info"])
                .input(unmerged)
                .run()
                .await?;
        }
        Ok(self.before)
    }
}

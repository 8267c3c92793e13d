use std::time::Duration;

use crate::branch::MoveError;
use crate::command::Command;
use crate::error::GitError;
use crate::gathering::Need;
use crate::journal::{Journal, JournalNote, Recorded};
use crate::journal_entry::JournalEntry;
use crate::lock::RepoLocks;
use crate::private_index::PrivateIndex;
use crate::worktree::HeldWorktree;

const DEADLINE: Duration = Duration::from_secs(1800);

/// What becomes of the task's branch when an entry is restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BranchPointer {
    /// It stays; what the entry's files differ in is uncommitted then.
    #[default]
    Stays,
    /// It goes to the commit that the entry was on.
    Follows,
}

/// What was there is saved, and an entry's files may take its place.
#[derive(Debug)]
#[must_use = "nothing is restored yet"]
pub struct Restoring<'a> {
    worktree: &'a HeldWorktree,
    index: Option<PrivateIndex>,
    before: Recorded,
}

impl HeldWorktree {
    /// Puts every tracked file back to what HEAD says (M-2). Untracked files stay.
    pub async fn restore_tracked(&self) -> Result<(), GitError> {
        self.drop_lock_files().await?;
        Command::write_worktree(self, "reset").args(["--hard", "--quiet", "HEAD"]).run().await?;
        Ok(())
    }

    /// Throws away every uncommitted edit and every untracked file that is not ignored (T-14).
    pub async fn discard_changes(&self) -> Result<(), GitError> {
        self.restore_tracked().await?;
        Command::write_worktree(self, "clean").args(["-f", "-d", "--quiet"]).run().await?;
        Ok(())
    }

    /// Makes the files what they were at an entry, untracked ones included; ignored ones stay as they are. What is
    /// there now is written into the journal first (W-14), and nothing is staged afterwards.
    pub async fn restore(
        &self,
        locks: &RepoLocks,
        journal: &Journal,
        entry: &JournalEntry,
        pointer: BranchPointer,
        note: &JournalNote,
    ) -> Result<Recorded, MoveError> {
        match self.begin_restore(locks, journal, note).await? {
            Some(begun) => begun.finish(locks, entry, pointer).await,
            None => Ok(Recorded::Nothing),
        }
    }

    /// Saves what is there, before anything takes its place; none if nothing is.
    pub async fn begin_restore(
        &self,
        locks: &RepoLocks,
        journal: &Journal,
        note: &JournalNote,
    ) -> Result<Option<Restoring<'_>>, GitError> {
        self.drop_lock_files().await?;
        let Some(snapshot) = Box::pin(self.site().snapshot(Need::Index)).await? else {
            return Ok(None);
        };
        let newest = journal.newest().await?;
        let before = Box::pin(journal.write(locks, &snapshot, note, newest)).await?;
        Ok(Some(Restoring { worktree: self, index: snapshot.index, before }))
    }
}

impl Restoring<'_> {
    /// Puts the entry's files in place. Cut off in the middle, it can be begun and finished again.
    pub async fn finish(
        self,
        locks: &RepoLocks,
        entry: &JournalEntry,
        pointer: BranchPointer,
    ) -> Result<Recorded, MoveError> {
        let worktree = self.worktree;
        if let (BranchPointer::Follows, Some(head)) = (pointer, &entry.head)
            && let Some(tip) = worktree.repo().tip(worktree.branch()).await?
            && tip != *head
        {
            let reason = format!("restored entry {}", entry.number);
            let locked = locks.acquire(worktree.repo()).await?;
            locked.move_branch(worktree.branch(), head, &tip, &reason).await?;
        }
        if let Some(index) = &self.index {
            // The index knows every file that is there, so what the entry does not have goes.
            Command::write_worktree(worktree, "read-tree")
                .index(index.path())
                .args(["--reset", "-u", entry.tree.as_str()])
                .deadline(DEADLINE)
                .run()
                .await?;
        }
        let unstage = match worktree.head().await {
            Ok(_) => {
                Command::write_worktree(worktree, "reset").args(["--mixed", "--quiet", "HEAD"])
            }
            Err(_) => Command::write_worktree(worktree, "read-tree").arg("--empty"),
        };
        unstage.run().await?;
        Ok(self.before)
    }
}

use crate::command::git_error::GitError;
use crate::pool::pool_lock::PoolLock;
use crate::pool::worktree_pool::WorktreePool;
use crate::repo::repo_lock::LockedRepo;
use crate::worktree::verify_worktree::WorktreeVerifyError;
use crate::worktree::worktree_handle::LockedWorktree;
use crate::worktree::worktree_records::WorktreeRecords;

impl LockedRepo {
    /// Returns the worktree of a finished task to the pool; the next maintenance run compares every file and makes it
    /// ready. Ignored files stay if the pool was opened for exactly one owner. Returns false and changes nothing if
    /// no other task may inherit the worktree. The caller checks before that nothing in it is worth keeping (P-1).
    pub async fn recycle_worktree(
        &self,
        pool: &WorktreePool,
        worktree: &LockedWorktree,
    ) -> Result<bool, GitError> {
        let record = worktree.record();
        let head = match worktree.verify().await {
            Ok(verified) if verified.lock_files.is_empty() => verified.head,
            Ok(_) | Err(WorktreeVerifyError::Corrupt(_)) => return Ok(false),
            Err(WorktreeVerifyError::Git(error)) => return Err(error),
        };
        if record.has_settings() || pool.repo().common_dir() != self.repo().common_dir() {
            return Ok(false);
        }
        pool.make_directory().await?;
        let records: Vec<_> = WorktreeRecords::load(self.repo())
            .await?
            .complete
            .into_iter()
            .map(|listed| listed.path)
            .collect();
        let place = pool.directory_of(pool.free_number(&records));
        // Move the directory first: a removal that finds it gone drops the record, and maintenance drops a directory
        // without a record.
        let moved = tokio::fs::rename(worktree.path(), &place).await;
        moved.map_err(GitError::file("moved", worktree.path()))?;
        record.detach_head(&head)?;
        record.set_worktree_path(&place)?;
        if let [owner] = pool.ignored_files_owners() {
            record.set_ignored_files_owner(owner)?;
        }
        Ok(true)
    }
}

impl PoolLock {
    /// Withdraws worktrees with ignored files of an owner who may no longer keep them; the next repair cleans them.
    pub async fn withdraw_foreign(&self) -> Result<(), GitError> {
        for member in self.pool().load_worktrees().await? {
            if member.has_foreign_ignored_files() {
                self.withdraw(&member).await?;
            }
        }
        Ok(())
    }
}

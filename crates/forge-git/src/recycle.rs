use crate::error::GitError;
use crate::lock::LockedRepo;
use crate::pool::Pool;
use crate::pool_turn::PoolTurn;
use crate::survey::Survey;
use crate::verify::VerifyError;
use crate::worktree::HeldWorktree;

impl LockedRepo {
    /// Takes a worktree whose task is done back into the pool, where the next tending compares every file and makes it
    /// ready. Ignored files stay if the pool was opened for one keeper, whose they are then. False, with nothing changed,
    /// for one that no other task may inherit. Whether anything in it is worth
    /// keeping is asked before, not here (P-1).
    pub async fn recycle_worktree(
        &self,
        pool: &Pool,
        worktree: &HeldWorktree,
    ) -> Result<bool, GitError> {
        let record = worktree.record();
        let head = match worktree.verify().await {
            Ok(verified) if verified.lock_files.is_empty() => verified.head,
            Ok(_) | Err(VerifyError::Corrupt(_)) => return Ok(false),
            Err(VerifyError::Git(error)) => return Err(error),
        };
        if record.has_settings() || pool.repo().common_dir() != self.repo().common_dir() {
            return Ok(false);
        }
        pool.make_directory().await?;
        let records: Vec<_> =
            Survey::of(self.repo()).await?.written.into_iter().map(|listed| listed.path).collect();
        let place = pool.directory_of(pool.free_number(&records));
        // The directory first: a removal that finds it gone forgets the record, and what no record names is dropped.
        let moved = tokio::fs::rename(worktree.path(), &place).await;
        moved.map_err(GitError::file("moved", worktree.path()))?;
        record.detach_head(&head)?;
        record.point_to(&place)?;
        if let [keeper] = pool.keepers() {
            record.set_keeper(keeper)?;
        }
        Ok(true)
    }
}

impl PoolTurn {
    /// Takes back what has ignored files in it of somebody who does not keep them any more; mending cleans it.
    pub async fn recall(&self) -> Result<(), GitError> {
        for member in self.pool().members().await? {
            if member.is_strange() {
                self.withdraw(&member).await?;
            }
        }
        Ok(())
    }
}

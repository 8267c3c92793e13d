use crate::branch::MoveError;
use crate::command::Command;
use crate::error::GitError;
use crate::lock::RepoLocks;
use crate::object_id::ObjectId;
use crate::worktree::HeldWorktree;

impl HeldWorktree {
    /// Makes the worktree what it was at a commit of its branch, whatever somebody did to it meanwhile: commits, another
    /// branch in its place, edits and new files are gone from it (M-2, M-3). Ignored files stay. Who wants to keep any of
    /// it writes it into the journal first.
    pub async fn put_back(&self, locks: &RepoLocks, commit: &ObjectId) -> Result<(), MoveError> {
        self.drop_lock_files().await?;
        if !self.is_on_branch().await? {
            Command::write_worktree(self, "symbolic-ref")
                .args(["-m", "forge: put back", "HEAD", self.branch().to_ref().as_str()])
                .run()
                .await?;
        }
        match self.repo().tip(self.branch()).await? {
            Some(tip) if tip == *commit => {}
            tip => {
                // Git takes a name of zeros only for a branch that is not there.
                let zeros = || ObjectId::new("0".repeat(commit.as_str().len()));
                let old = match tip {
                    Some(tip) => tip,
                    None => zeros().map_err(|_| GitError::unexpected("rev-parse", b"no name"))?,
                };
                let locked = locks.acquire(self.repo()).await?;
                locked.move_branch(self.branch(), commit, &old, "forge: put back").await?;
            }
        }
        Ok(self.discard_changes().await?)
    }

    /// Whether it is on its branch, and the branch at this commit; no if git would have to be asked.
    pub fn is_at(&self, commit: &ObjectId) -> bool {
        self.look_at_head().as_ref() == Some(commit)
    }

    async fn is_on_branch(&self) -> Result<bool, GitError> {
        let outcome = Command::read_worktree(self, "symbolic-ref")
            .args(["--quiet", "HEAD"])
            .outcome()
            .await?;
        let on = String::from_utf8_lossy(outcome.stdout()).trim_end().to_owned();
        Ok(outcome.code() == Some(0) && on == self.branch().to_ref().as_str())
    }
}

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::refs::branch_update::BranchMoveError;
use crate::refs::object_id::ObjectId;
use crate::repo::repo_lock::RepoLocks;
use crate::worktree::worktree_handle::LockedWorktree;

impl LockedWorktree {
    /// Resets the worktree to a commit of its branch: commits, a switch to another branch, edits and new files are
    /// gone from it (M-2, M-3). Ignored files stay. A caller that wants to keep any of it saves it to the journal
    /// first.
    pub async fn reset_to(
        &self,
        locks: &RepoLocks,
        commit: &ObjectId,
    ) -> Result<(), BranchMoveError> {
        self.drop_lock_files().await?;
        if !self.is_on_branch().await? {
            GitCommand::write_worktree(self, "symbolic-ref")
                .args(["-m", "forge: reset", "HEAD", self.branch().to_ref().as_str()])
                .run()
                .await?;
        }
        match self.repo().tip(self.branch()).await? {
            Some(tip) if tip == *commit => {}
            tip => {
                // For a branch that does not exist, git expects an id of zeros.
                let zeros = || ObjectId::new("0".repeat(commit.as_str().len()));
                let old = match tip {
                    Some(tip) => tip,
                    None => zeros().map_err(|_| GitError::unexpected("rev-parse", b"no name"))?,
                };
                let locked = locks.acquire(self.repo()).await?;
                locked.move_branch(self.branch(), commit, &old, "forge: reset").await?;
            }
        }
        Ok(self.discard_changes().await?)
    }

    /// Whether the worktree is on its branch and the branch at this commit, according to files alone; false if only
    /// git could tell.
    pub fn is_at(&self, commit: &ObjectId) -> bool {
        self.read_head_from_files().as_ref() == Some(commit)
    }

    async fn is_on_branch(&self) -> Result<bool, GitError> {
        let outcome = GitCommand::read_worktree(self, "symbolic-ref")
            .args(["--quiet", "HEAD"])
            .output()
            .await?;
        let on = String::from_utf8_lossy(outcome.stdout()).trim_end().to_owned();
        Ok(outcome.code() == Some(0) && on == self.branch().to_ref().as_str())
    }
}

use crate::command::Command;
use crate::error::GitError;
use crate::worktree::HeldWorktree;

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
}

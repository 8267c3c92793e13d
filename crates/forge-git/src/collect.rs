use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::person::Signature;
use crate::worktree::{NobodyInside, Worktree};

/// The state of a worktree after everything in it was committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collected {
    /// The branch's commit now.
    pub head: ObjectId,
    /// Whether there was anything to commit.
    pub changed: bool,
}

impl Worktree {
    /// Commits whatever is left, untracked files included, without running hooks (E-6). Lock files of a killed git are
    /// removed first, which is why the caller has to know that nobody works here.
    pub async fn commit_all(
        &self,
        message: &str,
        signature: &Signature,
        nobody: NobodyInside,
    ) -> Result<Collected, GitError> {
        self.drop_lock_files(nobody).await?;
        Command::write_worktree(self, "add").args(["--all", "--", "."]).run().await?;
        let changed = self.has_staged().await? || self.is_merging().await;
        if changed {
            Command::write_worktree(self, "commit")
                .args(["--quiet", "--no-verify", "--no-gpg-sign", "--allow-empty"])
                .args(["--cleanup=verbatim", "--allow-empty-message", "--file=-"])
                .signed(signature)
                .input(message)
                .run()
                .await?;
        }
        Ok(Collected { head: self.head().await?, changed })
    }

    async fn has_staged(&self) -> Result<bool, GitError> {
        let outcome = Command::read_worktree(self, "diff-index")
            .args(["--cached", "--quiet", "--ignore-submodules=none", "HEAD", "--"])
            .outcome()
            .await?;
        match outcome.code() {
            Some(0) => Ok(false),
            Some(1) => Ok(true),
            _ => Err(outcome.into_error()),
        }
    }

    // A merge that changed no file still joins two histories.
    async fn is_merging(&self) -> bool {
        let head = self.git_dir().join("MERGE_HEAD");
        tokio::fs::try_exists(head).await.unwrap_or(false)
    }
}

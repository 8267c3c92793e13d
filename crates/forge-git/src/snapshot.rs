use crate::command::Command;
use crate::error::GitError;
use crate::lock::LockedRepo;
use crate::object_id::ObjectId;
use crate::person::Signature;
use crate::private_index::PrivateIndex;
use crate::ref_name::RefName;
use crate::worktree::Worktree;

impl Worktree {
    /// The whole tree as it is, uncommitted and untracked files included, as a commit on top of HEAD. Neither the
    /// branch nor the index changes; keep the commit with [`LockedRepo::keep`].
    pub async fn snapshot(
        &self,
        message: &str,
        signature: &Signature,
    ) -> Result<ObjectId, GitError> {
        let index = PrivateIndex::copy_of(self.git_dir()).await?;
        Command::write_worktree(self, "add")
            .index(index.path())
            .args(["--all", "--", "."])
            .run()
            .await?;
        let tree =
            Command::write_worktree(self, "write-tree").index(index.path()).object_id().await?;
        self.repo().commit_tree(&tree, &[self.head().await?], message, signature).await
    }
}

impl LockedRepo {
    /// Makes a reference of ours name a commit, so that it cannot be lost. Repeating it is fine.
    pub async fn keep(&self, name: &RefName, commit: &ObjectId) -> Result<(), GitError> {
        Command::write_refs(self, "update-ref")?
            .arg(name.as_str())
            .arg(commit.as_str())
            .run()
            .await?;
        Ok(())
    }
}

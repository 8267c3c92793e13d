use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::journal::snapshot_builder::SnapshotNeeds;
use crate::journal::workspace_snapshot::SnapshotSource;
use crate::refs::object_id::ObjectId;
use crate::repo::repository::Repo;

impl Repo {
    /// The id of the empty tree.
    pub async fn empty_tree(&self) -> Result<ObjectId, GitError> {
        GitCommand::write_objects(self, "hash-object")
            .args(["-t", "tree", "-w", "--stdin"])
            .input("")
            .output_object_id()
            .await
    }
}

impl SnapshotSource {
    /// The tree of the current files, or the tree of HEAD if there are no files; `None` if there is neither.
    pub async fn tree(&self) -> Result<Option<ObjectId>, GitError> {
        Ok(Box::pin(self.snapshot(SnapshotNeeds::TreeOnly)).await?.map(|snapshot| snapshot.tree))
    }
}

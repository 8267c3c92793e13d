use crate::command::Command;
use crate::error::GitError;
use crate::gathering::Need;
use crate::object_id::ObjectId;
use crate::repo::Repo;
use crate::snapshot::Site;

impl Repo {
    /// The tree without a file.
    pub async fn empty_tree(&self) -> Result<ObjectId, GitError> {
        Command::write_objects(self, "hash-object")
            .args(["-t", "tree", "-w", "--stdin"])
            .input("")
            .object_id()
            .await
    }
}

impl Site {
    /// The tree of the files as they are, or of the head where there are none; `None` where there is nothing at all.
    pub async fn tree(&self) -> Result<Option<ObjectId>, GitError> {
        Ok(Box::pin(self.snapshot(Need::Tree)).await?.map(|snapshot| snapshot.tree))
    }
}

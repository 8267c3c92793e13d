use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::error::GitError;
use crate::record::Record;
use crate::repo::Repo;

impl Repo {
    /// The directories of all linked worktrees that git has a record of, gone or not.
    pub async fn worktree_directories(&self) -> Result<BTreeSet<PathBuf>, GitError> {
        Ok(Record::list(self).await?.into_iter().map(|found| found.path).collect())
    }
}

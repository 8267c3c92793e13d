use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::command::git_error::GitError;
use crate::repo::repository::Repo;
use crate::worktree::worktree_records::WorktreeRecords;

impl Repo {
    /// The directories of all linked worktrees that git has a record of, whether or not they exist.
    pub async fn worktree_directories(&self) -> Result<BTreeSet<PathBuf>, GitError> {
        Ok(WorktreeRecords::load(self)
            .await?
            .complete
            .into_iter()
            .map(|found| found.path)
            .collect())
    }
}

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::error::GitError;
use crate::repo::Repo;
use crate::survey::Survey;

impl Repo {
    /// The directories of all linked worktrees that git has a record of, gone or not.
    pub async fn worktree_directories(&self) -> Result<BTreeSet<PathBuf>, GitError> {
        Ok(Survey::of(self).await?.written.into_iter().map(|found| found.path).collect())
    }
}

use std::path::PathBuf;

use crate::error::GitError;
use crate::hold::WorkspaceHold;
use crate::lock::LockedRepo;
use crate::record::Record;
use crate::root::delete;

/// What removing a worktree did (M-10).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// A directory was there and is not any more.
    pub directory: bool,
    /// Git's record was there and is not any more.
    pub record: bool,
    /// Why the files are still in the trash, if they are. They are out of the way and deleted with the trash.
    pub left_in_trash: Option<String>,
}

impl LockedRepo {
    /// Removes a worktree: renames its directory aside, drops git's record of it and only of it, then deletes the
    /// files. What is missing already is fine, so it can be repeated. Whether anything in it is worth keeping is asked
    /// before, not here (P-1).
    pub async fn remove_worktree(&self, hold: &WorkspaceHold) -> Result<Removed, GitError> {
        let (aside, record) = self.take_away(hold).await?;
        let left_in_trash = match &aside {
            Some(path) => delete(path).await.err().map(|error| error.to_string()),
            None => None,
        };
        Ok(Removed { directory: aside.is_some(), record, left_in_trash })
    }

    /// The same for a directory that is not what we made: its files stay in the trash, for nobody knows what is in
    /// them (P-1). Where they are now, if there were any.
    pub async fn set_worktree_aside(
        &self,
        hold: &WorkspaceHold,
    ) -> Result<Option<PathBuf>, GitError> {
        Ok(self.take_away(hold).await?.0)
    }

    async fn take_away(&self, hold: &WorkspaceHold) -> Result<(Option<PathBuf>, bool), GitError> {
        let record = Record::find(self.repo(), &hold.path()).await?;
        let aside = hold.root().move_to_trash(hold.name()).await?;
        let had_record = record.is_some();
        if let Some(record) = record {
            record.forget().await?;
        }
        Ok((aside, had_record))
    }
}

use std::path::PathBuf;

use crate::error::GitError;
use crate::hold::WorkspaceHold;
use crate::lock::LockedRepo;
use crate::record::Record;

/// What removing a worktree did (M-10).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// A directory was there and is not any more.
    pub directory: bool,
    /// Git's record was there and is not any more.
    pub record: bool,
}

impl LockedRepo {
    /// Removes a worktree: renames its directory aside and drops git's record of it and only of it. The files are
    /// deleted with the trash, when there is time ([`WorkspaceRoot::empty_trash`](crate::WorkspaceRoot::empty_trash)).
    /// What is missing already is fine, so it can be repeated. Whether anything in it is worth keeping is asked before,
    /// not here (P-1).
    pub async fn remove_worktree(&self, hold: &WorkspaceHold) -> Result<Removed, GitError> {
        let record = Record::find(self.repo(), &hold.path()).await?;
        let aside = hold.root().move_to_trash(&hold.path())?;
        let removed = Removed { directory: aside.is_some(), record: record.is_some() };
        if let Some(record) = record {
            record.forget().await?;
        }
        Ok(removed)
    }

    /// The same for a directory that is not what we made: its files are kept, for nobody knows what is in them (P-1).
    /// Where they are now, if there were any.
    pub async fn set_worktree_aside(
        &self,
        hold: &WorkspaceHold,
    ) -> Result<Option<PathBuf>, GitError> {
        let record = Record::find(self.repo(), &hold.path()).await?;
        let aside = hold.root().move_to_kept(&hold.path())?;
        if let Some(record) = record {
            record.forget().await?;
        }
        Ok(aside)
    }
}

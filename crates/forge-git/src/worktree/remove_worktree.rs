use std::path::PathBuf;

use crate::command::git_error::GitError;
use crate::repo::repo_lock::LockedRepo;
use crate::worktree::workspace_lock::WorkspaceLockGuard;
use crate::worktree::worktree_record::WorktreeRecord;

/// The outcome of removing a worktree (M-10).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovalOutcome {
    /// Whether a directory was removed.
    pub directory: bool,
    /// Whether git's record was removed.
    pub record: bool,
}

impl LockedRepo {
    /// Removes a worktree: renames its directory into the trash and deletes git's record of it and no other. The
    /// trash is emptied later, when there is time
    /// ([`WorkspaceRoot::empty_trash`](crate::WorkspaceRoot::empty_trash)). Missing parts are no error, so the call
    /// can be repeated. The caller checks before that nothing in it is worth keeping (P-1).
    pub async fn remove_worktree(
        &self,
        hold: &WorkspaceLockGuard,
    ) -> Result<RemovalOutcome, GitError> {
        let record = WorktreeRecord::find(self.repo(), &hold.path()).await?;
        let aside = hold.root().move_to_trash(&hold.path())?;
        let removed = RemovalOutcome { directory: aside.is_some(), record: record.is_some() };
        if let Some(record) = record {
            record.delete().await?;
        }
        Ok(removed)
    }

    /// Like [`LockedRepo::remove_worktree`] for a directory with unknown content: its files are kept, because they
    /// may be a user's work (P-1). Returns their new path, if there were any.
    pub async fn keep_worktree_files(
        &self,
        hold: &WorkspaceLockGuard,
    ) -> Result<Option<PathBuf>, GitError> {
        let record = WorktreeRecord::find(self.repo(), &hold.path()).await?;
        let aside = hold.root().move_to_kept(&hold.path())?;
        if let Some(record) = record {
            record.delete().await?;
        }
        Ok(aside)
    }
}

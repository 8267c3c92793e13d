use std::path::Path;

use crate::command::git_error::GitError;
use crate::repo::repo_lock::LockedRepo;
use crate::worktree::workspace_lock::WorkspaceLockGuard;
use crate::worktree::workspace_root::create_private_directory;
use crate::worktree::worktree_record::WorktreeRecord;

impl LockedRepo {
    /// Stages the removal of a worktree: moves its directory, or whatever has its path, to
    /// [`WorkspaceRoot::staged_removals`](crate::WorkspaceRoot::staged_removals) and updates git's record, so that it
    /// stays a valid worktree. Returns whether a staged worktree exists now. After a crash the call can be repeated.
    /// If an earlier removal is still pending, do nothing.
    pub async fn stage_removal(&self, hold: &WorkspaceLockGuard) -> Result<bool, GitError> {
        let (from, to) = (hold.path(), hold.root().staged_removals().directory(hold.name()));
        if !path_exists(&to) && path_exists(&from) {
            create_private_directory(hold.root().staged_removals().path())?;
            std::fs::rename(&from, &to).map_err(GitError::file("moved aside", &from))?;
        }
        let old = hold.root().old_staged_removal(hold.name());
        self.update_moved_record([&from, &old], &to).await
    }

    /// Moves a staged worktree back to its path, if the path is free. Returns whether it was moved.
    pub async fn cancel_removal(&self, hold: &WorkspaceLockGuard) -> Result<bool, GitError> {
        let (from, to) = (hold.root().staged_removals().directory(hold.name()), hold.path());
        if path_exists(&to) || !path_exists(&from) {
            return Ok(false);
        }
        // Update the record first: an interrupted removal then finds a directory and a record that names it.
        for earlier in [&from, &hold.root().old_staged_removal(hold.name())] {
            if let Some(record) = WorktreeRecord::find(self.repo(), earlier).await? {
                record.set_worktree_path(&to)?;
            }
        }
        std::fs::rename(&from, &to).map_err(GitError::file("moved back", &from))?;
        Ok(true)
    }

    /// Updates the record of a moved worktree, which may name any of its earlier paths, to its new path. Returns whether
    /// the new path exists.
    async fn update_moved_record(&self, earlier: [&Path; 2], to: &Path) -> Result<bool, GitError> {
        if !path_exists(to) {
            return Ok(false);
        }
        for from in earlier {
            if !path_exists(from)
                && let Some(record) = WorktreeRecord::find(self.repo(), from).await?
            {
                record.set_worktree_path(to)?;
            }
        }
        Ok(true)
    }
}

fn path_exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

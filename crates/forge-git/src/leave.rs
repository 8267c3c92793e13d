use std::path::Path;

use crate::error::GitError;
use crate::hold::WorkspaceHold;
use crate::lock::LockedRepo;
use crate::record::Record;
use crate::root::make_private;

impl LockedRepo {
    /// Moves a worktree, or whatever stands in its place, out of the way, and git's record with it: to
    /// [`WorkspaceRoot::leaving`](crate::WorkspaceRoot::leaving), where it is a worktree as before. Whether one is there
    /// now. Killed in the middle and repeated, it goes on. One that left before and was not dealt with stays where it is,
    /// and so does this one.
    pub async fn set_leaving(&self, hold: &WorkspaceHold) -> Result<bool, GitError> {
        let (from, to) = (hold.path(), hold.root().leaving().directory(hold.name()));
        if !exists(&to) && exists(&from) {
            make_private(hold.root().leaving().path())?;
            std::fs::rename(&from, &to).map_err(GitError::file("moved aside", &from))?;
        }
        self.follow(&from, &to).await
    }

    /// Moves a worktree that left back to its place, if that is free. Whether it is there now because of this.
    pub async fn take_back(&self, hold: &WorkspaceHold) -> Result<bool, GitError> {
        let (from, to) = (hold.root().leaving().directory(hold.name()), hold.path());
        if exists(&to) || !exists(&from) {
            return Ok(false);
        }
        // The record first: a removal that was cut off here finds a directory and a record that names it.
        if let Some(record) = Record::find(self.repo(), &from).await? {
            record.point_to(&to)?;
        }
        std::fs::rename(&from, &to).map_err(GitError::file("moved back", &from))?;
        Ok(true)
    }

    /// Lets the record of a worktree that was moved name its new place.
    async fn follow(&self, from: &Path, to: &Path) -> Result<bool, GitError> {
        if !exists(to) {
            return Ok(false);
        }
        if !exists(from)
            && let Some(record) = Record::find(self.repo(), from).await?
        {
            record.point_to(to)?;
        }
        Ok(true)
    }
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

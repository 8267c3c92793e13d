use std::path::PathBuf;

use crate::beneath::{Beneath, EscapeError};
use crate::repo::Repo;
use crate::root::WorkspaceRoot;

/// Where git is to work: a directory below the workspace root, and git's record of it. Only what is a worktree of ours
/// gives one.
#[derive(Debug, Clone)]
pub(crate) struct Spot {
    pub(crate) repo: Repo,
    pub(crate) git_dir: PathBuf,
    pub(crate) root: WorkspaceRoot,
    pub(crate) relative: PathBuf,
}

impl Spot {
    pub(crate) fn path(&self) -> PathBuf {
        self.root.path().join(&self.relative)
    }

    /// The directory, reached without following a symlink and held open (W-5).
    pub(crate) fn ground(&self) -> Result<Beneath, EscapeError> {
        Beneath::root(self.root.path())?.directory(&self.relative)
    }
}

use std::path::PathBuf;

use crate::fs::confined_dir::{ConfinedDir, PathEscapeError};
use crate::repo::repository::Repo;
use crate::worktree::workspace_root::WorkspaceRoot;

/// The directory below the workspace root in which git works, and git's record of it. Only Forge's own worktrees have
/// one.
#[derive(Debug, Clone)]
pub(crate) struct WorktreeLocation {
    pub(crate) repo: Repo,
    pub(crate) git_dir: PathBuf,
    pub(crate) root: WorkspaceRoot,
    pub(crate) relative: PathBuf,
}

impl WorktreeLocation {
    pub(crate) fn path(&self) -> PathBuf {
        self.root.path().join(&self.relative)
    }

    /// Opens the directory without following a symlink (W-5).
    pub(crate) fn open_directory(&self) -> Result<ConfinedDir, PathEscapeError> {
        ConfinedDir::open_root(self.root.path())?.directory(&self.relative)
    }
}

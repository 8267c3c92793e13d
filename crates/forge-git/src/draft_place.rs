use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::beneath::Beneath;
use crate::error::GitError;
use crate::root::{WorkspaceRoot, delete_now, make_private};
use crate::slow_work::begin_slow_work;
use crate::spread::spread_out;

/// A directory for files whose worktree is still to be made. When this value goes, it is deleted, unless it was renamed
/// to its worktree's place.
#[derive(Debug)]
pub(crate) struct DraftPlace {
    path: PathBuf,
    ground: Beneath,
}

impl DraftPlace {
    /// A new one, under a name that none had.
    pub(crate) fn make(root: &WorkspaceRoot) -> Result<Self, GitError> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let drafts = open_drafts(root)?;
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("{}-{number}", std::process::id());
            // Another process that had our number may have left one of this name.
            if let Some(ground) = drafts.make_new_directory(name.as_ref())? {
                return Ok(Self { path: ground.path().to_owned(), ground });
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn ground(&self) -> &Beneath {
        &self.ground
    }
}

impl Drop for DraftPlace {
    fn drop(&mut self) {
        // The usual case: it is a worktree now.
        if self.path.symlink_metadata().is_err() {
            return;
        }
        let path = std::mem::take(&mut self.path);
        let deleting = begin_slow_work("forge-draft", move || {
            if let Err(error) = delete_now(&path) {
                tracing::warn!(%error, path = %path.display(), "left until the next start");
            }
        });
        if let Err(error) = deleting {
            tracing::warn!(%error, "files of no worktree are left until the next start");
        }
    }
}

/// Where they all are, made if it is missing. A symlink in its place is refused.
fn open_drafts(root: &WorkspaceRoot) -> Result<Beneath, GitError> {
    let place = root.drafts();
    match Beneath::root(&place) {
        Err(error) if error.is_missing() => {
            make_private(&place)?;
            spread_out(&place);
            Ok(Beneath::root(&place)?)
        }
        opened => Ok(opened?),
    }
}

impl WorkspaceRoot {
    /// Throws away the files that killed calls left whose worktrees were still to be made. Whoever asks knows that nobody
    /// is making any.
    pub fn discard_drafts(&self) -> Result<(), GitError> {
        let drafts = self.drafts();
        match std::fs::remove_dir(&drafts) {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {
                self.move_to_trash(&drafts).map(drop)
            }
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(GitError::file("removed", &drafts)(error))
            }
            _ => Ok(()),
        }
    }
}

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::object_id::ObjectId;
use crate::stamp::Stamp;
use crate::worktree::Worktree;

/// What a worktree's own files say of it. Two equal ones, with nothing reported in between, are the same state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Footprint {
    /// Which directory it is.
    pub(crate) directory: (u64, u64),
    /// The commit of its branch.
    pub(crate) head: ObjectId,
    index: Stamp,
    /// What else decides how files are seen: settings and ignored names.
    rules: [Option<Stamp>; 4],
}

impl Worktree {
    /// Whether git's record still names this directory.
    pub(crate) fn is_recorded(&self) -> bool {
        named(&self.git_dir().join("gitdir"), b"")
            .is_some_and(|file| file == self.path().join(".git"))
    }

    /// Reads the footprint of a worktree that is what our records say; `None` in any doubt. It is what
    /// [`Worktree::verify`] looks at, without a process and without an explanation.
    pub(crate) fn footprint(&self) -> Option<Footprint> {
        let found = std::fs::symlink_metadata(self.path()).ok().filter(|found| found.is_dir())?;
        let git_file = self.path().join(".git");
        let plain = std::fs::symlink_metadata(&git_file).ok()?.is_file();
        if !plain || named(&git_file, b"gitdir: ")?.as_path() != self.git_dir() {
            return None;
        }
        let git_dir = self.git_dir();
        if !self.is_recorded()
            || named(&git_dir.join("commondir"), b"")? != Path::new("../..")
            || git_dir.parent()?.parent()? != self.repo().common_dir()
            || git_dir.join("locked").exists()
            || !self.record().is_checked_out().unwrap_or(false)
        {
            return None;
        }
        let common = self.repo().common_dir();
        Some(Footprint {
            directory: (found.dev(), found.ino()),
            head: self.look_at_head()?,
            index: Stamp::of(&git_dir.join("index"))?,
            rules: [
                Stamp::of(&common.join("config")),
                Stamp::of(&git_dir.join("config.worktree")),
                Stamp::of(&common.join("info/exclude")),
                Stamp::of(&common.join("info/attributes")),
            ],
        })
    }
}

/// The path that a file of one line names.
fn named(file: &Path, prefix: &[u8]) -> Option<std::path::PathBuf> {
    let content = std::fs::read(file).ok()?;
    let path = content.strip_prefix(prefix)?.trim_ascii_end();
    Some(OsStr::from_bytes(path).into())
}

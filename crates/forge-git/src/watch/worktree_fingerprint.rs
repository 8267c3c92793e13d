use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::fs::file_stamp::FileStamp;
use crate::fs::regular_file::read_regular;
use crate::refs::object_id::ObjectId;
use crate::worktree::worktree_handle::Worktree;

/// The state of a worktree's own git files. Two equal fingerprints with no reported change in between mean the same
/// state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WorktreeFingerprint {
    /// The device and inode of the directory.
    pub(crate) directory: (u64, u64),
    /// The commit of the worktree's branch.
    pub(crate) head: ObjectId,
    index: FileStamp,
    /// Settings, attributes and ignore rules, which also decide what git reports.
    settings: [Option<FileStamp>; 4],
}

impl Worktree {
    /// Whether git's record still names this directory.
    pub(crate) fn is_recorded(&self) -> bool {
        read_path_line(&self.git_dir().join("gitdir"), b"")
            .is_some_and(|file| file == self.path().join(".git"))
    }

    /// Reads the fingerprint if the worktree matches Forge's records; `None` in any doubt. Checks the same as
    /// [`Worktree::verify`], but without a git process and without an explanation.
    pub(crate) fn fingerprint(&self) -> Option<WorktreeFingerprint> {
        let found = std::fs::symlink_metadata(self.path()).ok().filter(|found| found.is_dir())?;
        let git_file = self.path().join(".git");
        let plain = std::fs::symlink_metadata(&git_file).ok()?.is_file();
        if !plain || read_path_line(&git_file, b"gitdir: ")?.as_path() != self.git_dir() {
            return None;
        }
        let git_dir = self.git_dir();
        if !self.is_recorded()
            || read_path_line(&git_dir.join("commondir"), b"")? != Path::new("../..")
            || git_dir.parent()?.parent()? != self.repo().common_dir()
            || git_dir.join("locked").exists()
            || !self.record().is_checked_out().unwrap_or(false)
        {
            return None;
        }
        let settings = self.repo().settings_dir();
        Some(WorktreeFingerprint {
            directory: (found.dev(), found.ino()),
            head: self.read_head_from_files()?,
            index: FileStamp::of(&git_dir.join("index"))?,
            settings: [
                FileStamp::of(&settings.join("config")),
                FileStamp::of(&git_dir.join("config.worktree")),
                FileStamp::of(&settings.join("info/exclude")),
                FileStamp::of(&settings.join("info/attributes")),
            ],
        })
    }
}

/// Reads the path in a file of one line.
fn read_path_line(file: &Path, prefix: &[u8]) -> Option<std::path::PathBuf> {
    let content = read_regular(file).ok()?;
    let path = content.strip_prefix(prefix)?.trim_ascii_end();
    Some(OsStr::from_bytes(path).into())
}

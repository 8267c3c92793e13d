use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The identity and times of a file. Equal stamps mean equal content, because a program that replaces a file by a
/// rename creates a new inode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileStamp {
    inode: (u64, u64),
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl FileStamp {
    /// The stamp of a file; `None` if it does not exist.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let found = std::fs::symlink_metadata(path).ok()?;
        Some(Self {
            inode: (found.dev(), found.ino()),
            size: found.size(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        })
    }
}

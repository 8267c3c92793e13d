use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::private_index::{is_left_over, name_of_own};

const PREFIX: &str = "forge-lock-";
const LONGEST_WORD: u64 = 200;

/// Git's own lock of an index: as long as it is there, no git of a person begins anything that goes by that index. Gone
/// when dropped; at every moment it says whose it is, so what a killed process left is known.
#[derive(Debug)]
pub(crate) struct IndexLock {
    path: PathBuf,
}

impl IndexLock {
    /// Takes it, or nothing while another git has it. Our word is written in `workroom` first, a directory of ours on the
    /// same file system: a lock that does not say whose it is would never be taken over.
    pub(crate) fn take(path: PathBuf, workroom: &Path) -> std::io::Result<Option<Self>> {
        if is_left_by_us(&path) {
            std::fs::remove_file(&path)?;
        }
        let word = workroom.join("lock");
        std::fs::write(&word, format!("{}\n", name_of_own(PREFIX)))?;
        let taken = std::fs::hard_link(&word, &path);
        std::fs::remove_file(&word)?;
        match taken {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(None),
            taken => taken.map(|()| Some(Self { path })),
        }
    }

    /// Puts another index in the place of the locked one, and lets go.
    pub(crate) fn replace(self, with: &Path, index: &Path) -> std::io::Result<()> {
        // As a whole, and on the disk before it counts.
        File::open(with)?.sync_all()?;
        std::fs::rename(with, index)
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        std::fs::remove_file(&self.path).ok();
    }
}

/// Whether a process of ours that is gone left this lock.
pub(crate) fn is_left_by_us(path: &Path) -> bool {
    let Ok(found) = std::fs::symlink_metadata(path) else { return false };
    if !found.is_file() || found.len() > LONGEST_WORD {
        return false;
    }
    std::fs::read_to_string(path).is_ok_and(|word| is_left_over(word.trim_end(), PREFIX))
}

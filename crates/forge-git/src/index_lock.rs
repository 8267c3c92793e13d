use std::fs::File;
use std::io::{ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use crate::private_index::{is_left_over, name_of_own};

const PREFIX: &str = "forge-lock-";
const LONGEST_WORD: u64 = 200;

/// Git's own lock of an index: as long as it is there, no git of a person begins anything that goes by that index. Gone
/// when dropped; what a killed process left says whose it was.
#[derive(Debug)]
pub(crate) struct IndexLock {
    path: PathBuf,
    file: File,
    is_done: bool,
}

impl IndexLock {
    /// Takes it, or nothing while another git has it.
    pub(crate) fn take(path: PathBuf) -> std::io::Result<Option<Self>> {
        if is_left_by_us(&path) {
            std::fs::remove_file(&path)?;
        }
        let mut file = match File::create_new(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(None),
            made => made?,
        };
        writeln!(file, "{}", name_of_own(PREFIX))?;
        Ok(Some(Self { path, file, is_done: false }))
    }

    /// Puts another index in the place of the locked one, by which the lock ends.
    pub(crate) fn replace(mut self, with: &Path, index: &Path) -> std::io::Result<()> {
        let mut new = File::open(with)?;
        // Which of its entries git looks at twice goes by its time.
        let modified = new.metadata()?.modified()?;
        self.file.rewind()?;
        self.file.set_len(0)?;
        std::io::copy(&mut new, &mut self.file)?;
        self.file.set_modified(modified)?;
        self.file.sync_all()?;
        std::fs::rename(&self.path, index)?;
        self.is_done = true;
        Ok(())
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        if !self.is_done {
            std::fs::remove_file(&self.path).ok();
        }
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

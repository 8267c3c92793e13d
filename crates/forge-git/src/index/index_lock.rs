use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::index::private_index::{is_left_by_dead_process, owned_name};

const LOCK_OWNER_PREFIX: &str = "forge-lock-";
const LONGEST_NAME: u64 = 200;

/// Git's own lock of an index: while the file exists, no git of a person changes that index. Removed when dropped. The file
/// names the process that made it, so a lock left by a killed process is recognised and taken over.
#[derive(Debug)]
pub(crate) struct IndexLock {
    path: PathBuf,
}

impl IndexLock {
    /// Takes the lock; `None` while another git has it. The owner's name is written to a file beside the lock first and then
    /// hard-linked to it: a lock without an owner could never be taken over. Not in the temporary directory, which is
    /// often another file system.
    pub(crate) fn acquire(path: PathBuf) -> io::Result<Option<Self>> {
        let directory = path.parent().unwrap_or(Path::new("."));
        remove_leftovers(directory);
        if is_stale_forge_lock(&path) {
            fs::remove_file(&path)?;
        }
        let name = owned_name(LOCK_OWNER_PREFIX);
        let named = directory.join(&name);
        fs::write(&named, format!("{name}\n"))?;
        let taken = fs::hard_link(&named, &path);
        fs::remove_file(&named)?;
        match taken {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(None),
            taken => taken.map(|()| Some(Self { path })),
        }
    }

    /// Replaces the locked index by a copy of another file, and releases the lock. The copy keeps the time of the other file,
    /// by which git decides which entries to compare again.
    pub(crate) fn replace(self, with: &Path, index: &Path) -> io::Result<()> {
        let directory = index.parent().unwrap_or(Path::new("."));
        let copy = directory.join(owned_name(LOCK_OWNER_PREFIX));
        let copied = copy_with_time(with, &copy).and_then(|()| fs::rename(&copy, index));
        if copied.is_err() {
            fs::remove_file(&copy).ok();
        }
        copied
    }
}

impl Drop for IndexLock {
    fn drop(&mut self) {
        fs::remove_file(&self.path).ok();
    }
}

/// On the disk as a whole before it is used.
fn copy_with_time(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let mut copy = File::create_new(to)?;
    io::copy(&mut source, &mut copy)?;
    copy.set_modified(source.metadata()?.modified()?)?;
    copy.sync_all()
}

/// Removes files that killed processes of Forge left beside an index.
fn remove_leftovers(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        if entry
            .file_name()
            .to_str()
            .is_some_and(|name| is_left_by_dead_process(name, LOCK_OWNER_PREFIX))
        {
            fs::remove_file(entry.path()).ok();
        }
    }
}

/// Whether a process of Forge that is gone left this lock.
pub(crate) fn is_stale_forge_lock(path: &Path) -> bool {
    let Ok(found) = fs::symlink_metadata(path) else { return false };
    if !found.is_file() || found.len() > LONGEST_NAME {
        return false;
    }
    fs::read_to_string(path)
        .is_ok_and(|name| is_left_by_dead_process(name.trim_end(), LOCK_OWNER_PREFIX))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn p_4_what_a_killed_process_left_beside_an_index_is_taken_over() {
        let home = tempfile::tempdir().expect("a directory");
        let dead = format!("{LOCK_OWNER_PREFIX}999999999-1-boot-3");
        fs::write(home.path().join(&dead), "half an index").expect("written");
        let path = home.path().join("index.lock");
        fs::write(&path, format!("{dead}\n")).expect("written");
        let lock = IndexLock::acquire(path.clone()).expect("taken").expect("free");
        assert!(IndexLock::acquire(path.clone()).expect("asked").is_none(), "held");
        assert_eq!(fs::read_dir(home.path()).expect("listed").count(), 1, "only the lock");
        let (index, with) = (home.path().join("index"), home.path().join("with"));
        fs::write(&with, "new").expect("written");
        lock.replace(&with, &index).expect("replaced");
        assert_eq!(fs::read_to_string(&index).expect("read"), "new");
        let time = |path: &Path| fs::metadata(path).expect("exists").modified().expect("a time");
        assert_eq!(time(&index), time(&with));
        assert!(!path.exists(), "released");
    }
}

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use forge_proc::ProcessIdentity;

use crate::command::git_error::GitError;
use crate::fs::regular_file::open_regular;

const INDEX_DIR_PREFIX: &str = "forge-index-";

static NEXT: AtomicU64 = AtomicU64::new(0);

/// A copy of a checkout's index for queries, so that the real index is not even locked. Deleted when dropped; the
/// next copy deletes what a killed process left.
#[derive(Debug)]
pub(crate) struct PrivateIndex {
    directory: PathBuf,
    file: PathBuf,
    original: Option<IndexStamp>,
}

/// Identifies a version of an index: git replaces the file on every change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct IndexStamp {
    inode: u64,
    length: u64,
    seconds: i64,
    nanoseconds: i64,
}

impl IndexStamp {
    fn of(found: &std::fs::Metadata) -> Self {
        Self {
            inode: found.ino(),
            length: found.len(),
            seconds: found.mtime(),
            nanoseconds: found.mtime_nsec(),
        }
    }
}

impl PrivateIndex {
    /// Copies the index of a git directory; a missing index counts as empty.
    pub(crate) async fn copy_of(git_dir: &Path) -> Result<Self, GitError> {
        let git_dir = git_dir.to_owned();
        let copying = tokio::task::spawn_blocking(move || {
            let mut copy = Self::create(&git_dir)?;
            let original = git_dir.join("index");
            match copy_index(&original, &copy.file) {
                Ok(stamp) => copy.original = Some(stamp),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(GitError::file("copied", &original)(error)),
            }
            Ok(copy)
        });
        copying.await.map_err(|error| {
            GitError::file("copied", Path::new("index"))(std::io::Error::other(error))
        })?
    }

    /// Creates an empty index for a git directory.
    pub(crate) fn empty(git_dir: &Path) -> Result<Self, GitError> {
        Self::create(git_dir)
    }

    /// Whether the git directory's index is still the one that was copied.
    pub(crate) fn matches_index_of(&self, git_dir: &Path) -> bool {
        let found = std::fs::metadata(git_dir.join("index")).ok();
        found.as_ref().map(IndexStamp::of) == self.original
    }

    pub(crate) fn path(&self) -> &Path {
        &self.file
    }

    /// The path of a second index in the same directory. It does not exist yet, so git treats it as empty.
    pub(crate) fn second_path(&self) -> PathBuf {
        self.directory.join("second")
    }

    fn create(git_dir: &Path) -> Result<Self, GitError> {
        let directory = create_index_directory(git_dir)?;
        let file = directory.join("index");
        Ok(Self { directory, file, original: None })
    }
}

impl Drop for PrivateIndex {
    fn drop(&mut self) {
        remove_flat_directory(&self.directory);
    }
}

/// Copies an index together with its modification time. Git compares a file's content if the file is as new as the
/// index; with a newer time the copy would hide changes made in the same second.
fn copy_index(original: &Path, copy: &Path) -> std::io::Result<IndexStamp> {
    let mut from = open_regular(original)?;
    let found = from.metadata()?;
    let mut to = File::create_new(copy)?;
    std::io::copy(&mut from, &mut to)?;
    to.set_modified(found.modified()?)?;
    Ok(IndexStamp::of(&found))
}

/// Creates a directory with a unique name that no other user may enter. For a linked worktree it lies in the
/// worktree's git directory and is removed with it; a user's repository is left alone.
fn create_index_directory(git_dir: &Path) -> Result<PathBuf, GitError> {
    let linked = git_dir.parent().is_some_and(|parent| parent.ends_with("worktrees"));
    let temporary = std::env::temp_dir();
    let parents = if linked { vec![git_dir, &temporary] } else { vec![temporary.as_path()] };
    let mut refused = None;
    for parent in parents {
        remove_leftovers(parent);
        match create_owned_directory(parent, INDEX_DIR_PREFIX) {
            Ok(directory) => return Ok(directory),
            Err(error) => refused = Some(error),
        }
    }
    let taken = || GitError::file("created", &temporary)(ErrorKind::AlreadyExists.into());
    Err(refused.unwrap_or_else(taken))
}

/// Creates a directory that no other user may enter and whose name identifies this process.
pub(crate) fn create_owned_directory(parent: &Path, prefix: &str) -> Result<PathBuf, GitError> {
    let owner = owner_id();
    let mut builder = std::fs::DirBuilder::new();
    builder.mode(0o700);
    for _ in 0..1000 {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let directory = parent.join(format!("{prefix}{owner}-{number}"));
        match builder.create(&directory) {
            Ok(()) => return Ok(directory),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(GitError::file("created", &directory)(error)),
        }
    }
    Err(GitError::file("created", parent)(ErrorKind::AlreadyExists.into()))
}

/// Whether a directory of this name was created by a process that is gone.
pub(crate) fn is_left_by_dead_process(name: &str, prefix: &str) -> bool {
    parse_owner(name, prefix).is_some_and(|maker| !maker.is_alive())
}

/// A unique name that identifies this process.
pub(crate) fn owned_name(prefix: &str) -> String {
    format!("{prefix}{}-{}", owner_id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

fn owner_id() -> String {
    match ProcessIdentity::of_self() {
        Some(own) => format!("{}-{}-{}", own.pid, own.start_ticks, own.boot_id),
        None => format!("{}-0-unknown", std::process::id()),
    }
}

/// Parses the process that created a directory of this name.
fn parse_owner(name: &str, prefix: &str) -> Option<ProcessIdentity> {
    let (owner, _) = name.strip_prefix(prefix)?.rsplit_once('-')?;
    let mut parts = owner.splitn(3, '-');
    let pid = parts.next()?.parse().ok()?;
    let start_ticks = parts.next()?.parse().ok()?;
    Some(ProcessIdentity { pid, start_ticks, boot_id: parts.next()?.to_owned() })
}

fn remove_leftovers(parent: &Path) {
    let Ok(entries) = std::fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        if entry
            .file_name()
            .to_str()
            .is_some_and(|name| is_left_by_dead_process(name, INDEX_DIR_PREFIX))
        {
            remove_flat_directory(&entry.path());
        }
    }
}

/// Removes the directory and the regular files in it; it never contains anything else.
fn remove_flat_directory(directory: &Path) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        std::fs::remove_file(entry.path()).ok();
    }
    std::fs::remove_dir(directory).ok();
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[tokio::test]
    async fn w_14_an_index_copy_of_a_killed_process_is_removed_and_one_in_use_stays() {
        let home = tempfile::tempdir().expect("a directory");
        let git_dir = home.path().join("worktrees/one");
        std::fs::create_dir_all(&git_dir).expect("made");
        std::fs::write(git_dir.join("index"), "x").expect("written");
        let dead = git_dir.join(format!("{INDEX_DIR_PREFIX}999999999-1-boot-3"));
        std::fs::create_dir(&dead).expect("made");
        std::fs::write(dead.join("index.lock"), "x").expect("written");
        let living = PrivateIndex::copy_of(&git_dir).await.expect("copies");
        let second = PrivateIndex::copy_of(&git_dir).await.expect("copies");
        assert!(!dead.exists());
        assert!(living.path().exists() && second.path().exists());
        let time = |path: &Path| std::fs::metadata(path).expect("is there").modified().expect("x");
        assert_eq!(time(living.path()), time(&git_dir.join("index")), "or changes are missed");
        drop((living, second));
        let left = std::fs::read_dir(&git_dir).expect("reads").count();
        assert_eq!(left, 1, "only the index itself");
    }
}

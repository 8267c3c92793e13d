use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use forge_proc::ProcessIdentity;

use crate::error::GitError;

const PREFIX: &str = "forge-index-";

static NEXT: AtomicU64 = AtomicU64::new(0);

/// A copy of a checkout's index to ask questions with, so that the real one is not even locked. Gone when dropped;
/// what a killed process left is removed by the next one.
#[derive(Debug)]
pub(crate) struct PrivateIndex {
    directory: PathBuf,
    file: PathBuf,
    original: Option<IndexStamp>,
}

/// Which index it is: git puts a new file in its place for every change.
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
    /// Copies the index of a git directory; a missing one counts as empty.
    pub(crate) async fn copy_of(git_dir: &Path) -> Result<Self, GitError> {
        let git_dir = git_dir.to_owned();
        let copying = tokio::task::spawn_blocking(move || {
            let mut copy = Self::make(&git_dir)?;
            let original = git_dir.join("index");
            match copy_file(&original, &copy.file) {
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

    /// An empty one for a git directory.
    pub(crate) fn empty(git_dir: &Path) -> Result<Self, GitError> {
        Self::make(git_dir)
    }

    /// Whether the index of the git directory still is the one that was copied.
    pub(crate) fn is_of(&self, git_dir: &Path) -> bool {
        let found = std::fs::metadata(git_dir.join("index")).ok();
        found.as_ref().map(IndexStamp::of) == self.original
    }

    pub(crate) fn path(&self) -> &Path {
        &self.file
    }

    /// The directory it is in, which is ours alone.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// A second index in the same place, which does not exist yet and so is empty.
    pub(crate) fn second(&self) -> PathBuf {
        self.directory.join("second")
    }

    fn make(git_dir: &Path) -> Result<Self, GitError> {
        let directory = make_directory(git_dir)?;
        let file = directory.join("index");
        Ok(Self { directory, file, original: None })
    }
}

impl Drop for PrivateIndex {
    fn drop(&mut self) {
        empty_out(&self.directory);
    }
}

/// The time of an index decides which of its entries git looks at twice: files changed in the same second. A copy that
/// looked younger would hide such changes, so it gets the original's time.
fn copy_file(original: &Path, copy: &Path) -> std::io::Result<IndexStamp> {
    let mut from = File::open(original)?;
    let found = from.metadata()?;
    let mut to = File::create_new(copy)?;
    std::io::copy(&mut from, &mut to)?;
    to.set_modified(found.modified()?)?;
    Ok(IndexStamp::of(&found))
}

/// A directory nobody else may enter, under a name nobody took: what lies in it is ours. In a worktree's own git
/// directory it goes with the worktree; a person's repository is left alone.
fn make_directory(git_dir: &Path) -> Result<PathBuf, GitError> {
    let linked = git_dir.parent().is_some_and(|parent| parent.ends_with("worktrees"));
    let temporary = std::env::temp_dir();
    let parents = if linked { vec![git_dir, &temporary] } else { vec![temporary.as_path()] };
    let mut refused = None;
    for parent in parents {
        remove_leftovers(parent);
        match make_own_directory(parent, PREFIX) {
            Ok(directory) => return Ok(directory),
            Err(error) => refused = Some(error),
        }
    }
    let taken = || GitError::file("created", &temporary)(ErrorKind::AlreadyExists.into());
    Err(refused.unwrap_or_else(taken))
}

/// Makes a directory that nobody else may enter, whose name says whose it is.
pub(crate) fn make_own_directory(parent: &Path, prefix: &str) -> Result<PathBuf, GitError> {
    let owner = owner();
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

/// Whether a directory of this name was made by a process that is gone.
pub(crate) fn is_left_over(name: &str, prefix: &str) -> bool {
    maker(name, prefix).is_some_and(|maker| !maker.is_alive())
}

/// A name that says whose it is.
pub(crate) fn name_of_own(prefix: &str) -> String {
    format!("{prefix}{}-{}", owner(), NEXT.fetch_add(1, Ordering::Relaxed))
}

fn owner() -> String {
    match ProcessIdentity::of_self() {
        Some(own) => format!("{}-{}-{}", own.pid, own.start_ticks, own.boot_id),
        None => format!("{}-0-unknown", std::process::id()),
    }
}

/// Who made a directory of this name.
fn maker(name: &str, prefix: &str) -> Option<ProcessIdentity> {
    let (owner, _) = name.strip_prefix(prefix)?.rsplit_once('-')?;
    let mut parts = owner.splitn(3, '-');
    let pid = parts.next()?.parse().ok()?;
    let start_ticks = parts.next()?.parse().ok()?;
    Some(ProcessIdentity { pid, start_ticks, boot_id: parts.next()?.to_owned() })
}

fn remove_leftovers(parent: &Path) {
    let Ok(entries) = std::fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_str().is_some_and(|name| is_left_over(name, PREFIX)) {
            empty_out(&entry.path());
        }
    }
}

/// Removes the directory and the plain files in it; there is never more.
fn empty_out(directory: &Path) {
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
    async fn w_14_what_a_killed_process_left_is_removed_and_a_living_ones_stays() {
        let home = tempfile::tempdir().expect("a directory");
        let git_dir = home.path().join("worktrees/one");
        std::fs::create_dir_all(&git_dir).expect("made");
        std::fs::write(git_dir.join("index"), "x").expect("written");
        let dead = git_dir.join(format!("{PREFIX}999999999-1-boot-3"));
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

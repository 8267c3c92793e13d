use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::time::Duration;

use tokio::time::{Instant, interval_at};

use crate::command::git_error::GitError;
use crate::index::index_file::IndexFile;
use crate::worktree::worktree_handle::Worktree;

/// Files that git opens in a directory without checking their type. A FIFO there blocks git until a process writes to
/// it.
const OPENED_BY_GIT: [&str; 3] = [".gitattributes", ".gitignore", ".gitmodules"];

/// A git process that takes longer may be blocked by a special file.
const FIRST_CHECK_DELAY: Duration = Duration::from_secs(1);
const CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// How many paths an error names.
const MAX_REPORTED: usize = 10;

/// How many directories are searched; the rest is not checked.
const MAX_DIRECTORIES: usize = 200_000;

impl Worktree {
    /// Refuses a worktree in which a FIFO, socket or device is where git expects a regular file (W-18). Checks the
    /// entries of all directories that the index names.
    pub(crate) async fn refuse_special_files(&self) -> Result<(), GitError> {
        let hash = self.read_head_from_files().map_or(20, |head| head.as_str().len() / 2);
        let index = self.git_dir().join("index");
        refuse_special_files(self.path(), &index, hash, ExpectedFiles::OpenedOrTracked).await
    }

    /// FIFOs, sockets and devices anywhere in the worktree that have a name which git opens, or are at the path of a
    /// tracked file.
    pub async fn load_special_files(&self) -> Result<Vec<String>, GitError> {
        let hash = self.read_head_from_files().map_or(20, |head| head.as_str().len() / 2);
        let (top, index) = (self.path().to_owned(), self.git_dir().join("index"));
        let looking = tokio::task::spawn_blocking(move || {
            let mut found: BTreeSet<String> = find_by_name(&top).into_iter().collect();
            found.extend(find_in_tracked_directories(
                &top,
                &index,
                hash,
                ExpectedFiles::OpenedOrTracked,
            ));
            found.into_iter().collect()
        });
        looking.await.map_err(std::io::Error::other).map_err(GitError::file("read", self.path()))
    }
}

/// The paths where git expects a regular file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExpectedFiles {
    /// The names that git opens in every directory.
    OpenedByGit,
    /// Those names and every tracked path.
    OpenedOrTracked,
}

/// Refuses special files below a directory, in the directories that an index names.
pub(crate) async fn refuse_special_files(
    top: &Path,
    index: &Path,
    hash: usize,
    expected: ExpectedFiles,
) -> Result<(), GitError> {
    let (directory, index) = (top.to_owned(), index.to_owned());
    let looking = tokio::task::spawn_blocking(move || {
        find_in_tracked_directories(&directory, &index, hash, expected)
    });
    let looked = looking.await.map_err(std::io::Error::other);
    refuse_paths(looked.map_err(GitError::file("read", top))?)
}

/// Runs git while another task searches for special files, and ends git if one is found: one after the other would
/// slow down a first diff and a journal entry. The search result takes precedence over git's result.
pub(crate) async fn run_with_special_file_check<T>(
    look: impl Future<Output = Result<(), GitError>>,
    git: impl Future<Output = Result<T, GitError>>,
) -> Result<T, GitError> {
    let (mut look, mut git) = (pin!(look), pin!(git));
    tokio::select! {
        looked = &mut look => {
            looked?;
            git.await
        }
        answer = &mut git => {
            look.await?;
            answer
        }
    }
}

/// Returns once a special file is found below the directory. For a git process that has not ended in the usual time
/// and may be blocked by it.
pub(crate) async fn wait_for_special_file(top: PathBuf) -> GitError {
    let mut looks = interval_at(Instant::now() + FIRST_CHECK_DELAY, CHECK_INTERVAL);
    loop {
        looks.tick().await;
        let place = top.clone();
        let looking = tokio::task::spawn_blocking(move || find_by_name(&place));
        if let Err(error) = refuse_paths(looking.await.unwrap_or_default()) {
            return error;
        }
    }
}

fn refuse_paths(mut paths: Vec<String>) -> Result<(), GitError> {
    if paths.is_empty() {
        return Ok(());
    }
    paths.truncate(MAX_REPORTED);
    Err(GitError::SpecialFiles { paths })
}

/// Special files in the directories of tracked files, where git expects regular ones.
fn find_in_tracked_directories(
    top: &Path,
    index: &Path,
    hash: usize,
    expected: ExpectedFiles,
) -> Vec<String> {
    let mut directories: BTreeSet<Vec<u8>> = BTreeSet::from([Vec::new()]);
    let mut last: Vec<u8> = Vec::new();
    IndexFile::visit(index, hash, |name| {
        let parent = name.iter().rposition(|byte| *byte == b'/').map_or(0, |end| end);
        let parent = name.get(..parent).unwrap_or_default();
        if parent != last.as_slice() {
            last = parent.to_vec();
            directories.insert(last.clone());
        }
    });
    let mut special = Vec::new();
    for directory in directories {
        let place = top.join(OsStr::from_bytes(&directory));
        for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
            if is_special(&entry) {
                let mut path = directory.clone();
                if !path.is_empty() {
                    path.push(b'/');
                }
                path.extend_from_slice(entry.file_name().as_bytes());
                special.push(path);
            }
        }
    }
    if special.is_empty() {
        return Vec::new();
    }
    let mut tracked = BTreeSet::new();
    if expected == ExpectedFiles::OpenedOrTracked {
        IndexFile::visit(index, hash, |name| {
            if special.iter().any(|path| path == name) {
                tracked.insert(name.to_vec());
            }
        });
    }
    let is_expected = |path: &Vec<u8>| {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        tracked.contains(path) || OPENED_BY_GIT.iter().any(|known| known.as_bytes() == name)
    };
    let named = special.iter().filter(|path| is_expected(path));
    named.map(|path| String::from_utf8_lossy(path).into_owned()).collect()
}

/// Special files in any directory with a name that git opens.
fn find_by_name(top: &Path) -> Vec<String> {
    let mut waiting = vec![top.to_owned()];
    let mut found = Vec::new();
    let mut looked = 0;
    while let Some(directory) = waiting.pop() {
        looked += 1;
        if looked > MAX_DIRECTORIES || found.len() >= MAX_REPORTED {
            break;
        }
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) && name != ".git" {
                waiting.push(entry.path());
            } else if OPENED_BY_GIT.iter().any(|known| name == *known) && is_special(&entry) {
                let path = entry.path();
                let path = path.strip_prefix(top).unwrap_or(&path);
                found.push(path.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

/// Uses the type in the directory entry; the file itself is not opened.
fn is_special(entry: &std::fs::DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| !kind.is_file() && !kind.is_dir() && !kind.is_symlink())
}

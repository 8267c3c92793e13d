use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::beneath::{Beneath, EscapeError};
use crate::error::GitError;
use crate::slow_work::slow_work;
use crate::spread::spread_out;

const TRASH: &str = ".trash";
const KEPT: &str = ".kept";
const POOL: &str = ".pool";
const LEAVING: &str = ".leaving";
const DRAFTS: &str = ".drafts";
/// How the names of trials begin.
pub(crate) const TRIAL: &str = "_merge-";
const LONGEST: usize = 120;

/// The directory under which all worktrees of this installation live, resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceRoot {
    path: PathBuf,
    /// Where the directories are that all of this installation share: trash, pool, and what is kept.
    common: PathBuf,
}

/// The name of a worktree's directory: one path component that is neither hidden nor an option.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DirectoryName(String);

/// A text that cannot name a worktree's directory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} cannot name a directory: use up to {LONGEST} bytes of letters, digits, . _ + -, beginning with a letter or digit"
)]
pub struct DirectoryNameError {
    text: String,
}

impl DirectoryName {
    /// Checks and wraps a name.
    pub fn new(text: impl Into<String>) -> Result<Self, DirectoryNameError> {
        let text = text.into();
        let begins_well = text.starts_with(char::is_alphanumeric);
        let allowed = |symbol: char| symbol.is_alphanumeric() || "._+-".contains(symbol);
        if begins_well && text.len() <= LONGEST && text.chars().all(allowed) {
            Ok(Self(text))
        } else {
            Err(DirectoryNameError { text })
        }
    }

    /// The name of a trial's directory (M-6). No task's directory can have it, since none begins like this.
    pub fn trial(id: impl std::fmt::Display) -> Self {
        Self(format!("{TRIAL}{id}"))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for DirectoryName {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl TryFrom<String> for DirectoryName {
    type Error = DirectoryNameError;

    fn try_from(text: String) -> Result<Self, DirectoryNameError> {
        Self::new(text)
    }
}

impl From<DirectoryName> for String {
    fn from(name: DirectoryName) -> Self {
        name.0
    }
}

impl WorkspaceRoot {
    /// Makes the directory if it is missing and resolves it once, symlinks included.
    pub async fn open(path: &Path) -> Result<Self, GitError> {
        tokio::fs::create_dir_all(path).await.map_err(GitError::file("created", path))?;
        let path = tokio::fs::canonicalize(path).await.map_err(GitError::file("resolved", path))?;
        spread_out(&path);
        Ok(Self { common: path.clone(), path })
    }

    /// Where worktrees lie that have left their place and whose content is still to be dealt with, each by its name.
    /// The lock of a name is good for both places.
    #[must_use]
    pub fn leaving(&self) -> Self {
        Self { path: self.common.join(LEAVING), common: self.common.clone() }
    }

    /// The resolved path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The only path that a worktree of this name can have.
    pub fn directory(&self, name: &DirectoryName) -> PathBuf {
        self.path.join(name.as_str())
    }

    /// Makes the directory of this name, if it is not there; whatever stands in its place is refused.
    pub async fn make_directory(&self, name: &DirectoryName) -> Result<(), GitError> {
        let path = self.directory(name);
        match tokio::fs::create_dir(&path).await {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                Err(GitError::file("created", &path)(error))
            }
            _ => Ok(self.open_directory(name).map(drop)?),
        }
    }

    /// The directory of this name, held open. Whatever stands in its place, such as a symlink, is refused.
    pub fn open_directory(&self, name: &DirectoryName) -> Result<Beneath, EscapeError> {
        Beneath::root(&self.path)?.directory(Path::new(name.as_str()))
    }

    /// The names of everything that could be a workspace: what else lies there is not ours to name.
    pub async fn load_directories(&self) -> Result<Vec<DirectoryName>, GitError> {
        let failed = || GitError::file("read", &self.path);
        let mut entries = tokio::fs::read_dir(&self.path).await.map_err(failed())?;
        let mut names = Vec::new();
        while let Some(entry) = entries.next_entry().await.map_err(failed())? {
            let name = entry.file_name().into_string().ok();
            names.extend(name.and_then(|name| DirectoryName::new(name).ok()));
        }
        names.sort();
        Ok(names)
    }

    /// Where worktrees wait that no task has yet. No task's directory can have this name.
    pub(crate) fn pool(&self) -> PathBuf {
        self.common.join(POOL)
    }

    /// Where files are whose worktree is still to be made, each by its name.
    pub(crate) fn drafts(&self) -> PathBuf {
        self.common.join(DRAFTS)
    }

    /// Renames a directory (or whatever stands in its place) to where it is deleted; `None` when nothing is there.
    pub(crate) fn move_to_trash(&self, from: &Path) -> Result<Option<PathBuf>, GitError> {
        self.move_aside(from, TRASH)
    }

    /// Renames a directory (or whatever stands in its place) to where nothing is ever deleted.
    pub(crate) fn move_to_kept(&self, from: &Path) -> Result<Option<PathBuf>, GitError> {
        self.move_aside(from, KEPT)
    }

    fn move_aside(&self, from: &Path, place: &str) -> Result<Option<PathBuf>, GitError> {
        let place = self.common.join(place);
        make_private(&place)?;
        let name = from.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        for attempt in 0_u32.. {
            let to = place.join(format!("{name}.{attempt}"));
            // A directory is never renamed over one that holds anything, so a taken name only means the next number.
            if to.symlink_metadata().is_ok() {
                continue;
            }
            return match std::fs::rename(from, &to) {
                Ok(()) => Ok(Some(to)),
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
                Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => continue,
                Err(error) => Err(GitError::file("moved aside", from)(error)),
            };
        }
        Ok(None)
    }

    /// Deletes what removals put into the trash, slowly, when nobody else wants the disk: how many entries. What was set
    /// aside on purpose is elsewhere.
    pub async fn empty_trash(&self) -> Result<usize, GitError> {
        let trash = self.common.join(TRASH);
        let mut entries = match tokio::fs::read_dir(&trash).await {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(GitError::file("read", &trash)(error)),
        };
        let mut count = 0;
        while let Some(entry) =
            entries.next_entry().await.map_err(GitError::file("read", &trash))?
        {
            delete_slowly(entry.path()).await?;
            count += 1;
        }
        Ok(count)
    }
}

/// Makes a directory that only we may enter.
pub(crate) fn make_private(path: &Path) -> Result<(), GitError> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700);
    builder.create(path).map_err(GitError::file("created", path))
}

/// Deletes on a thread of its own, which gives way to every other.
async fn delete_slowly(path: PathBuf) -> Result<(), GitError> {
    let target = path.clone();
    let deleted = slow_work("forge-trash", move || delete_now(&target)).await.flatten();
    deleted.map_err(GitError::file("deleted", &path))
}

pub(crate) fn delete_now(path: &Path) -> std::io::Result<()> {
    let found = match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    if !found.is_dir() {
        return std::fs::remove_file(path);
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that removes worktrees, after they were renamed aside, and what never was one"
    )]
    std::fs::remove_dir_all(path)
}

/// Deletes a directory tree, or a single file or symlink in its place. Nothing being there is fine.
pub(crate) async fn delete(path: &Path) -> Result<(), GitError> {
    let target = path.to_owned();
    let deleting = tokio::task::spawn_blocking(move || delete_now(&target));
    match deleting.await.map_err(std::io::Error::other).flatten() {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(GitError::file("deleted", path)(error))
        }
        _ => Ok(()),
    }
}

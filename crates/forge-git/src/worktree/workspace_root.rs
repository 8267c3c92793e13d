use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::command::git_error::GitError;
use crate::command::low_priority::run_low_priority;
use crate::fs::confined_dir::{ConfinedDir, PathEscapeError};
use crate::fs::spread::spread_out;

const TRASH_DIR: &str = ".trash";
const KEPT_DIR: &str = ".kept";
const POOL_DIR: &str = ".pool";
const STAGED_REMOVALS_DIR: &str = ".removing";
/// The name of the directory of staged removals in earlier versions.
const OLD_STAGED_REMOVALS_DIR: &str = ".leaving";
const DRAFTS: &str = ".drafts";
/// The name prefix of trial worktrees.
pub(crate) const TRIAL_PREFIX: &str = "_merge-";
const LONGEST: usize = 120;

/// The resolved directory that contains all worktrees of this installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkspaceRoot {
    path: PathBuf,
    /// The directory of trash, pool and kept files, which all roots of this installation share.
    common: PathBuf,
}

/// The name of a worktree's directory: one path component that neither is hidden nor looks like an option.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DirectoryName(String);

/// The error for a text that cannot name a worktree's directory.
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

    /// The directory name of a trial (M-6). No task's directory can have it, because none begins with `_`.
    pub fn trial(id: impl std::fmt::Display) -> Self {
        Self(format!("{TRIAL_PREFIX}{id}"))
    }

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
    /// Creates the directory if it is missing and resolves it once, symlinks included.
    pub async fn open(path: &Path) -> Result<Self, GitError> {
        tokio::fs::create_dir_all(path).await.map_err(GitError::file("created", path))?;
        let path = tokio::fs::canonicalize(path).await.map_err(GitError::file("resolved", path))?;
        spread_out(&path);
        let root = Self { common: path.clone(), path };
        root.adopt_old_staged_removals()?;
        Ok(root)
    }

    /// Renames the directory of staged removals of an earlier version. Git's records follow when each removal goes on.
    fn adopt_old_staged_removals(&self) -> Result<(), GitError> {
        let (old, new) =
            (self.common.join(OLD_STAGED_REMOVALS_DIR), self.common.join(STAGED_REMOVALS_DIR));
        if new.symlink_metadata().is_ok() || old.symlink_metadata().is_err() {
            return Ok(());
        }
        std::fs::rename(&old, &new).map_err(GitError::file("renamed", &old))
    }

    /// The root of worktrees whose removal is staged, each under its own name. The lock of a name covers both paths.
    #[must_use]
    pub fn staged_removals(&self) -> Self {
        Self { path: self.common.join(STAGED_REMOVALS_DIR), common: self.common.clone() }
    }

    /// The path that git's record names for a worktree whose removal an earlier version staged.
    pub(crate) fn old_staged_removal(&self, name: &DirectoryName) -> PathBuf {
        self.common.join(OLD_STAGED_REMOVALS_DIR).join(name.as_str())
    }

    /// The resolved path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of the worktree with this name.
    pub fn directory(&self, name: &DirectoryName) -> PathBuf {
        self.path.join(name.as_str())
    }

    /// Creates the directory of this name unless it exists. Anything else at its path is refused.
    pub async fn make_directory(&self, name: &DirectoryName) -> Result<(), GitError> {
        let path = self.directory(name);
        match tokio::fs::create_dir(&path).await {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                Err(GitError::file("created", &path)(error))
            }
            _ => Ok(self.open_directory(name).map(drop)?),
        }
    }

    /// Opens the directory of this name. Anything else at its path, such as a symlink, is refused.
    pub(crate) fn open_directory(
        &self,
        name: &DirectoryName,
    ) -> Result<ConfinedDir, PathEscapeError> {
        ConfinedDir::open_root(&self.path)?.directory(Path::new(name.as_str()))
    }

    /// The names of all possible workspaces. Other entries of the directory do not belong to Forge.
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

    /// The directory of pooled worktrees. No task's directory can have this name.
    pub(crate) fn pool_directory(&self) -> PathBuf {
        self.common.join(POOL_DIR)
    }

    /// Moves the `.drafts` directory to the trash, where earlier versions wrote files of worktrees that were not made yet.
    /// A symlink in its place goes there itself, not its target.
    pub fn discard_drafts(&self) -> Result<(), GitError> {
        let drafts = self.common.join(DRAFTS);
        match drafts.symlink_metadata() {
            Ok(_) => self.move_to_trash(&drafts).map(drop),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(GitError::file("read", &drafts)(error)),
        }
    }

    /// Renames whatever is at the path into the trash; `None` if nothing is there.
    pub(crate) fn move_to_trash(&self, from: &Path) -> Result<Option<PathBuf>, GitError> {
        self.move_aside(from, TRASH_DIR)
    }

    /// Renames whatever is at the path into a directory whose content is never deleted.
    pub(crate) fn move_to_kept(&self, from: &Path) -> Result<Option<PathBuf>, GitError> {
        self.move_aside(from, KEPT_DIR)
    }

    fn move_aside(&self, from: &Path, place: &str) -> Result<Option<PathBuf>, GitError> {
        let place = self.common.join(place);
        create_private_directory(&place)?;
        let name = from.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        for attempt in 0_u32.. {
            let to = place.join(format!("{name}.{attempt}"));
            // A rename never replaces a directory that holds anything, so if the name is taken, try the next number.
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

    /// Deletes the content of the trash at low priority, and returns the number of entries. Kept files are in another
    /// directory.
    pub async fn empty_trash(&self) -> Result<usize, GitError> {
        let trash = self.common.join(TRASH_DIR);
        let mut entries = match tokio::fs::read_dir(&trash).await {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(GitError::file("read", &trash)(error)),
        };
        let mut count = 0;
        while let Some(entry) =
            entries.next_entry().await.map_err(GitError::file("read", &trash))?
        {
            delete_in_background(entry.path()).await?;
            count += 1;
        }
        Ok(count)
    }
}

/// Creates a directory that only Forge's user may enter.
pub(crate) fn create_private_directory(path: &Path) -> Result<(), GitError> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700);
    builder.create(path).map_err(GitError::file("created", path))
}

/// Deletes a tree on a separate thread with the lowest priority.
async fn delete_in_background(path: PathBuf) -> Result<(), GitError> {
    let target = path.clone();
    let deleted =
        run_low_priority("forge-trash", move || delete_tree_blocking(&target)).await.flatten();
    deleted.map_err(GitError::file("deleted", &path))
}

pub(crate) fn delete_tree_blocking(path: &Path) -> std::io::Result<()> {
    let found = match std::fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    if !found.is_dir() {
        return std::fs::remove_file(path);
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "the only place that deletes directories: worktrees in the trash, and directories that never were one"
    )]
    std::fs::remove_dir_all(path)
}

/// Deletes a directory tree, a file or a symlink. A missing path is no error.
pub(crate) async fn delete_tree(path: &Path) -> Result<(), GitError> {
    let target = path.to_owned();
    let deleting = tokio::task::spawn_blocking(move || delete_tree_blocking(&target));
    match deleting.await.map_err(std::io::Error::other).flatten() {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(GitError::file("deleted", path)(error))
        }
        _ => Ok(()),
    }
}

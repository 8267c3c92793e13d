use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path};

use crate::checkout::checkout_list::Checkout;
use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::fs::confined_dir::{ConfinedDir, PathEscapeError};
use crate::worktree::include_list::{IncludeError, IncludeList};
use crate::worktree::worktree_handle::LockedWorktree;

/// The temporary name of a copy. A file under its final name is always complete.
const PARTIAL_COPY_NAME: &str = ".forge.include";
const MAX_REASONS: usize = 20;

/// The result of copying included files into a worktree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IncludeOutcome {
    /// The number of copied files.
    pub files: u64,
    /// The number of created symlinks.
    pub symlinks: u64,
    /// The number of paths that existed already and were left unchanged.
    pub already_present: u64,
    /// The number of paths that were not copied.
    pub skipped: u64,
    /// Some of the skipped paths, each with the reason.
    pub reasons: Vec<String>,
    /// Whether the caller stopped the copy.
    pub stopped: bool,
}

impl LockedWorktree {
    /// Copies the ignored files that the list selects from the user's checkout, by reflink where the filesystem
    /// supports it. Overwrites nothing and follows no symlink on either side (W-5, W-13). Calls `stopped` before each
    /// file.
    pub async fn include(
        &self,
        list: &IncludeList,
        stopped: impl Fn() -> bool + Send + 'static,
    ) -> Result<IncludeOutcome, IncludeError> {
        let Some(person) = self.repo().work_tree() else { return Ok(IncludeOutcome::default()) };
        let checkouts = self.repo().checkouts().await?;
        let Some(checkout) = checkouts.into_iter().find(|checkout| checkout.path() == person)
        else {
            return Ok(IncludeOutcome::default());
        };
        let paths = list_included(&checkout, list).await?;
        let (from, to) = (ConfinedDir::open_root(person)?, self.open_directory()?);
        let copying = tokio::task::spawn_blocking(move || {
            IncludeCopier::new(from, to).copy_all(&paths, stopped)
        });
        let copied = copying.await.map_err(io::Error::other);
        Ok(copied.map_err(GitError::file("filled", self.path()))??)
    }
}

/// The ignored files that the list selects, in git's order.
async fn list_included(checkout: &Checkout, list: &IncludeList) -> Result<Vec<Vec<u8>>, GitError> {
    let listing =
        || GitCommand::read_checkout(checkout, "ls-files").args(["--others", "--ignored", "-z"]);
    let patterns = list.patterns().map(|pattern| {
        let mut option = std::ffi::OsString::from("--exclude=");
        option.push(pattern);
        option
    });
    let patterns: Vec<_> = patterns.collect();
    if patterns.is_empty() {
        return Ok(Vec::new());
    }
    let ignored = listing().arg("--exclude-standard").run().await?;
    let ignored: HashSet<&[u8]> = ignored.split(|byte| *byte == 0).collect();
    let wanted = listing().args(patterns).run().await?;
    let wanted = wanted.split(|byte| *byte == 0);
    let both = wanted.filter(|path| !path.is_empty() && ignored.contains(path));
    Ok(both.map(<[u8]>::to_vec).collect())
}

struct IncludeCopier {
    from: ConfinedDir,
    to: ConfinedDir,
    done: IncludeOutcome,
}

enum CopyResult {
    FileCopied,
    LinkCreated,
    AlreadyPresent,
    Skipped(&'static str),
}

impl IncludeCopier {
    fn new(from: ConfinedDir, to: ConfinedDir) -> Self {
        Self { from, to, done: IncludeOutcome::default() }
    }

    fn copy_all(
        mut self,
        paths: &[Vec<u8>],
        stopped: impl Fn() -> bool,
    ) -> Result<IncludeOutcome, GitError> {
        self.to.remove_file(Path::new(PARTIAL_COPY_NAME))?;
        let mut place: Option<DirectoryPair> = None;
        for path in paths {
            if stopped() {
                self.done.stopped = true;
                break;
            }
            let path = Path::new(OsStr::from_bytes(path));
            let brought = self.copy_path(path, &mut place)?;
            match brought {
                CopyResult::FileCopied => self.done.files += 1,
                CopyResult::LinkCreated => self.done.symlinks += 1,
                CopyResult::AlreadyPresent => self.done.already_present += 1,
                CopyResult::Skipped(why) => {
                    self.done.skipped += 1;
                    if self.done.reasons.len() < MAX_REASONS {
                        self.done.reasons.push(format!("{}: {why}", path.display()));
                    }
                }
            }
        }
        Ok(self.done)
    }

    fn copy_path(
        &self,
        path: &Path,
        place: &mut Option<DirectoryPair>,
    ) -> Result<CopyResult, GitError> {
        if path.as_os_str().as_bytes().ends_with(b"/") {
            return Ok(CopyResult::Skipped("a repository of its own"));
        }
        let (Some(name), Some(parent)) = (path.file_name(), path.parent()) else {
            return Ok(CopyResult::Skipped("no name of a file"));
        };
        if parent.as_os_str().is_empty() {
            return self.copy_entry(&self.from, &self.to, parent, name);
        }
        // Git lists the files of a directory one after the other.
        if place.as_ref().is_none_or(|place| place.parent != parent) {
            *place = match DirectoryPair::open(&self.from, &self.to, parent) {
                Ok(place) => Some(place),
                Err(error) => return skip_or_fail(error),
            };
        }
        match place {
            Some(place) => self.copy_entry(&place.from, &place.to, parent, name),
            None => Ok(CopyResult::Skipped("its directory is gone")),
        }
    }

    fn copy_entry(
        &self,
        from: &ConfinedDir,
        to: &ConfinedDir,
        parent: &Path,
        name: &OsStr,
    ) -> Result<CopyResult, GitError> {
        if to.contains_name(name) {
            return Ok(CopyResult::AlreadyPresent);
        }
        if let Some(target) = from.link_target(name) {
            if !stays_inside(parent, &target) {
                return Ok(CopyResult::Skipped("a symlink that leads outside"));
            }
            return Ok(if to.make_link(&target, name)? {
                CopyResult::LinkCreated
            } else {
                CopyResult::AlreadyPresent
            });
        }
        let source = match from.open_file(Path::new(name)) {
            Ok(source) => source,
            Err(error) => return skip_or_fail(error),
        };
        let path = to.path().join(name);
        let failed = || GitError::file("copied", &path);
        let found = source.metadata().map_err(failed())?;
        if !found.is_file() {
            return Ok(CopyResult::Skipped("no plain file"));
        }
        let mut copy = self.to.create_file(Path::new(PARTIAL_COPY_NAME), 0o600)?;
        let written = copy_content(&source, &mut copy).and_then(|()| {
            copy.set_permissions(Permissions::from_mode(found.permissions().mode() & 0o777))?;
            copy.set_modified(found.modified()?)
        });
        if let Err(error) = written {
            self.to.remove_file(Path::new(PARTIAL_COPY_NAME))?;
            return Err(failed()(error));
        }
        if self.to.rename_into(OsStr::new(PARTIAL_COPY_NAME), to, name)? {
            return Ok(CopyResult::FileCopied);
        }
        self.to.remove_file(Path::new(PARTIAL_COPY_NAME))?;
        Ok(CopyResult::AlreadyPresent)
    }
}

/// The same directory on both sides.
struct DirectoryPair {
    parent: std::path::PathBuf,
    from: ConfinedDir,
    to: ConfinedDir,
}

impl DirectoryPair {
    fn open(from: &ConfinedDir, to: &ConfinedDir, parent: &Path) -> Result<Self, PathEscapeError> {
        Ok(Self {
            parent: parent.to_owned(),
            from: from.directory(parent)?,
            to: to.make_directory(parent)?,
        })
    }
}

/// Converts an obstacle to a single file into a skipped file; a disk error stays an error.
fn skip_or_fail(error: PathEscapeError) -> Result<CopyResult, GitError> {
    match error {
        PathEscapeError::NotADirectory(_) => Ok(CopyResult::Skipped("a symlink is in its way")),
        PathEscapeError::Outside(_) => Ok(CopyResult::Skipped("it lies outside")),
        PathEscapeError::System { source, .. }
            if matches!(
                source.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
            ) =>
        {
            Ok(CopyResult::Skipped("it cannot be read"))
        }
        other => Err(other.into()),
    }
}

/// Shares the blocks where the filesystem supports it; otherwise the kernel copies them.
fn copy_content(source: &File, copy: &mut File) -> io::Result<()> {
    if rustix::fs::ioctl_ficlone(&*copy, source).is_ok() {
        return Ok(());
    }
    // For two files this is copy_file_range.
    io::copy(&mut &*source, copy).map(|_| ())
}

/// Whether a symlink in this directory can lead only to paths inside the tree: it climbs first, at most to the top,
/// and then only descends. A later `..` could start from the target of another symlink.
fn stays_inside(parent: &Path, target: &Path) -> bool {
    let depth = parent.components().count();
    let climbs = target.components().take_while(|part| *part == Component::ParentDir).count();
    let rest = target.components().skip(climbs);
    let goes_down =
        rest.clone().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    target.is_relative() && climbs <= depth && goes_down && !target.as_os_str().is_empty()
}

#[cfg(test)]
mod tests {
    use super::stays_inside;
    use std::path::Path;

    #[test]
    fn w_13_symlinks_that_could_lead_outside_are_detected() {
        let inside =
            |parent: &str, target: &str| stays_inside(Path::new(parent), Path::new(target));
        assert!(inside("", "a/b") && inside("m/.bin", "../x/cli.js") && inside("a/b", "../../c"));
        for (parent, target) in
            [("", ".."), ("a", "../../x"), ("", "/etc/passwd"), ("a", "b/../../.."), ("", "")]
        {
            assert!(!inside(parent, target), "{parent} {target}");
        }
    }
}

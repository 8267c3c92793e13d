use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path};

use crate::beneath::{Beneath, EscapeError};
use crate::checkout::Checkout;
use crate::command::Command;
use crate::error::GitError;
use crate::include_list::{IncludeError, IncludeList};
use crate::worktree::HeldWorktree;

/// Where a copy grows until it is whole: a copy under its own name is complete.
const GROWING: &str = ".forge.include";
const MOST_NAMED: usize = 20;

/// What was brought into a worktree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Included {
    /// Files that were copied.
    pub files: u64,
    /// Symlinks that were made again.
    pub links: u64,
    /// What was there already and was left as it is.
    pub present: u64,
    /// What was not copied.
    pub left_out: u64,
    /// Some of that, and why.
    pub reasons: Vec<String>,
    /// Whether it was cut short.
    pub stopped: bool,
}

impl HeldWorktree {
    /// Copies the ignored files that the list names from the person's checkout, by reflink where the filesystem can.
    /// Nothing is overwritten and no symlink followed, on either side (W-5, W-13). `stopped` is asked before each file.
    pub async fn include(
        &self,
        list: &IncludeList,
        stopped: impl Fn() -> bool + Send + 'static,
    ) -> Result<Included, IncludeError> {
        let Some(person) = self.repo().work_tree() else { return Ok(Included::default()) };
        let checkouts = self.repo().checkouts().await?;
        let Some(checkout) = checkouts.into_iter().find(|checkout| checkout.path() == person)
        else {
            return Ok(Included::default());
        };
        let paths = named(&checkout, list).await?;
        let (from, to) = (Beneath::root(person)?, self.ground()?);
        let copying =
            tokio::task::spawn_blocking(move || Copying::new(from, to).all(&paths, stopped));
        let copied = copying.await.map_err(io::Error::other);
        Ok(copied.map_err(GitError::file("filled", self.path()))??)
    }
}

/// What the list names of what git ignores, in order.
async fn named(checkout: &Checkout, list: &IncludeList) -> Result<Vec<Vec<u8>>, GitError> {
    let listing =
        || Command::read_checkout(checkout, "ls-files").args(["--others", "--ignored", "-z"]);
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

struct Copying {
    from: Beneath,
    to: Beneath,
    done: Included,
}

enum Brought {
    File,
    Link,
    Present,
    LeftOut(&'static str),
}

impl Copying {
    fn new(from: Beneath, to: Beneath) -> Self {
        Self { from, to, done: Included::default() }
    }

    fn all(mut self, paths: &[Vec<u8>], stopped: impl Fn() -> bool) -> Result<Included, GitError> {
        self.to.remove_file(Path::new(GROWING))?;
        let mut place: Option<Place> = None;
        for path in paths {
            if stopped() {
                self.done.stopped = true;
                break;
            }
            let path = Path::new(OsStr::from_bytes(path));
            let brought = self.one(path, &mut place)?;
            match brought {
                Brought::File => self.done.files += 1,
                Brought::Link => self.done.links += 1,
                Brought::Present => self.done.present += 1,
                Brought::LeftOut(why) => {
                    self.done.left_out += 1;
                    if self.done.reasons.len() < MOST_NAMED {
                        self.done.reasons.push(format!("{}: {why}", path.display()));
                    }
                }
            }
        }
        Ok(self.done)
    }

    fn one(&self, path: &Path, place: &mut Option<Place>) -> Result<Brought, GitError> {
        if path.as_os_str().as_bytes().ends_with(b"/") {
            return Ok(Brought::LeftOut("a repository of its own"));
        }
        let (Some(name), Some(parent)) = (path.file_name(), path.parent()) else {
            return Ok(Brought::LeftOut("no name of a file"));
        };
        if parent.as_os_str().is_empty() {
            return self.bring(&self.from, &self.to, parent, name);
        }
        // Git lists a directory's files together.
        if place.as_ref().is_none_or(|place| place.parent != parent) {
            *place = match Place::open(&self.from, &self.to, parent) {
                Ok(place) => Some(place),
                Err(error) => return not_there(error),
            };
        }
        match place {
            Some(place) => self.bring(&place.from, &place.to, parent, name),
            None => Ok(Brought::LeftOut("its directory is gone")),
        }
    }

    fn bring(
        &self,
        from: &Beneath,
        to: &Beneath,
        parent: &Path,
        name: &OsStr,
    ) -> Result<Brought, GitError> {
        if to.has(name) {
            return Ok(Brought::Present);
        }
        if let Some(target) = from.link_target(name) {
            if !stays_inside(parent, &target) {
                return Ok(Brought::LeftOut("a symlink that leads outside"));
            }
            return Ok(if to.make_link(&target, name)? { Brought::Link } else { Brought::Present });
        }
        let source = match from.open_file(Path::new(name)) {
            Ok(source) => source,
            Err(error) => return not_there(error),
        };
        let path = to.path().join(name);
        let failed = || GitError::file("copied", &path);
        let found = source.metadata().map_err(failed())?;
        if !found.is_file() {
            return Ok(Brought::LeftOut("no plain file"));
        }
        let mut copy = self.to.create_file(Path::new(GROWING), 0o600)?;
        let written = fill(&source, &mut copy).and_then(|()| {
            copy.set_permissions(Permissions::from_mode(found.permissions().mode() & 0o777))?;
            copy.set_modified(found.modified()?)
        });
        if let Err(error) = written {
            self.to.remove_file(Path::new(GROWING))?;
            return Err(failed()(error));
        }
        if self.to.hand_over(OsStr::new(GROWING), to, name)? {
            return Ok(Brought::File);
        }
        self.to.remove_file(Path::new(GROWING))?;
        Ok(Brought::Present)
    }
}

/// A directory on both sides.
struct Place {
    parent: std::path::PathBuf,
    from: Beneath,
    to: Beneath,
}

impl Place {
    fn open(from: &Beneath, to: &Beneath, parent: &Path) -> Result<Self, EscapeError> {
        Ok(Self {
            parent: parent.to_owned(),
            from: from.directory(parent)?,
            to: to.make_directory(parent)?,
        })
    }
}

/// What stands in the way of one file is no reason to fail; what the disk says is.
fn not_there(error: EscapeError) -> Result<Brought, GitError> {
    match error {
        EscapeError::NotADirectory(_) => Ok(Brought::LeftOut("a symlink is in its way")),
        EscapeError::Outside(_) => Ok(Brought::LeftOut("it lies outside")),
        EscapeError::System { source, .. }
            if matches!(
                source.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
            ) =>
        {
            Ok(Brought::LeftOut("it cannot be read"))
        }
        other => Err(other.into()),
    }
}

/// Shares the blocks where the filesystem can, else has the kernel copy them.
fn fill(source: &File, copy: &mut File) -> io::Result<()> {
    if rustix::fs::ioctl_ficlone(&*copy, source).is_ok() {
        return Ok(());
    }
    // For two files this is copy_file_range.
    io::copy(&mut &*source, copy).map(|_| ())
}

/// Whether a symlink in this directory can only lead to what is in the tree: it climbs first, not too far, and then
/// goes down. Climbing later could start from wherever another symlink leads.
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
    fn w_13_a_symlink_that_could_lead_outside_is_told_from_one_that_cannot() {
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

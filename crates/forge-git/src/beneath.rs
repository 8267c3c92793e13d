use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{
    AtFlags, Mode, OFlags, RenameFlags, mkdirat, openat, readlinkat, renameat_with, statat,
    symlinkat, unlinkat,
};

/// A directory that was reached from the workspace root without following a single symlink, held open. Whatever takes
/// its name's place later, operations through this value stay where it was found (W-5).
#[derive(Debug)]
pub struct Beneath {
    handle: OwnedFd,
    path: PathBuf,
}

/// A path that does not stay inside.
#[derive(Debug, thiserror::Error)]
pub enum EscapeError {
    /// It is absolute, empty, or climbs.
    #[error("{} leaves the workspace; give a path below its top level", .0.display())]
    Outside(PathBuf),
    /// A symlink, or something that is no directory, stands where a directory must be.
    #[error("{} is not a plain directory; it is not followed", .0.display())]
    NotADirectory(PathBuf),
    /// The system refused.
    #[error("{} cannot be reached: {source}", path.display())]
    System {
        /// The path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl AsFd for Beneath {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.handle.as_fd()
    }
}

impl Beneath {
    /// Opens a directory that is itself trusted: the workspace root, resolved once.
    pub(crate) fn root(path: &Path) -> Result<Self, EscapeError> {
        let handle = rustix::fs::open(path, directory_flags(), Mode::empty());
        let handle = handle.map_err(|error| refused(path, error))?;
        Ok(Self { handle, path: path.to_owned() })
    }

    /// A second handle of the same directory.
    pub(crate) fn again(&self) -> io::Result<Self> {
        Ok(Self { handle: self.handle.try_clone()?, path: self.path.clone() })
    }

    /// Where it was found.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A name for the directory itself, for a child that is started while this value lives. It leads to the same
    /// directory after a rename, and to no other.
    pub(crate) fn handle_path(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.handle.as_raw_fd()))
    }

    /// A directory below this one.
    pub fn directory(&self, relative: &Path) -> Result<Self, EscapeError> {
        let mut found: Option<Self> = None;
        for name in names(relative)? {
            found = Some(found.as_ref().unwrap_or(self).child(name)?);
        }
        found.ok_or_else(|| EscapeError::Outside(relative.to_owned()))
    }

    /// The same, made where it is missing.
    pub fn make_directory(&self, relative: &Path) -> Result<Self, EscapeError> {
        let mut found: Option<Self> = None;
        for name in names(relative)? {
            let parent = found.as_ref().unwrap_or(self);
            match mkdirat(&parent.handle, name, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(refused(&parent.path.join(name), error)),
            }
            found = Some(parent.child(name)?);
        }
        found.ok_or_else(|| EscapeError::Outside(relative.to_owned()))
    }

    /// A new directory of this name; `None` if anything has it.
    pub(crate) fn make_new_directory(&self, name: &OsStr) -> Result<Option<Self>, EscapeError> {
        match mkdirat(&self.handle, plain(name)?, Mode::from_raw_mode(0o777)) {
            Ok(()) => self.child(name).map(Some),
            Err(rustix::io::Errno::EXIST) => Ok(None),
            Err(error) => Err(refused(&self.path.join(name), error)),
        }
    }

    /// Opens a plain file below this directory for reading; a symlink in its place is refused.
    pub fn open_file(&self, relative: &Path) -> Result<File, EscapeError> {
        let (parent, name) = self.split(relative)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let parent = parent.as_ref().unwrap_or(self);
        let file = openat(&parent.handle, name, flags, Mode::empty())
            .map_err(|error| refused(&self.path.join(relative), error))?;
        Ok(File::from(file))
    }

    /// Makes a new file below this directory, in the place of whatever plain file or symlink has the name.
    pub fn create_file(&self, relative: &Path, mode: u32) -> Result<File, EscapeError> {
        let (parent, name) = self.split(relative)?;
        let parent = parent.as_ref().unwrap_or(self);
        let at = |error| refused(&self.path.join(relative), error);
        match unlinkat(&parent.handle, name, AtFlags::empty()) {
            Ok(()) | Err(rustix::io::Errno::NOENT) => {}
            Err(error) => return Err(at(error)),
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = openat(&parent.handle, name, flags, Mode::from_raw_mode(mode)).map_err(at)?;
        Ok(File::from(file))
    }

    /// Makes a new file of this name, unless anything has it.
    pub(crate) fn create_new(&self, name: &OsStr, mode: u32) -> Result<File, EscapeError> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = openat(&self.handle, plain(name)?, flags, Mode::from_raw_mode(mode));
        Ok(File::from(file.map_err(|error| refused(&self.path.join(name), error))?))
    }

    /// Opens the file of this name to be written over; a symlink in its place is refused.
    pub(crate) fn open_to_write(&self, name: &OsStr) -> Result<File, EscapeError> {
        let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = openat(&self.handle, plain(name)?, flags, Mode::empty());
        Ok(File::from(file.map_err(|error| refused(&self.path.join(name), error))?))
    }

    /// What has this name, a symlink itself rather than what it leads to.
    pub(crate) fn stat(&self, name: &OsStr) -> Result<rustix::fs::Stat, EscapeError> {
        let found = statat(&self.handle, plain(name)?, AtFlags::SYMLINK_NOFOLLOW);
        found.map_err(|error| refused(&self.path.join(name), error))
    }

    /// Takes an empty directory away; one that is not empty stays, and none being there is fine.
    pub(crate) fn remove_empty(&self, relative: &Path) -> Result<(), EscapeError> {
        let (parent, name) = self.split(relative)?;
        let parent = parent.as_ref().unwrap_or(self);
        match unlinkat(&parent.handle, name, AtFlags::REMOVEDIR) {
            Ok(()) | Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTEMPTY) => Ok(()),
            Err(error) => Err(refused(&self.path.join(relative), error)),
        }
    }

    /// Takes a file's name away; nothing being there is fine.
    pub fn remove_file(&self, relative: &Path) -> Result<(), EscapeError> {
        let (parent, name) = self.split(relative)?;
        let parent = parent.as_ref().unwrap_or(self);
        match unlinkat(&parent.handle, name, AtFlags::empty()) {
            Ok(()) | Err(rustix::io::Errno::NOENT) => Ok(()),
            Err(error) => Err(refused(&self.path.join(relative), error)),
        }
    }

    /// Where the symlink of this name points; `None` when it is none.
    pub(crate) fn link_target(&self, name: &OsStr) -> Option<PathBuf> {
        let target = readlinkat(&self.handle, name, Vec::new()).ok()?;
        Some(PathBuf::from(OsStr::from_bytes(target.to_bytes())))
    }

    /// Makes a symlink, unless anything has the name. Whether it was made.
    pub(crate) fn make_link(&self, target: &Path, name: &OsStr) -> Result<bool, EscapeError> {
        match symlinkat(target, &self.handle, name) {
            Ok(()) => Ok(true),
            Err(rustix::io::Errno::EXIST) => Ok(false),
            Err(error) => Err(refused(&self.path.join(name), error)),
        }
    }

    /// Moves what has the name into a directory, unless anything has the new name. Whether it was moved.
    pub(crate) fn hand_over(
        &self,
        name: &OsStr,
        to: &Self,
        new: &OsStr,
    ) -> Result<bool, EscapeError> {
        match renameat_with(&self.handle, name, &to.handle, new, RenameFlags::NOREPLACE) {
            Ok(()) => Ok(true),
            Err(rustix::io::Errno::EXIST) => Ok(false),
            Err(error) => Err(refused(&to.path.join(new), error)),
        }
    }

    /// Whether anything has the name, a dangling symlink included.
    pub fn has(&self, name: &OsStr) -> bool {
        statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    fn child(&self, name: &OsStr) -> Result<Self, EscapeError> {
        let path = self.path.join(name);
        let handle = openat(self.handle.as_fd(), name, directory_flags(), Mode::empty())
            .map_err(|error| refused(&path, error))?;
        Ok(Self { handle, path })
    }

    /// The directory of a path, if it is another one, and the last name.
    fn split<'a>(&self, relative: &'a Path) -> Result<(Option<Self>, &'a OsStr), EscapeError> {
        let outside = || EscapeError::Outside(relative.to_owned());
        let mut names = names(relative)?;
        let name = names.pop().ok_or_else(outside)?;
        let parent: PathBuf = names.iter().collect();
        let parent = if names.is_empty() { None } else { Some(self.directory(&parent)?) };
        Ok((parent, name))
    }
}

fn directory_flags() -> OFlags {
    OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC
}

/// One plain name.
fn plain(name: &OsStr) -> Result<&OsStr, EscapeError> {
    let bytes = name.as_bytes();
    if bytes.contains(&b'/') || matches!(bytes, b"" | b"." | b"..") {
        return Err(EscapeError::Outside(name.into()));
    }
    Ok(name)
}

/// Plain names all the way down.
fn names(relative: &Path) -> Result<Vec<&OsStr>, EscapeError> {
    relative
        .components()
        .map(|part| match part {
            Component::Normal(name) => Ok(name),
            _ => Err(EscapeError::Outside(relative.to_owned())),
        })
        .collect()
}

fn refused(path: &Path, error: rustix::io::Errno) -> EscapeError {
    match error {
        rustix::io::Errno::LOOP | rustix::io::Errno::NOTDIR => {
            EscapeError::NotADirectory(path.to_owned())
        }
        other => EscapeError::System { path: path.to_owned(), source: other.into() },
    }
}

impl EscapeError {
    /// Whether nothing is there at all.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::System { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use std::io::Write;
    use std::os::unix::fs::symlink;

    fn root() -> (tempfile::TempDir, Beneath) {
        let home = tempfile::tempdir().expect("a directory");
        let root = Beneath::root(&home.path().canonicalize().expect("there")).expect("opens");
        (home, root)
    }

    #[test]
    fn w_5_climbing_absolute_and_empty_paths_are_refused() {
        let (_home, root) = root();
        for path in ["", "..", "../x", "/etc", "a/../../x", "."] {
            let refused = root.directory(Path::new(path));
            assert!(matches!(refused, Err(EscapeError::Outside(_))), "{path}: {refused:?}");
        }
    }

    #[test]
    fn w_5_a_symlink_is_followed_nowhere_on_the_way() {
        let (home, root) = root();
        let outside = tempfile::tempdir().expect("a directory");
        std::fs::create_dir(home.path().join("real")).expect("made");
        symlink(outside.path(), home.path().join("link")).expect("made");
        symlink(outside.path(), home.path().join("real/link")).expect("made");
        std::fs::write(outside.path().join("secret"), "s").expect("written");
        symlink(outside.path().join("secret"), home.path().join("real/file")).expect("made");
        for path in ["link", "real/link", "link/x"] {
            let refused = root.directory(Path::new(path));
            assert!(matches!(refused, Err(EscapeError::NotADirectory(_))), "{path}: {refused:?}");
        }
        root.open_file(Path::new("real/file")).expect_err("a symlink is no plain file");
        let mut file = root.create_file(Path::new("real/file"), 0o600).expect("replaces the link");
        file.write_all(b"mine").expect("writes");
        assert_eq!(std::fs::read(outside.path().join("secret")).expect("reads"), b"s");
        root.make_directory(Path::new("link/new")).expect_err("not through a symlink");
        assert!(!outside.path().join("new").exists());
    }

    #[test]
    fn w_5_a_directory_that_is_swapped_later_redirects_nothing() {
        let (home, root) = root();
        let outside = tempfile::tempdir().expect("a directory");
        std::fs::create_dir(home.path().join("work")).expect("made");
        let work = root.directory(Path::new("work")).expect("opens");
        std::fs::rename(home.path().join("work"), home.path().join("moved")).expect("moved");
        symlink(outside.path(), home.path().join("work")).expect("made");
        work.create_file(Path::new("x"), 0o600).expect("made");
        assert!(home.path().join("moved/x").exists());
        assert!(!outside.path().join("x").exists());
    }
}

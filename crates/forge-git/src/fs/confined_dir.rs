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

/// A directory that was reached from the workspace root without following a symlink, held open. If another directory
/// takes its name later, operations through this value still work on the original one (W-5).
#[derive(Debug)]
pub struct ConfinedDir {
    handle: OwnedFd,
    path: PathBuf,
}

/// The error for a path that is not confined to the directory.
#[derive(Debug, thiserror::Error)]
pub enum PathEscapeError {
    /// The path is absolute, empty, or climbs with `..`.
    #[error("{} leaves the workspace; give a path below its top level", .0.display())]
    Outside(PathBuf),
    /// A symlink, or anything else that is not a directory, is where a directory must be.
    #[error("{} is not a plain directory; it is not followed", .0.display())]
    NotADirectory(PathBuf),
    /// The operating system refused the access.
    #[error("{} cannot be reached: {source}", path.display())]
    System { path: PathBuf, source: io::Error },
}

impl AsFd for ConfinedDir {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.handle.as_fd()
    }
}

impl ConfinedDir {
    /// Opens a trusted directory: the workspace root, which is resolved once.
    pub(crate) fn open_root(path: &Path) -> Result<Self, PathEscapeError> {
        let handle = rustix::fs::open(path, directory_flags(), Mode::empty());
        let handle = handle.map_err(|error| map_errno(path, error))?;
        Ok(Self { handle, path: path.to_owned() })
    }

    /// Opens a second handle of the same directory.
    pub(crate) fn try_clone(&self) -> io::Result<Self> {
        Ok(Self { handle: self.handle.try_clone()?, path: self.path.clone() })
    }

    /// The path where the directory was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A path that leads to this directory even after a rename, and to no other. It is valid for a child process that
    /// is started while this value exists.
    pub(crate) fn handle_path(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.handle.as_raw_fd()))
    }

    /// Opens a directory below this one.
    pub fn directory(&self, relative: &Path) -> Result<Self, PathEscapeError> {
        let mut found: Option<Self> = None;
        for name in path_components(relative)? {
            found = Some(found.as_ref().unwrap_or(self).open_child(name)?);
        }
        found.ok_or_else(|| PathEscapeError::Outside(relative.to_owned()))
    }

    /// Opens a directory below this one, and creates each missing part.
    pub fn make_directory(&self, relative: &Path) -> Result<Self, PathEscapeError> {
        let mut found: Option<Self> = None;
        for name in path_components(relative)? {
            let parent = found.as_ref().unwrap_or(self);
            match mkdirat(&parent.handle, name, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(map_errno(&parent.path.join(name), error)),
            }
            found = Some(parent.open_child(name)?);
        }
        found.ok_or_else(|| PathEscapeError::Outside(relative.to_owned()))
    }

    /// Opens a regular file below this directory for reading. A symlink is refused.
    pub(crate) fn open_file(&self, relative: &Path) -> Result<File, PathEscapeError> {
        let (parent, name) = self.split(relative)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let parent = parent.as_ref().unwrap_or(self);
        let file = openat(&parent.handle, name, flags, Mode::empty())
            .map_err(|error| map_errno(&self.path.join(relative), error))?;
        Ok(File::from(file))
    }

    /// Creates a file below this directory and replaces a regular file or symlink of the same name.
    pub(crate) fn create_file(&self, relative: &Path, mode: u32) -> Result<File, PathEscapeError> {
        let (parent, name) = self.split(relative)?;
        let parent = parent.as_ref().unwrap_or(self);
        let at = |error| map_errno(&self.path.join(relative), error);
        match unlinkat(&parent.handle, name, AtFlags::empty()) {
            Ok(()) | Err(rustix::io::Errno::NOENT) => {}
            Err(error) => return Err(at(error)),
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = openat(&parent.handle, name, flags, Mode::from_raw_mode(mode)).map_err(at)?;
        Ok(File::from(file))
    }

    /// Creates a file of this name; fails if the name is taken.
    pub(crate) fn create_new(&self, name: &OsStr, mode: u32) -> Result<File, PathEscapeError> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = openat(&self.handle, check_component(name)?, flags, Mode::from_raw_mode(mode));
        Ok(File::from(file.map_err(|error| map_errno(&self.path.join(name), error))?))
    }

    /// Opens the file of this name to overwrite it. A symlink is refused.
    pub(crate) fn open_to_write(&self, name: &OsStr) -> Result<File, PathEscapeError> {
        let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let file = openat(&self.handle, check_component(name)?, flags, Mode::empty());
        Ok(File::from(file.map_err(|error| map_errno(&self.path.join(name), error))?))
    }

    /// The metadata of the entry of this name. A symlink is not followed.
    pub(crate) fn stat(&self, name: &OsStr) -> Result<rustix::fs::Stat, PathEscapeError> {
        let found = statat(&self.handle, check_component(name)?, AtFlags::SYMLINK_NOFOLLOW);
        found.map_err(|error| map_errno(&self.path.join(name), error))
    }

    /// Removes an empty directory. A directory with entries stays; a missing one is no error.
    pub(crate) fn remove_empty(&self, relative: &Path) -> Result<(), PathEscapeError> {
        let (parent, name) = self.split(relative)?;
        let parent = parent.as_ref().unwrap_or(self);
        match unlinkat(&parent.handle, name, AtFlags::REMOVEDIR) {
            Ok(()) | Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTEMPTY) => Ok(()),
            Err(error) => Err(map_errno(&self.path.join(relative), error)),
        }
    }

    /// Removes a file. A missing file is no error.
    pub fn remove_file(&self, relative: &Path) -> Result<(), PathEscapeError> {
        let (parent, name) = self.split(relative)?;
        let parent = parent.as_ref().unwrap_or(self);
        match unlinkat(&parent.handle, name, AtFlags::empty()) {
            Ok(()) | Err(rustix::io::Errno::NOENT) => Ok(()),
            Err(error) => Err(map_errno(&self.path.join(relative), error)),
        }
    }

    /// The target of the symlink of this name; `None` if the entry is not a symlink.
    pub(crate) fn link_target(&self, name: &OsStr) -> Option<PathBuf> {
        let target = readlinkat(&self.handle, name, Vec::new()).ok()?;
        Some(PathBuf::from(OsStr::from_bytes(target.to_bytes())))
    }

    /// Creates a symlink unless the name is taken. Returns whether it was created.
    pub(crate) fn make_link(&self, target: &Path, name: &OsStr) -> Result<bool, PathEscapeError> {
        match symlinkat(target, &self.handle, name) {
            Ok(()) => Ok(true),
            Err(rustix::io::Errno::EXIST) => Ok(false),
            Err(error) => Err(map_errno(&self.path.join(name), error)),
        }
    }

    /// Moves an entry into another directory unless the new name is taken. Returns whether it was moved.
    pub(crate) fn rename_into(
        &self,
        name: &OsStr,
        to: &Self,
        new: &OsStr,
    ) -> Result<bool, PathEscapeError> {
        match renameat_with(&self.handle, name, &to.handle, new, RenameFlags::NOREPLACE) {
            Ok(()) => Ok(true),
            Err(rustix::io::Errno::EXIST) => Ok(false),
            Err(error) => Err(map_errno(&to.path.join(new), error)),
        }
    }

    /// Whether an entry has this name. A dangling symlink counts.
    pub(crate) fn contains_name(&self, name: &OsStr) -> bool {
        statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    fn open_child(&self, name: &OsStr) -> Result<Self, PathEscapeError> {
        let path = self.path.join(name);
        let handle = openat(self.handle.as_fd(), name, directory_flags(), Mode::empty())
            .map_err(|error| map_errno(&path, error))?;
        Ok(Self { handle, path })
    }

    /// Splits a path into its parent directory (`None` if that is this directory) and its last name.
    fn split<'a>(&self, relative: &'a Path) -> Result<(Option<Self>, &'a OsStr), PathEscapeError> {
        let outside = || PathEscapeError::Outside(relative.to_owned());
        let mut names = path_components(relative)?;
        let name = names.pop().ok_or_else(outside)?;
        let parent: PathBuf = names.iter().collect();
        let parent = if names.is_empty() { None } else { Some(self.directory(&parent)?) };
        Ok((parent, name))
    }
}

fn directory_flags() -> OFlags {
    OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC
}

/// Checks that a name is a single path component.
fn check_component(name: &OsStr) -> Result<&OsStr, PathEscapeError> {
    let bytes = name.as_bytes();
    if bytes.contains(&b'/') || matches!(bytes, b"" | b"." | b"..") {
        return Err(PathEscapeError::Outside(name.into()));
    }
    Ok(name)
}

/// Splits a path into components; refuses `..`, `.` and absolute paths.
fn path_components(relative: &Path) -> Result<Vec<&OsStr>, PathEscapeError> {
    relative
        .components()
        .map(|part| match part {
            Component::Normal(name) => Ok(name),
            _ => Err(PathEscapeError::Outside(relative.to_owned())),
        })
        .collect()
}

fn map_errno(path: &Path, error: rustix::io::Errno) -> PathEscapeError {
    match error {
        rustix::io::Errno::LOOP | rustix::io::Errno::NOTDIR => {
            PathEscapeError::NotADirectory(path.to_owned())
        }
        other => PathEscapeError::System { path: path.to_owned(), source: other.into() },
    }
}

impl PathEscapeError {
    /// Whether the error says that the path does not exist.
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

    fn root() -> (tempfile::TempDir, ConfinedDir) {
        let home = tempfile::tempdir().expect("a directory");
        let root =
            ConfinedDir::open_root(&home.path().canonicalize().expect("there")).expect("opens");
        (home, root)
    }

    #[test]
    fn w_5_climbing_absolute_and_empty_paths_are_refused() {
        let (_home, root) = root();
        for path in ["", "..", "../x", "/etc", "a/../../x", "."] {
            let refused = root.directory(Path::new(path));
            assert!(matches!(refused, Err(PathEscapeError::Outside(_))), "{path}: {refused:?}");
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
            assert!(
                matches!(refused, Err(PathEscapeError::NotADirectory(_))),
                "{path}: {refused:?}"
            );
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

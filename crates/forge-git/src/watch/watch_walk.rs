use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;

use crate::fs::confined_dir::ConfinedDir;
use crate::watch::watcher::WatchError;

/// The depth limit, deeper than any source tree. Each level keeps a handle open.
const MAX_DEPTH: usize = 100;

/// Enters a directory and everything below it except ignored directories. Each directory is watched before it is
/// read, so that a new entry is either read or reported. No symlink is followed (W-5).
pub(crate) fn walk_directories(
    ground: &ConfinedDir,
    start: &Path,
    ignored: &HashSet<PathBuf>,
    enter: &mut dyn FnMut(&Path, &Path) -> Result<(), WatchError>,
) -> Result<(), WatchError> {
    if start.ancestors().any(|directory| ignored.contains(directory)) {
        return Ok(());
    }
    let mut handle = open_subdirectory(&ground.as_fd(), OsStr::new("."));
    for part in start.components() {
        handle = match handle {
            Ok(handle) => open_subdirectory(&handle.as_fd(), part.as_os_str()),
            Err(error) => Err(error),
        };
    }
    match handle {
        Ok(handle) => visit_directory(&handle, start, ignored, enter, MAX_DEPTH),
        Err(error) => skip_or_fail(start, error),
    }
}

fn visit_directory(
    handle: &OwnedFd,
    directory: &Path,
    ignored: &HashSet<PathBuf>,
    enter: &mut dyn FnMut(&Path, &Path) -> Result<(), WatchError>,
    deeper: usize,
) -> Result<(), WatchError> {
    let unreachable = |problem: &str| WatchError::Unreachable {
        path: directory.to_owned(),
        problem: problem.to_owned(),
    };
    let Some(deeper) = deeper.checked_sub(1) else { return Err(unreachable("it is too deep")) };
    // Watch through the open handle, so that a directory that takes the name is not watched instead.
    enter(directory, Path::new(&format!("/proc/self/fd/{}", handle.as_raw_fd())))?;
    let entries = match Dir::read_from(handle) {
        Ok(entries) => entries,
        Err(error) => return skip_or_fail(directory, error),
    };
    for entry in entries {
        let Ok(entry) = entry else { break };
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        let top = directory.as_os_str().is_empty();
        if name == ".git" {
            if top {
                continue;
            }
            return Err(WatchError::NestedRepository(directory.to_owned()));
        }
        if !is_directory(handle, name, entry.file_type()) {
            continue;
        }
        let path = directory.join(name);
        if ignored.contains(&path) {
            continue;
        }
        match open_subdirectory(&handle.as_fd(), name) {
            Ok(child) => visit_directory(&child, &path, ignored, enter, deeper)?,
            Err(error) => skip_or_fail(&path, error)?,
        }
    }
    Ok(())
}

fn is_directory(parent: &OwnedFd, name: &OsStr, kind: FileType) -> bool {
    match kind {
        FileType::Directory => true,
        FileType::Unknown => statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::Directory),
        _ => false,
    }
}

fn open_subdirectory(parent: &impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(parent, name, flags, Mode::empty())
}

/// Skips a directory that is gone, replaced or not readable, because git cannot read it either.
fn skip_or_fail(path: &Path, error: Errno) -> Result<(), WatchError> {
    match error {
        Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::ACCESS => Ok(()),
        other => Err(WatchError::Unreachable {
            path: path.to_owned(),
            problem: std::io::Error::from(other).to_string(),
        }),
    }
}

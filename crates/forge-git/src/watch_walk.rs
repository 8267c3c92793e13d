use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;

use crate::beneath::Beneath;
use crate::watch::Unwatched;

/// Deeper than any source tree; each level keeps a handle open.
const DEEPEST: usize = 100;

/// Enters a directory and everything below it but what is ignored. Each is entered before it is read, so that what
/// appears meanwhile is either read or reported. No symlink is followed (W-5).
pub(crate) fn walk(
    ground: &Beneath,
    start: &Path,
    ignored: &HashSet<PathBuf>,
    enter: &mut dyn FnMut(&Path, &Path) -> Result<(), Unwatched>,
) -> Result<(), Unwatched> {
    if start.ancestors().any(|directory| ignored.contains(directory)) {
        return Ok(());
    }
    let mut handle = open(&ground.as_fd(), OsStr::new("."));
    for part in start.components() {
        handle = match handle {
            Ok(handle) => open(&handle.as_fd(), part.as_os_str()),
            Err(error) => Err(error),
        };
    }
    match handle {
        Ok(handle) => visit(&handle, start, ignored, enter, DEEPEST),
        Err(error) => skip(start, error),
    }
}

fn visit(
    handle: &OwnedFd,
    directory: &Path,
    ignored: &HashSet<PathBuf>,
    enter: &mut dyn FnMut(&Path, &Path) -> Result<(), Unwatched>,
    deeper: usize,
) -> Result<(), Unwatched> {
    let unreachable = |problem: &str| Unwatched::Unreachable {
        path: directory.to_owned(),
        problem: problem.to_owned(),
    };
    let Some(deeper) = deeper.checked_sub(1) else { return Err(unreachable("it is too deep")) };
    // By the open directory: nothing that takes its name's place is watched.
    enter(directory, Path::new(&format!("/proc/self/fd/{}", handle.as_raw_fd())))?;
    let entries = match Dir::read_from(handle) {
        Ok(entries) => entries,
        Err(error) => return skip(directory, error),
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
            return Err(Unwatched::Nested(directory.to_owned()));
        }
        if !is_directory(handle, name, entry.file_type()) {
            continue;
        }
        let path = directory.join(name);
        if ignored.contains(&path) {
            continue;
        }
        match open(&handle.as_fd(), name) {
            Ok(child) => visit(&child, &path, ignored, enter, deeper)?,
            Err(error) => skip(&path, error)?,
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

fn open(parent: &impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(parent, name, flags, Mode::empty())
}

/// What is gone, replaced or closed to us is not git's to read either.
fn skip(path: &Path, error: Errno) -> Result<(), Unwatched> {
    match error {
        Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::ACCESS => Ok(()),
        other => Err(Unwatched::Unreachable {
            path: path.to_owned(),
            problem: std::io::Error::from(other).to_string(),
        }),
    }
}

//! Files that only their owner can read or replace.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

/// Longer than any file of this folder.
const LONGEST_FILE: u64 = 64 * 1024;
const WRITABLE_BY_OTHERS: u32 = 0o022;
const ACCESSIBLE_BY_OTHERS: u32 = 0o077;
/// In a directory with this bit users rename and delete only their own files.
const STICKY: u32 = 0o1000;

/// Why a file is neither written nor read.
#[derive(Debug, thiserror::Error)]
pub enum PrivateFileError {
    /// Another user could read or replace the file.
    #[error("{} {problem}, so the credential in it is not safe; {remedy}", path.display())]
    Unsafe { path: PathBuf, problem: &'static str, remedy: String },
    /// The operating system returned an error.
    #[error("{} cannot be used: {source}", path.display())]
    Unusable { path: PathBuf, source: io::Error },
}

/// Writes a file in one step, readable by its owner only. The caller is the only writer of the directory.
pub(crate) fn write_private(path: &Path, text: &str) -> Result<(), PrivateFileError> {
    let unusable = |source| PrivateFileError::Unusable { path: path.to_owned(), source };
    if let Some(directory) = path.parent() {
        check_directories(directory)?;
    }
    let fresh = path.with_extension("new");
    let write = || {
        match fs::remove_file(&fresh) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&fresh)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&fresh, path)
    };
    write().map_err(unusable)
}

/// Reads a file that its owner alone can read and replace; `None` if it does not exist.
pub(crate) fn read_private(path: &Path) -> Result<Option<String>, PrivateFileError> {
    let unusable = |source| PrivateFileError::Unusable { path: path.to_owned(), source };
    // Opened before it is checked, so that the checked file is the one that is read.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(rustix::io::Errno::NOENT) => return Ok(None),
        Err(error) => return Err(unusable(error.into())),
    };
    let found = file.metadata().map_err(unusable)?;
    if !found.is_file() {
        return Err(unsafe_file(path, "is not a regular file", "delete it".to_owned()));
    }
    check_owner(path, found.uid(), false)?;
    if found.mode() & ACCESSIBLE_BY_OTHERS != 0 {
        let remedy = format!("`chmod 600 {}`, then restart the server", path.display());
        return Err(unsafe_file(path, "is accessible by other users", remedy));
    }
    if let Some(directory) = path.parent() {
        check_directories(directory)?;
    }
    let mut text = String::new();
    file.take(LONGEST_FILE).read_to_string(&mut text).map_err(unusable)?;
    Ok(Some(text))
}

/// Refuses a directory in which, or above which, another user could replace a name.
fn check_directories(directory: &Path) -> Result<(), PrivateFileError> {
    let unusable =
        |path: &Path, source| PrivateFileError::Unusable { path: path.to_owned(), source };
    let directory = directory.canonicalize().map_err(|error| unusable(directory, error))?;
    for (depth, place) in directory.ancestors().enumerate() {
        let found = fs::symlink_metadata(place).map_err(|error| unusable(place, error))?;
        check_owner(place, found.uid(), depth > 0)?;
        let is_sticky = depth > 0 && found.mode() & STICKY != 0;
        if found.mode() & WRITABLE_BY_OTHERS != 0 && !is_sticky {
            let remedy = format!("`chmod go-w {}`, then restart the server", place.display());
            return Err(unsafe_file(place, "is writable by other users", remedy));
        }
    }
    Ok(())
}

fn check_owner(path: &Path, owner: u32, may_be_root: bool) -> Result<(), PrivateFileError> {
    let own = rustix::process::geteuid().as_raw();
    if owner == own || (may_be_root && owner == 0) {
        return Ok(());
    }
    let remedy =
        "use the data directory as the user who runs its server, or sign in with `forge login`";
    Err(unsafe_file(path, "belongs to another user", remedy.to_owned()))
}

fn unsafe_file(path: &Path, problem: &'static str, remedy: String) -> PrivateFileError {
    PrivateFileError::Unsafe { path: path.to_owned(), problem, remedy }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("ours");
    }

    fn problem(result: Result<Option<String>, PrivateFileError>) -> &'static str {
        match result {
            Err(PrivateFileError::Unsafe { problem, .. }) => problem,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn s_6_a_private_file_is_refused_where_others_could_read_or_replace_it() {
        let place = tempfile::tempdir().expect("a directory");
        let parent = place.path().join("parent");
        let data = parent.join("data");
        fs::create_dir_all(&data).expect("made");
        mode(&parent, 0o755);
        mode(&data, 0o700);
        let file = data.join("secret");
        assert_eq!(read_private(&file).expect("no problem"), None);
        write_private(&file, "one").expect("written");
        write_private(&file, "two").expect("replaced");
        assert_eq!(read_private(&file).expect("safe").as_deref(), Some("two"));
        assert_eq!(fs::metadata(&file).expect("there").mode() & 0o777, 0o600);

        mode(&file, 0o640);
        assert_eq!(problem(read_private(&file)), "is accessible by other users");
        mode(&file, 0o600);
        for (directory, wide, usual) in [(&data, 0o720, 0o700), (&parent, 0o777, 0o755)] {
            mode(directory, wide);
            assert_eq!(problem(read_private(&file)), "is writable by other users");
            assert!(write_private(&file, "three").is_err(), "{wide:o}");
            mode(directory, usual);
        }
        // As /tmp: other users cannot rename what is ours.
        mode(&parent, 0o1777);
        read_private(&file).expect("safe");

        let link = data.join("link");
        std::os::unix::fs::symlink(&file, &link).expect("made");
        assert!(read_private(&link).is_err(), "a link could lead anywhere");
        assert_eq!(problem(read_private(&data)), "is not a regular file");
    }
}

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

/// The size limit of settings, attribute and ignore files.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// Reads a file that an agent could have replaced. Only a regular file is accepted, because a FIFO would block the
/// reader until a process writes to it.
pub(crate) fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    open_regular(path)?.take(MAX_BYTES + 1).read_to_end(&mut content)?;
    match u64::try_from(content.len()) {
        Ok(length) if length <= MAX_BYTES => Ok(content),
        _ => Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 8 MiB")),
    }
}

/// Like [`read_regular`], without a size limit.
pub(crate) fn read_regular_unlimited(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    open_regular(path)?.read_to_end(&mut content)?;
    Ok(content)
}

/// Opens a file that an agent could have replaced; only a regular file is accepted.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    match file.metadata()? {
        found if found.is_file() => Ok(file),
        found if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")),
    }
}

/// Reads a small file; `None` if it does not exist.
pub(crate) fn read_regular_if_exists(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match read_regular(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn w_18_a_fifo_in_the_place_of_a_file_is_refused_at_once() {
        let home = tempfile::tempdir().expect("a directory");
        let (fifo, file) = (home.path().join("fifo"), home.path().join("file"));
        let mode = Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, mode, 0)
            .expect("made");
        std::fs::write(&file, "x").expect("written");
        assert!(read_regular(&fifo).is_err());
        assert_eq!(read_regular(&file).expect("reads"), b"x");
        assert_eq!(read_regular_if_exists(&home.path().join("none")).expect("reads"), None);
    }
}

//! Where a benchmark writes: beside the program, on the disk that builds are on, never in memory.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A directory that goes with the value.
pub(crate) fn place() -> io::Result<TempDir> {
    tempfile::Builder::new().prefix("forge-bench-").tempdir_in(beside()?)
}

/// The `forge` that was built with this program.
pub(crate) fn forge() -> io::Result<PathBuf> {
    let program = beside()?.join("forge");
    if program.is_file() {
        return Ok(program);
    }
    let said = format!("{} is not there; `make bench` builds it", program.display());
    Err(io::Error::new(io::ErrorKind::NotFound, said))
}

fn beside() -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    Ok(program.parent().map_or_else(PathBuf::new, Path::to_owned))
}

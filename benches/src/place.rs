//! Where a benchmark writes: beside the program, on the disk that builds are on, never in memory.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

const NAME: &str = "forge-bench-";

/// A directory that goes with the value.
pub(crate) fn place() -> io::Result<TempDir> {
    let prefix = format!("{NAME}{}-", std::process::id());
    tempfile::Builder::new().prefix(&prefix).tempdir_in(beside()?)
}

/// Removes what measurements left that were killed: they are the size of large repositories, many times over.
#[expect(clippy::disallowed_methods, reason = "of a measurement's own, which is over")]
pub(crate) fn clear_abandoned() -> io::Result<()> {
    for entry in std::fs::read_dir(beside()?)?.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(NAME)?.split('-').next());
        let Some(owner) = owner else { continue };
        if !Path::new("/proc").join(owner).exists() {
            std::fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
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

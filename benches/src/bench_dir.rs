//! Directories of benchmarks: beside the program, on the disk of the build, never in memory.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

const NAME: &str = "forge-bench-";

/// A directory that is removed when the value is dropped.
pub(crate) fn bench_dir() -> io::Result<TempDir> {
    let prefix = format!("{NAME}{}-", std::process::id());
    tempfile::Builder::new().prefix(&prefix).tempdir_in(program_dir()?)
}

/// Removes directories of killed benchmarks: they contain large repositories, many times over.
#[expect(clippy::disallowed_methods, reason = "removes directories of an ended benchmark")]
pub(crate) fn remove_abandoned() -> io::Result<()> {
    for entry in std::fs::read_dir(program_dir()?)?.flatten() {
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
pub(crate) fn forge_binary() -> io::Result<PathBuf> {
    let program = program_dir()?.join("forge");
    if program.is_file() {
        return Ok(program);
    }
    let said = format!("{} does not exist; `make bench` builds it", program.display());
    Err(io::Error::new(io::ErrorKind::NotFound, said))
}

fn program_dir() -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    Ok(program.parent().map_or_else(PathBuf::new, Path::to_owned))
}

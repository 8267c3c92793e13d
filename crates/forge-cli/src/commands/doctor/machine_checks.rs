//! Checks of this machine: git, the data directory, free disk space.

use std::path::{Path, PathBuf};

use crate::commands::doctor::doctor_args::DATA_DIRECTORY;
use crate::commands::doctor::doctor_report::DoctorFinding;
use crate::commands::serve;
use crate::context::CliContext;

/// With less free space than this, agents that build software soon fail.
const LOW_DISK_BYTES: u64 = 5 * 1024 * 1024 * 1024;
const FULL_DISK_BYTES: u64 = 512 * 1024 * 1024;

/// Whether git is on the PATH of this shell.
pub(crate) fn check_git(context: &CliContext) -> DoctorFinding {
    match context.environment.find_program("git") {
        Some(path) => DoctorFinding::ok("git", path.display().to_string()),
        None => DoctorFinding::fail("git", "is not on PATH").next("install git"),
    }
}

/// The directory that `forge serve` would use here, and its disk.
pub(crate) fn check_data_dir(context: &CliContext) -> Vec<DoctorFinding> {
    let name = DATA_DIRECTORY;
    let settings = match serve::load_settings(context, Vec::new()) {
        Ok(settings) => settings,
        Err(refused) => {
            return vec![DoctorFinding::fail("settings", refused.to_string())];
        }
    };
    let dir = &settings.data_dir;
    let shown = dir.display();
    let Some(existing) = nearest_existing_dir(dir) else {
        return vec![DoctorFinding::fail(name, format!("{shown} cannot be made"))];
    };
    let writable = match tempfile::tempfile_in(&existing) {
        Ok(_) if existing == *dir => DoctorFinding::ok(name, shown.to_string()),
        Ok(_) => {
            DoctorFinding::ok(name, format!("{shown} is made by `forge serve` when it starts"))
        }
        Err(error) => DoctorFinding::fail(name, format!("{shown}: {error}"))
            .next("choose another with --data-dir or FORGE_DATA_DIR"),
    };
    vec![writable, check_disk(&existing)]
}

fn nearest_existing_dir(dir: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(dir).ok()?;
    absolute.ancestors().find(|place| place.is_dir()).map(Path::to_owned)
}

/// The free space of the disk with this directory.
pub(crate) fn check_disk(place: &Path) -> DoctorFinding {
    let name = "free disk";
    let free = match rustix::fs::statvfs(place) {
        Ok(found) => found.f_bavail.saturating_mul(found.f_frsize),
        Err(error) => return DoctorFinding::warn(name, error.to_string()),
    };
    let message = format!("{} MiB", free / (1024 * 1024));
    let advice = "free some space: every task needs its own checkout";
    match free {
        ..FULL_DISK_BYTES => DoctorFinding::fail(name, message).next(advice),
        FULL_DISK_BYTES..LOW_DISK_BYTES => DoctorFinding::warn(name, message).next(advice),
        LOW_DISK_BYTES.. => DoctorFinding::ok(name, message),
    }
}

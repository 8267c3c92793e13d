//! Finds the repository of a directory.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli_error::CliError;

/// The root of the checkout that contains a path, found by its `.git`; git is not run.
pub(crate) fn find_checkout_root(path: &Path) -> Result<PathBuf, CliError> {
    let resolved = path
        .canonicalize()
        .map_err(|error| CliError::usage(format!("{} cannot be used: {error}", path.display())))?;
    let top = resolved.ancestors().find(|place| place.join(".git").exists());
    top.map(Path::to_owned).ok_or_else(|| {
        CliError::usage(format!("{} is in no git repository", resolved.display())).hint(
            "change to a repository, name one (`forge init PATH`), or create one with `git init`",
        )
    })
}

/// The repository paths of a path: the checkout itself, and for a worktree also its main repository. Empty outside of
/// any repository.
pub(crate) fn repository_paths(path: &Path) -> Vec<PathBuf> {
    let Ok(top) = find_checkout_root(path) else { return Vec::new() };
    let main = main_repository(&top);
    std::iter::once(top).chain(main).collect()
}

/// The main repository of a worktree, by the links that git keeps in it.
fn main_repository(top: &Path) -> Option<PathBuf> {
    let link = fs::read_to_string(top.join(".git")).ok()?;
    let record = top.join(link.trim_end().strip_prefix("gitdir: ")?);
    let common = fs::read_to_string(record.join("commondir")).ok()?;
    let common = record.join(common.trim_end()).canonicalize().ok()?;
    match common.file_name() {
        Some(name) if name == ".git" => common.parent().map(Path::to_owned),
        _ => Some(common),
    }
}

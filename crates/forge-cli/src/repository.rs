//! The repository one stands in.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The top of the checkout that holds a path, found by its `.git`; no git is run.
pub(crate) fn find_top(path: &Path) -> Result<PathBuf, Failure> {
    let resolved = path
        .canonicalize()
        .map_err(|error| Failure::usage(format!("{} cannot be used: {error}", path.display())))?;
    let top = resolved.ancestors().find(|place| place.join(".git").exists());
    top.map(Path::to_owned).ok_or_else(|| {
        Failure::usage(format!("{} is in no git repository", resolved.display()))
            .hint("go into one, name one (`forge init PATH`), or make one with `git init`")
    })
}

/// Where the repository is that a path belongs to: the checkout itself, and for a worktree also the repository that it is
/// one of. None outside of any.
pub(crate) fn places_of(path: &Path) -> Vec<PathBuf> {
    let Ok(top) = find_top(path) else { return Vec::new() };
    let main = main_of(&top);
    std::iter::once(top).chain(main).collect()
}

/// The repository of a worktree, by the links that git keeps in it.
fn main_of(top: &Path) -> Option<PathBuf> {
    let link = fs::read_to_string(top.join(".git")).ok()?;
    let record = top.join(link.trim_end().strip_prefix("gitdir: ")?);
    let common = fs::read_to_string(record.join("commondir")).ok()?;
    let common = record.join(common.trim_end()).canonicalize().ok()?;
    match common.file_name() {
        Some(name) if name == ".git" => common.parent().map(Path::to_owned),
        _ => Some(common),
    }
}

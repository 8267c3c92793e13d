//! The repository one stands in.

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

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The git program, and the `PATH` its own helpers are found by.
#[derive(Debug, Clone)]
pub struct Git {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    program: PathBuf,
    search: OsString,
}

/// There is no git.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("git was not found on the search path {search:?}; install git 2.40 or newer")]
pub struct GitMissing {
    search: OsString,
}

impl Git {
    /// Finds git on a search path (the value of `PATH`). Relative entries are ignored.
    pub fn locate(search: &OsStr) -> Result<Self, GitMissing> {
        let runnable = |path: &PathBuf| {
            path.metadata()
                .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
        };
        let program = std::env::split_paths(search)
            .filter(|directory| directory.is_absolute())
            .map(|directory| directory.join("git"))
            .find(runnable)
            .ok_or_else(|| GitMissing { search: search.to_owned() })?;
        Ok(Self { inner: Arc::new(Inner { program, search: search.to_owned() }) })
    }

    pub(crate) fn program(&self) -> &Path {
        &self.inner.program
    }

    pub(crate) fn search(&self) -> &OsStr {
        &self.inner.search
    }
}

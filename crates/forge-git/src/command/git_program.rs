use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use forge_proc::ProcessMark;

/// The git program, and the `PATH` on which git finds its helpers.
#[derive(Debug, Clone)]
pub struct GitProgram {
    inner: Arc<GitProgramInner>,
}

#[derive(Debug)]
struct GitProgramInner {
    program: PathBuf,
    search_path: OsString,
    isolation: Option<GitIsolation>,
}

/// How a server keeps its git commands apart from settings that users and agents configured (W-19).
#[derive(Debug, Clone)]
pub(crate) struct GitIsolation {
    /// The directory with the copies of repository settings.
    pub(crate) settings: PathBuf,
    /// The marker by which processes that git starts are found.
    pub(crate) marker: ProcessMark,
}

/// The error if git is not installed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("git was not found on the search path {search:?}; install git 2.40 or newer")]
pub struct GitNotFoundError {
    search: OsString,
}

impl GitProgram {
    /// Finds git on a search path (the value of `PATH`). Relative entries are ignored.
    pub fn locate(search: &OsStr) -> Result<Self, GitNotFoundError> {
        let runnable = |path: &PathBuf| {
            path.metadata()
                .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
        };
        let program = std::env::split_paths(search)
            .filter(|directory| directory.is_absolute())
            .map(|directory| directory.join("git"))
            .find(runnable)
            .ok_or_else(|| GitNotFoundError { search: search.to_owned() })?;
        let inner = GitProgramInner { program, search_path: search.to_owned(), isolation: None };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The same program for use in a server (W-19): it reads each repository with a copy of the repository's
    /// settings, stored below `settings`, and every process that git starts carries the marker.
    #[must_use]
    pub fn isolated(&self, settings: impl Into<PathBuf>, mark: ProcessMark) -> Self {
        let GitProgramInner { program, search_path: search, .. } = &*self.inner;
        let isolation = Some(GitIsolation { settings: settings.into(), marker: mark });
        let inner =
            GitProgramInner { program: program.clone(), search_path: search.clone(), isolation };
        Self { inner: Arc::new(inner) }
    }

    pub(crate) fn isolation(&self) -> Option<&GitIsolation> {
        self.inner.isolation.as_ref()
    }

    pub(crate) fn program(&self) -> &Path {
        &self.inner.program
    }

    pub(crate) fn search_path(&self) -> &OsStr {
        &self.inner.search_path
    }
}

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::tree::process_identity::ProcessIdentity;
use crate::tree::process_row::ProcessRow;

/// Variables that make git use another repository than the one of its working directory.
const REDIRECTING_VARIABLES: [&str; 6] = [
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_WORK_TREE",
];

/// A repository with another reference backend (reftable) only has this placeholder in `HEAD`.
const REFTABLE_HEAD: &str = "refs/heads/.invalid";

/// The directory that a process must work in, and what git must find there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedWorkdir {
    directory: PathBuf,
    git_dir: Option<PathBuf>,
    branch: Option<String>,
}

/// The process works in the wrong directory or repository. It must not continue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorkdirError {
    /// The process works in another directory.
    #[error(
        "process {pid} works in {} instead of {}; it was not left running there",
        found.display(), expected.display()
    )]
    Directory {
        pid: u32,
        expected: PathBuf,
        /// The actual directory; empty when the system does not reveal it.
        found: PathBuf,
    },
    /// Its environment redirects git.
    #[error(
        "process {pid} has {name} set, which sends git elsewhere; take it out of the environment"
    )]
    GitRedirected { pid: u32, name: String },
    /// The directory belongs to another repository or worktree.
    #[error(
        "{} belongs to the git directory {} instead of {}; repair or recreate the worktree",
        directory.display(), found.display(), expected.display()
    )]
    GitDir {
        directory: PathBuf,
        expected: PathBuf,
        /// The actual git directory; empty when there is none.
        found: PathBuf,
    },
    /// Another branch, or none, is checked out.
    #[error(
        "{} is on {found:?} instead of {expected:?}; check that branch out again",
        directory.display()
    )]
    Branch {
        directory: PathBuf,
        /// Full name of the expected reference.
        expected: String,
        /// Content of `HEAD`.
        found: String,
    },
}

impl ExpectedWorkdir {
    /// Requires a process to work in this directory or below.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), git_dir: None, branch: None }
    }

    /// Requires git to find this git directory.
    #[must_use]
    pub fn git_dir(mut self, git_dir: impl Into<PathBuf>) -> Self {
        self.git_dir = Some(git_dir.into());
        self
    }

    /// Requires this reference, by its full name, to be checked out.
    #[must_use]
    pub fn branch(mut self, name: impl Into<String>) -> Self {
        self.branch = Some(name.into());
        self
    }

    /// Checks a process that was just started. A process that has already ended passes.
    pub fn verify(&self, process: &ProcessIdentity) -> Result<(), WorkdirError> {
        self.verify_directory(process)?;
        self.verify_environment(process)?;
        self.verify_git()
    }

    fn verify_directory(&self, process: &ProcessIdentity) -> Result<(), WorkdirError> {
        let pid = process.pid;
        let found = match fs::read_link(format!("/proc/{pid}/cwd")) {
            // The kernel drops a process's directory while it ends, before it shows that it has ended.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            found => found.unwrap_or_default(),
        };
        let expected = self.directory.canonicalize().unwrap_or_else(|_| self.directory.clone());
        // The kernel appends a note to the name of a removed directory, so it does not match.
        if found.starts_with(&expected) || !process.is_alive() {
            return Ok(());
        }
        Err(WorkdirError::Directory { pid, expected, found })
    }

    fn verify_environment(&self, process: &ProcessIdentity) -> Result<(), WorkdirError> {
        let environ =
            ProcessRow::load(process.pid).map(|row| row.load_environ()).unwrap_or_default();
        let names = environ
            .split(|byte| *byte == 0)
            .filter_map(|entry| entry.split(|byte| *byte == b'=').next());
        let diverting = names
            .filter_map(|name| str::from_utf8(name).ok())
            .find(|name| REDIRECTING_VARIABLES.contains(name));
        match diverting {
            Some(name) if process.is_alive() => {
                Err(WorkdirError::GitRedirected { pid: process.pid, name: name.to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// Checks the git directory and the branch only: what a process that is started there now would find.
    pub fn verify_git(&self) -> Result<(), WorkdirError> {
        let found = git_dir_of(&self.directory);
        if let Some(expected) = &self.git_dir
            && (found.is_none() || found != expected.canonicalize().ok())
        {
            return Err(WorkdirError::GitDir {
                directory: self.directory.clone(),
                expected: expected.clone(),
                found: found.unwrap_or_default(),
            });
        }
        let Some(expected) = &self.branch else {
            return Ok(());
        };
        let head = found.and_then(|git_dir| fs::read_to_string(git_dir.join("HEAD")).ok());
        let head = head.unwrap_or_default();
        let found = head.strip_prefix("ref:").unwrap_or(&head).trim();
        if found == expected || found == REFTABLE_HEAD {
            return Ok(());
        }
        Err(WorkdirError::Branch {
            directory: self.directory.clone(),
            expected: expected.clone(),
            found: found.to_owned(),
        })
    }
}

/// The git directory of a work tree, as git would find it there.
fn git_dir_of(directory: &Path) -> Option<PathBuf> {
    let entry = directory.join(".git");
    if entry.is_dir() {
        return entry.canonicalize().ok();
    }
    let text = fs::read_to_string(entry).ok()?;
    directory.join(text.strip_prefix("gitdir:")?.trim()).canonicalize().ok()
}

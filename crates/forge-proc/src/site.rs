use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::identity::ProcessIdentity;
use crate::table::Row;

/// Variables that make git work somewhere else than where it is called.
const DIVERTING: [&str; 6] = [
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_WORK_TREE",
];

/// In a repository that keeps its references elsewhere, `HEAD` only holds this place.
const HEAD_IS_ELSEWHERE: &str = "refs/heads/.invalid";

/// Where a process must stand, and what git must see from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    directory: PathBuf,
    git_dir: Option<PathBuf>,
    branch: Option<String>,
}

/// A process that does not stand where it should. It must not go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Astray {
    /// It stands somewhere else.
    #[error(
        "process {pid} works in {} instead of {}; it was not left running there",
        found.display(), expected.display()
    )]
    Directory {
        /// The process.
        pid: u32,
        /// Where it should be.
        expected: PathBuf,
        /// Where it is; empty when the system does not tell.
        found: PathBuf,
    },
    /// Its environment sends git somewhere else.
    #[error(
        "process {pid} has {name} set, which sends git elsewhere; take it out of the environment"
    )]
    Diverted {
        /// The process.
        pid: u32,
        /// The variable.
        name: String,
    },
    /// The directory belongs to another repository or worktree.
    #[error(
        "{} belongs to the git directory {} instead of {}; repair or recreate the worktree",
        directory.display(), found.display(), expected.display()
    )]
    GitDir {
        /// Where it stands.
        directory: PathBuf,
        /// The git directory it should have.
        expected: PathBuf,
        /// The one it has; empty when it has none.
        found: PathBuf,
    },
    /// Another branch, or none, is checked out.
    #[error(
        "{} is on {found:?} instead of {expected:?}; check that branch out again",
        directory.display()
    )]
    Branch {
        /// Where it stands.
        directory: PathBuf,
        /// The full name it should have.
        expected: String,
        /// What `HEAD` says.
        found: String,
    },
}

impl Site {
    /// A process must stand in this directory or below.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), git_dir: None, branch: None }
    }

    /// Git must find this as its directory.
    #[must_use]
    pub fn git_dir(mut self, git_dir: impl Into<PathBuf>) -> Self {
        self.git_dir = Some(git_dir.into());
        self
    }

    /// This reference, by its full name, must be checked out.
    #[must_use]
    pub fn branch(mut self, name: impl Into<String>) -> Self {
        self.branch = Some(name.into());
        self
    }

    /// Looks at a process that has just been started. One that is already over has nothing left to say.
    pub fn verify(&self, process: &ProcessIdentity) -> Result<(), Astray> {
        self.verify_directory(process)?;
        self.verify_environment(process)?;
        self.verify_place()
    }

    fn verify_directory(&self, process: &ProcessIdentity) -> Result<(), Astray> {
        let pid = process.pid;
        let found = match fs::read_link(format!("/proc/{pid}/cwd")) {
            // The kernel takes a process's directory away while it ends, before it shows that it has ended.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            found => found.unwrap_or_default(),
        };
        let expected = self.directory.canonicalize().unwrap_or_else(|_| self.directory.clone());
        // A removed directory is shown with a note behind its name, so it does not pass for itself.
        if found.starts_with(&expected) || !process.is_alive() {
            return Ok(());
        }
        Err(Astray::Directory { pid, expected, found })
    }

    fn verify_environment(&self, process: &ProcessIdentity) -> Result<(), Astray> {
        let environ = Row::load(process.pid).map(|row| row.load_environ()).unwrap_or_default();
        let names = environ
            .split(|byte| *byte == 0)
            .filter_map(|entry| entry.split(|byte| *byte == b'=').next());
        let diverting = names
            .filter_map(|name| str::from_utf8(name).ok())
            .find(|name| DIVERTING.contains(name));
        match diverting {
            Some(name) if process.is_alive() => {
                Err(Astray::Diverted { pid: process.pid, name: name.to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// Looks at the place alone: what a process that is started there now would find.
    pub fn verify_place(&self) -> Result<(), Astray> {
        let found = git_dir_of(&self.directory);
        if let Some(expected) = &self.git_dir
            && (found.is_none() || found != expected.canonicalize().ok())
        {
            return Err(Astray::GitDir {
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
        if found == expected || found == HEAD_IS_ELSEWHERE {
            return Ok(());
        }
        Err(Astray::Branch {
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

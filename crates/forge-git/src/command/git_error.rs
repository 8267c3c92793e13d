use std::io;
use std::path::{Path, PathBuf};

use forge_proc::{CaptureError, ProcessExit};

use crate::fs::confined_dir::PathEscapeError;

/// The error of a git command, or of a file operation around one.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// Git ran and failed.
    #[error("git {subcommand} failed ({exit}): {stderr}")]
    Failed {
        /// The git subcommand that ran.
        subcommand: &'static str,
        /// The exit status of git.
        exit: ProcessExit,
        /// Git's error output.
        stderr: String,
    },
    /// Git did not run to its end.
    #[error(transparent)]
    Process(#[from] CaptureError),
    /// Git answered in a format that this version of Forge does not understand.
    #[error(
        "git {subcommand} answered {answer:?}, which is not understood; is git older than 2.40?"
    )]
    Unexpected {
        /// The git subcommand that ran.
        subcommand: &'static str,
        /// The start of the answer.
        answer: String,
    },
    /// The worktree's state cannot become one commit without a loss.
    #[error("{reason}: {}", paths.join(", "))]
    NotCommittable {
        /// Why, and what the user can do about it.
        reason: &'static str,
        /// The files that cause it.
        paths: Vec<String>,
    },
    /// A FIFO, socket or device is where git expects a regular file, and would block git (W-18).
    #[error(
        "{} in the workspace is a FIFO, socket or device where git expects a file; remove it and try again",
        paths.join(", ")
    )]
    SpecialFiles {
        /// Paths from the top level of the worktree.
        paths: Vec<String>,
    },
    /// A process runs in a workspace that must be idle.
    #[error("process {pid} still works in {}; end it first", path.display())]
    InUse {
        path: PathBuf,
        /// The id of one of the processes.
        pid: u32,
    },
    /// A path leaves its workspace (W-5).
    #[error(transparent)]
    Escaped(#[from] PathEscapeError),
    /// A file could not be read, written, moved or removed.
    #[error("{} could not be {action}: {source}", path.display())]
    File {
        /// What Forge tried, as a participle.
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

impl GitError {
    pub(crate) fn unexpected(subcommand: &'static str, answer: &[u8]) -> Self {
        let start = answer.get(..200).unwrap_or(answer);
        Self::Unexpected { subcommand, answer: String::from_utf8_lossy(start).into_owned() }
    }

    /// Appends an earlier cause: git reports that it cannot write a file, but not that the disk is full.
    pub(crate) fn with_cause(self, reason: &impl std::fmt::Display) -> Self {
        match self {
            Self::Failed { subcommand, exit, stderr } => {
                Self::Failed { subcommand, exit, stderr: format!("{stderr} ({reason})") }
            }
            other => other,
        }
    }

    /// Converts an I/O error; for `map_err` on a file operation.
    pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { action, path, source }
    }
}

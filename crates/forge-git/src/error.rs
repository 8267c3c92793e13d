use std::io;
use std::path::{Path, PathBuf};

use forge_proc::{CaptureError, Exit};

use crate::beneath::EscapeError;

/// A git command, or a file operation around one, that did not do its work.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// Git ran and refused.
    #[error("git {subcommand} failed ({exit}): {stderr}")]
    Failed {
        /// Which command.
        subcommand: &'static str,
        /// How it left.
        exit: Exit,
        /// What it said.
        stderr: String,
    },
    /// Git did not run to its end.
    #[error(transparent)]
    Process(#[from] CaptureError),
    /// Git answered what this version of Forge does not understand.
    #[error(
        "git {subcommand} answered {answer:?}, which is not understood; is git older than 2.40?"
    )]
    Unexpected {
        /// Which command.
        subcommand: &'static str,
        /// The start of the answer.
        answer: String,
    },
    /// What is there cannot become one commit without losing something.
    #[error("{reason}: {}", paths.join(", "))]
    NotCommittable {
        /// Why, and what to do.
        reason: &'static str,
        /// Where.
        paths: Vec<String>,
    },
    /// A process works where nobody should.
    #[error("process {pid} still works in {}; end it first", path.display())]
    InUse {
        /// The worktree.
        path: PathBuf,
        /// One of the processes.
        pid: u32,
    },
    /// A path does not stay in its workspace (W-5).
    #[error(transparent)]
    Escaped(#[from] EscapeError),
    /// A file could not be read, written, moved or removed.
    #[error("{} could not be {action}: {source}", path.display())]
    File {
        /// What was tried, as a participle.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl GitError {
    pub(crate) fn unexpected(subcommand: &'static str, answer: &[u8]) -> Self {
        let start = answer.get(..200).unwrap_or(answer);
        Self::Unexpected { subcommand, answer: String::from_utf8_lossy(start).into_owned() }
    }

    /// The same with what had gone wrong before: git says that it cannot write a file, and not that the disk is full.
    pub(crate) fn after(self, reason: &impl std::fmt::Display) -> Self {
        match self {
            Self::Failed { subcommand, exit, stderr } => {
                Self::Failed { subcommand, exit, stderr: format!("{stderr} ({reason})") }
            }
            other => other,
        }
    }

    /// For `map_err` on a file operation.
    pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { action, path, source }
    }
}

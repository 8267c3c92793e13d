//! One call of an agent's program.

use crate::executor::Executor;
use crate::prompt::Prompt;
use crate::shell;
use forge_proc::{Mark, Spec};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where and as whom a turn runs.
#[derive(Debug)]
pub struct Place<'a> {
    /// The worktree.
    pub directory: &'a Path,
    /// The file the prompt was written to.
    pub prompt_file: &'a Path,
    /// The log file.
    pub log: PathBuf,
    /// How much of the output the log keeps.
    pub log_cap: u64,
    /// By which the processes are found again.
    pub mark: Mark,
    /// The whole environment; nothing else is inherited.
    pub environment: Vec<(OsString, OsString)>,
}

/// A turn that is ready to be started.
#[derive(Debug)]
pub struct Turn(pub Spec);

impl Turn {
    /// Puts the call together.
    pub fn new(executor: &Executor, prompt: &Prompt, place: Place<'_>) -> Self {
        match executor {
            Executor::Shell { command, timeout_seconds } => {
                Self(shell::call(command, *timeout_seconds, prompt, place))
            }
        }
    }
}

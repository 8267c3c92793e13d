use forge_proc::{CapturedOutput, ProcessExit};

use crate::command::git_error::GitError;

/// The output and exit status of a finished git command.
#[derive(Debug)]
pub(crate) struct GitOutput {
    pub(crate) subcommand: &'static str,
    pub(crate) captured: CapturedOutput,
}

impl GitOutput {
    /// The exit code; `None` if a signal ended git.
    pub(crate) fn code(&self) -> Option<i32> {
        match self.captured.exit {
            ProcessExit::Code(code) => Some(code),
            ProcessExit::Signal(_) => None,
        }
    }

    pub(crate) fn stdout(&self) -> &[u8] {
        &self.captured.stdout
    }

    pub(crate) fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.captured.stderr).trim().to_owned()
    }

    pub(crate) fn into_error(self) -> GitError {
        GitError::Failed {
            subcommand: self.subcommand,
            exit: self.captured.exit,
            stderr: self.stderr(),
        }
    }
}

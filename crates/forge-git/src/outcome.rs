use forge_proc::{Captured, Exit};

use crate::error::GitError;

/// A finished command.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) subcommand: &'static str,
    pub(crate) captured: Captured,
}

impl Outcome {
    /// The exit code, or an error when a signal ended it.
    pub(crate) fn code(&self) -> Option<i32> {
        match self.captured.exit {
            Exit::Code(code) => Some(code),
            Exit::Signal(_) => None,
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

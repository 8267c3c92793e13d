//! How much an agent may do without asking.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What an agent may do: nobody is there to answer its questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// Read and think.
    Plan,
    /// Also change files of its worktree.
    Edit,
    /// Also run any command.
    Full,
}

impl Policy {
    /// As it is written in configurations.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Edit => "edit",
            Self::Full => "full",
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

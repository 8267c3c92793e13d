//! What an agent may do without asking.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What an agent may do. No user is present to answer its permission requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PermissionPolicy {
    /// Read and plan only.
    Plan,
    /// Also change files of its worktree.
    Edit,
    /// Also run any command.
    Full,
}

impl PermissionPolicy {
    /// The name in configurations.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Edit => "edit",
            Self::Full => "full",
        }
    }
}

impl fmt::Display for PermissionPolicy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

//! What became of a branch that was brought together with other work in its workspace.

use crate::land_result::ConflictHunk;
use serde::{Deserialize, Serialize};

/// How a target was merged into a task's branch (M-9).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Rebased {
    /// The branch has it now.
    Merged {
        /// The target branch.
        target: String,
        /// The branch's commit.
        commit: String,
    },
    /// Both sides stand in the files, with git's marks around them; whoever works there next brings them together.
    Conflict {
        /// The target branch.
        target: String,
        /// Where.
        files: Vec<String>,
        /// What both sides wrote; not all of it where that is much.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hunks: Vec<ConflictHunk>,
    },
    /// The branch had all of it.
    UpToDate {
        /// The target branch.
        target: String,
    },
}

/// How a branch was given the inverse of what another task landed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Inverted {
    /// It holds it.
    Clean {
        /// The branch's commit.
        commit: String,
    },
    /// Later work stands in the way; both sides stand in the files, with git's marks around them.
    Conflict {
        /// Where.
        files: Vec<String>,
        /// What both sides wrote; not all of it where that is much.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hunks: Vec<ConflictHunk>,
    },
}

impl Rebased {
    /// What whoever works on the task next has to know.
    pub fn feedback(&self) -> Option<String> {
        match self {
            Self::Merged { target, .. } => {
                Some(format!("{target} is merged into your branch now, without conflicts"))
            }
            Self::Conflict { target, files, hunks } => {
                let text = format!(
                    "{target} is being merged into your branch, and these files conflict: {}\nGit's marks are in them. \
                     Bring both sides together, remove the marks, and end your turn; the merge is committed then",
                    files.join(", ")
                );
                Some(with_hunks(text, hunks))
            }
            Self::UpToDate { .. } => None,
        }
    }
}

impl Inverted {
    /// What whoever works on the task next has to know.
    pub fn feedback(&self) -> Option<String> {
        match self {
            Self::Clean { .. } => None,
            Self::Conflict { files, hunks } => {
                let text = format!(
                    "later work stands in the way of taking it back, in: {}\nGit's marks are in these files. Keep the \
                     later work, take out what is to be reverted, and remove the marks",
                    files.join(", ")
                );
                Some(with_hunks(text, hunks))
            }
        }
    }
}

fn with_hunks(mut text: String, hunks: &[ConflictHunk]) -> String {
    for hunk in hunks {
        text.push_str(&format!("\n\n{}:\n{}", hunk.file, hunk.text));
    }
    text
}

//! Results of updating a branch in its workspace: a merge of the target, or a revert.

use crate::land_result::ConflictHunk;
use serde::{Deserialize, Serialize};

/// Result of merging the target into a task's branch (M-9).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RebaseResult {
    /// The branch now contains the target.
    Merged {
        /// The target branch.
        target: String,
        /// The new commit of the branch.
        commit: String,
    },
    /// The files contain both sides with git's conflict markers. The next agent or person resolves them.
    Conflict {
        /// The target branch.
        target: String,
        files: Vec<String>,
        /// Both sides of the conflict; a large conflict is cut.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hunks: Vec<ConflictHunk>,
    },
    /// The branch already contained the target.
    UpToDate {
        /// The target branch.
        target: String,
    },
}

/// Result of applying the revert of another task's landing to a branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RevertResult {
    /// The branch contains the revert.
    Clean {
        /// The new commit of the branch.
        commit: String,
    },
    /// Later work conflicts with the revert; the files contain git's conflict markers.
    Conflict {
        files: Vec<String>,
        /// Both sides of the conflict; a large conflict is cut.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hunks: Vec<ConflictHunk>,
    },
}

impl RebaseResult {
    /// Text for the agent or person who works on the task next.
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

impl RevertResult {
    /// Text for the agent or person who works on the task next.
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

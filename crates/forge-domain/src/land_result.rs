//! How a landing ended, and what whoever goes on with the task has to know of it.

use crate::report::CheckResult;
use serde::{Deserialize, Serialize};

/// How a landing ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LandResult {
    /// The target now holds this commit.
    Merged {
        /// The landed commit.
        commit: String,
        /// The target branch.
        target: String,
    },
    /// The target already has the content (M-8).
    NothingToMerge {
        /// The target branch.
        target: String,
    },
    /// The branch does not fit (M-9).
    Conflict {
        /// Where.
        files: Vec<String>,
        /// The target branch.
        target: String,
        /// What both sides wrote, as git marks it; not all of it where that is much.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hunks: Vec<ConflictHunk>,
        /// The tasks that landed in these files since the branch left its target.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        culprits: Vec<String>,
    },
    /// The branch fits, and the checks fail on what comes of it (M-12); nothing has landed.
    ChecksFailed {
        /// The target branch.
        target: String,
        /// The commit they ran at: the target with the branch on top.
        commit: String,
        /// One result for each step that ran.
        results: Vec<CheckResult>,
        /// The tasks that landed since the branch left its target, where that is what it fails with.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        culprits: Vec<String>,
    },
    /// The checks of its pull request failed (M-16); nothing has landed.
    RemoteChecksFailed {
        /// The target branch.
        target: String,
        /// The commit they ran at.
        commit: String,
        /// The number of the pull request.
        pull_request: u64,
        /// Those that failed.
        failed: Vec<RemoteCheck>,
    },
    /// The branch is not at the commit that was reviewed (P-3).
    Unreviewed {
        /// What was reviewed.
        reviewed: String,
        /// What is there.
        head: String,
    },
    /// A person's local changes would be touched (M-7); it goes on by itself once it can.
    CheckoutDirty {
        /// The person's checkout.
        checkout: String,
        /// What stands in the way.
        files: Vec<String>,
    },
    /// The other side cannot be reached (M-17); it goes on by itself once it can.
    PushWaits {
        /// Where.
        url: String,
        /// What was said.
        message: String,
    },
}

/// A check that failed elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteCheck {
    /// Its name.
    pub name: String,
    /// Where its log is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// A part of a file that two sides wrote differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConflictHunk {
    /// Which file.
    pub file: String,
    /// Both sides, with git's marks around them.
    pub text: String,
}

impl LandResult {
    /// The commit, if there is one, and the target of one that counts as landed.
    pub fn landed(&self) -> Option<(Option<&str>, &str)> {
        match self {
            Self::Merged { commit, target } => Some((Some(commit), target)),
            Self::NothingToMerge { target } => Some((None, target)),
            _ => None,
        }
    }

    /// What whoever works on the task next has to know.
    pub fn feedback(&self) -> Option<String> {
        match self {
            Self::Conflict { files, target, hunks, culprits } => {
                let mut text = format!("conflicts with {target} in: {}", files.join(", "));
                if !culprits.is_empty() {
                    text.push_str(&format!("\nlanded meanwhile: {}", culprits.join(", ")));
                }
                for hunk in hunks {
                    text.push_str(&format!("\n\n{}:\n{}", hunk.file, hunk.text));
                }
                Some(text)
            }
            Self::ChecksFailed { target, commit, results, culprits } => {
                let mut text = format!(
                    "the branch passes alone and fails together with {target} (tried as {commit})"
                );
                if !culprits.is_empty() {
                    text.push_str(&format!("\nlanded meanwhile: {}", culprits.join(", ")));
                }
                let failed = results.iter().filter(|one| !one.has_passed());
                for result in failed {
                    text.push_str(&format!("\n\n{}", result.describe()));
                }
                Some(text)
            }
            Self::RemoteChecksFailed { commit, pull_request, failed, .. } => {
                let mut text = format!("checks of pull request {pull_request} fail at {commit}:");
                for RemoteCheck { name, url } in failed {
                    let url = url.as_deref().unwrap_or("no log is named");
                    text.push_str(&format!("\n- {name} ({url})"));
                }
                Some(text)
            }
            _ => None,
        }
    }
}

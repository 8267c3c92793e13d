//! Results of a landing, with the feedback for the agent or person who continues the task.

use crate::report::CheckResult;
use serde::{Deserialize, Serialize};

/// Result of a landing.
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
    /// The target already contains the changes (M-8).
    NothingToMerge {
        /// The target branch.
        target: String,
    },
    /// The branch conflicts with its target (M-9).
    Conflict {
        files: Vec<String>,
        /// The target branch.
        target: String,
        /// Both sides with git's conflict markers; a large conflict is cut.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hunks: Vec<ConflictHunk>,
        /// Tasks that landed in these files since the branch left its target.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        culprits: Vec<String>,
    },
    /// The branch merges, but the checks fail on the merged tree (M-12); nothing has landed.
    ChecksFailed {
        /// The target branch.
        target: String,
        /// The commit on which the checks ran: the target with the branch on top.
        commit: String,
        /// One result for each check that ran.
        results: Vec<CheckResult>,
        /// Tasks that landed since the branch left its target, if the branch fails together with them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        culprits: Vec<String>,
    },
    /// The checks of its pull request failed (M-16); nothing has landed.
    RemoteChecksFailed {
        /// The target branch.
        target: String,
        /// The commit on which they ran.
        commit: String,
        /// The number of the pull request.
        pull_request: u64,
        /// The failed checks.
        failed: Vec<RemoteCheck>,
    },
    /// The branch is not at the reviewed commit (P-3).
    Unreviewed {
        /// The reviewed commit.
        reviewed: String,
        /// The current commit of the branch.
        head: String,
    },
    /// The branch would undo landings of other tasks in files that this task did not change on purpose; nothing has
    /// landed.
    RevertsLanded {
        /// The target branch.
        target: String,
        /// Files that would be set back.
        files: Vec<String>,
    },
    /// A person's uncommitted changes are in the way (M-7); the landing continues once they are gone.
    CheckoutDirty {
        /// The person's checkout.
        checkout: String,
        /// Files that are in the way.
        files: Vec<String>,
        /// The target branch, if a program other than Forge moved it under the checkout. The index lacks these files,
        /// and a commit there would undo them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        moved_under: Option<String>,
    },
    /// A dependency has not landed (T-6); the landing continues once it has.
    DependencyOpen {
        /// Keys of the open dependencies.
        tasks: Vec<String>,
    },
    /// Another git process holds the lock of the target; the landing continues once the lock is gone.
    TargetLocked {
        /// The target branch.
        target: String,
        /// The lock file.
        lock: String,
    },
    /// The remote cannot be reached (M-17); the landing continues once it can.
    PushWaits {
        /// URL of the remote.
        url: String,
        /// The error message.
        message: String,
    },
}

/// A failed check on the remote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteCheck {
    pub name: String,
    /// URL of its log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// A conflicting part of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConflictHunk {
    pub file: String,
    /// Both sides with git's conflict markers.
    pub text: String,
}

impl LandResult {
    /// The landed commit, if there is one, and the target. `None` if nothing landed.
    pub fn landed(&self) -> Option<(Option<&str>, &str)> {
        match self {
            Self::Merged { commit, target } => Some((Some(commit), target)),
            Self::NothingToMerge { target } => Some((None, target)),
            _ => None,
        }
    }

    /// Tasks that landed meanwhile and that the branch conflicts or fails with.
    pub fn culprits(&self) -> &[String] {
        match self {
            Self::Conflict { culprits, .. } | Self::ChecksFailed { culprits, .. } => culprits,
            _ => &[],
        }
    }

    /// Text for the agent or person who works on the task next.
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
                let failed = results.iter().filter(|one| !one.is_accepted());
                for result in failed {
                    text.push_str(&format!("\n\n{}", result.describe()));
                }
                Some(text)
            }
            Self::RevertsLanded { target, files } => Some(format!(
                "the branch takes back what others landed on {target} meanwhile, in files that this task did not \
                 change: {}\nmerge {target} and bring those files back; if they are to be set back, say so in a commit \
                 with one trailer `Forge-Reverts: PATH` for each of them",
                files.join(", ")
            )),
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

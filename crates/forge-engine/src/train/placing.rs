//! Puts one branch on top of what stands before it, in the object database (M-6).

use super::cargo::Cargo;
use crate::effects::Failure;
use forge_domain::task::MergeStrategy;
use forge_git::{ObjectId, Replay, Repo, Squash};

/// What a branch gives on top of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Placement {
    /// This commit.
    At {
        /// What is beneath it.
        base: ObjectId,
        commit: ObjectId,
        tree: ObjectId,
    },
    /// It does not fit.
    Clash {
        base: ObjectId,
        files: Vec<String>,
        /// The tree with both sides marked.
        marked: ObjectId,
    },
    /// It adds nothing.
    Nothing,
    /// Nobody can tell: git failed at it.
    Unclear {
        /// Why.
        error: String,
    },
}

impl Placement {
    pub(super) fn unclear(failure: Failure) -> Self {
        Self::Unclear { error: failure.into_message() }
    }
}

impl Cargo {
    /// The same each time it is asked.
    pub(crate) async fn place(&self, repo: &Repo, base: &ObjectId) -> Result<Placement, Failure> {
        let base = base.clone();
        if self.strategy == MergeStrategy::Rebase {
            let fork = self.fork.as_ref();
            let replayed =
                repo.try_replay(&base, &self.head, fork, &self.trailers, self.committer()).await?;
            match replayed {
                Replay::Clean { commit, tree } => {
                    return Ok(Placement::At { base, commit, tree });
                }
                Replay::Nothing => return Ok(Placement::Nothing),
                // What was resolved when the target was merged in is in that merge (M-9), so it lands as one commit.
                Replay::Conflict { .. } if repo.has_merges(&base, &self.head).await? => {}
                Replay::Conflict { files, tree } => {
                    return Ok(Placement::Clash { base, files, marked: tree });
                }
            }
        }
        let tree = match repo.try_squash_from(&base, &self.head, self.fork.as_ref()).await? {
            Squash::Clean { tree } => tree,
            Squash::Nothing => return Ok(Placement::Nothing),
            Squash::Conflict { files, tree } => {
                return Ok(Placement::Clash { base, files, marked: tree });
            }
        };
        let mut parents = vec![base.clone()];
        if self.strategy == MergeStrategy::Merge {
            parents.push(self.head.clone());
        }
        let mut message = self.message.clone();
        if let Some(checks) = &self.checks {
            // The very thing that is asked for before this commit lands (M-5).
            message.push_str(&format!("Forge-Receipt: {tree} {}\n", checks.hash));
        }
        let commit = repo.commit_tree(&tree, &parents, &message, &self.signature).await?;
        Ok(Placement::At { base, commit, tree })
    }
}

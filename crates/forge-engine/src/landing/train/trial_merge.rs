//! Makes a trial merge in the object database (M-6).

use crate::effects::EffectError;
use crate::landing::train::candidate::LandingCandidate;
use forge_domain::task::MergeStrategy;
use forge_git::{ObjectId, ReplayOutcome, Repo, SquashOutcome};

/// The result of a trial merge: a branch merged onto a commit in the object database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TrialMerge {
    /// The merge is clean.
    Clean {
        /// The commit beneath the merge.
        base: ObjectId,
        commit: ObjectId,
        tree: ObjectId,
    },
    /// The merge conflicts.
    Conflict {
        base: ObjectId,
        files: Vec<String>,
        /// The tree with conflict markers.
        marked: ObjectId,
    },
    /// The branch adds nothing.
    Empty,
    /// Git failed, so the result is unknown.
    GitFailed { error: String },
}

impl TrialMerge {
    pub(crate) fn from_error(failure: EffectError) -> Self {
        Self::GitFailed { error: failure.to_string() }
    }
}

impl LandingCandidate {
    /// Merges the candidate onto a commit; deterministic.
    pub(crate) async fn merge_onto(
        &self,
        repo: &Repo,
        base: &ObjectId,
    ) -> Result<TrialMerge, EffectError> {
        let base = base.clone();
        if self.strategy == MergeStrategy::Rebase {
            let fork = self.fork.as_ref();
            let replayed =
                repo.try_replay(&base, &self.head, fork, &self.trailers, self.committer()).await?;
            match replayed {
                ReplayOutcome::Clean { commit, tree } => {
                    return Ok(TrialMerge::Clean { base, commit, tree });
                }
                ReplayOutcome::AlreadyMerged => return Ok(TrialMerge::Empty),
                // Conflicts resolved in an earlier merge of the target are in that merge (M-9), so land it as one
                // commit.
                ReplayOutcome::Conflict { .. } if repo.has_merges(&base, &self.head).await? => {}
                ReplayOutcome::Conflict { files, tree } => {
                    return Ok(TrialMerge::Conflict { base, files, marked: tree });
                }
            }
        }
        let tree = match repo.try_squash_from(&base, &self.head, self.fork.as_ref()).await? {
            SquashOutcome::Clean { tree } => tree,
            SquashOutcome::AlreadyMerged => return Ok(TrialMerge::Empty),
            SquashOutcome::Conflict { files, tree } => {
                return Ok(TrialMerge::Conflict { base, files, marked: tree });
            }
        };
        let mut parents = vec![base.clone()];
        if self.strategy == MergeStrategy::Merge {
            parents.push(self.head.clone());
        }
        let mut message = self.message.clone();
        if let Some(checks) = &self.checks {
            // The same key is required before this commit lands (M-5).
            message.push_str(&format!("Forge-Receipt: {tree} {}\n", checks.hash));
        }
        let commit = repo.commit_tree(&tree, &parents, &message, &self.signature).await?;
        Ok(TrialMerge::Clean { base, commit, tree })
    }
}

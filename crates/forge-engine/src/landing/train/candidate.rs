//! What a task lands: the candidate that it enters into a merge train.

use forge_domain::task::{MergeStrategy, ReviewConfig};
use forge_domain::{ChecksHash, RepoId};
use forge_git::{CommitIdentity, CommitSignature, ObjectId};
use std::collections::BTreeSet;

/// A reviewed branch with everything that its trial merges need. The planner sees only the part that decides the order
/// (`TrainCandidate` of `forge_domain`); [`TrainEntry`](crate::landing::train::merge_train::TrainEntry) is a candidate that is in a
/// train.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LandingCandidate {
    pub(crate) repo: RepoId,
    /// The reviewed commit.
    pub(crate) head: ObjectId,
    /// The fork point if the target was rewritten since: earlier commits are not the task's.
    pub(crate) fork: Option<ObjectId>,
    /// The changed paths.
    pub(crate) paths: BTreeSet<String>,
    pub(crate) strategy: MergeStrategy,
    /// The commit message, without parts that depend on the tree.
    pub(crate) message: String,
    /// The trailers of its commits.
    pub(crate) trailers: String,
    pub(crate) signature: CommitSignature,
    /// The checks that the result must pass, if any.
    pub(crate) checks: Option<LandingChecks>,
}

/// The checks of a landing: the project's and the task's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LandingChecks {
    pub(crate) config: ReviewConfig,
    pub(crate) hash: ChecksHash,
}

impl LandingCandidate {
    pub(crate) fn committer(&self) -> &CommitIdentity {
        &self.signature.committer
    }
}

/// The project's steps and the task's additional ones, with the task's timeout.
pub(crate) fn join_checks(project: &ReviewConfig, task: &ReviewConfig) -> ReviewConfig {
    let join = |first: &[String], second: &[String]| {
        let mut all = first.to_vec();
        all.extend(second.iter().filter(|step| !first.contains(step)).cloned());
        all
    };
    ReviewConfig {
        ci_steps: join(&project.ci_steps, &task.ci_steps),
        setup_steps: join(&project.setup_steps, &task.setup_steps),
        ..task.clone()
    }
}

impl LandingChecks {
    /// The steps of a landing before they are hashed; `None` without checks.
    pub(crate) fn config_of(project: &ReviewConfig, task: &ReviewConfig) -> Option<ReviewConfig> {
        let all = join_checks(project, task);
        (!all.ci_steps.is_empty()).then_some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_11_a_landing_passes_the_projects_checks_and_its_own() {
        let steps = |steps: &[&str]| ReviewConfig {
            ci_steps: steps.iter().map(|step| (*step).to_owned()).collect(),
            ..ReviewConfig::default()
        };
        let both = LandingChecks::config_of(&steps(&["make", "test"]), &steps(&["test", "lint"]));
        assert_eq!(both, Some(steps(&["make", "test", "lint"])));
        let same = LandingChecks::config_of(&steps(&["make"]), &steps(&["make"]));
        assert_eq!(same, Some(steps(&["make"])));
        assert_eq!(LandingChecks::config_of(&steps(&[]), &steps(&[])), None);
    }
}

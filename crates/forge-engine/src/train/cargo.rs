//! What a task brings into the line.

use forge_domain::task::{MergeStrategy, ReviewConfig};
use forge_domain::{ChecksHash, RepoId};
use forge_git::{ObjectId, Person, Signature};
use std::collections::BTreeSet;

/// A branch and how it is to become part of its target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cargo {
    pub(crate) repo: RepoId,
    /// The commit that was reviewed.
    pub(crate) head: ObjectId,
    /// Where it left its target, if that was rewritten since: what was before is not its own.
    pub(crate) fork: Option<ObjectId>,
    /// What it changes.
    pub(crate) paths: BTreeSet<String>,
    pub(crate) strategy: MergeStrategy,
    /// The message of its commit, without what depends on the tree.
    pub(crate) message: String,
    /// The trailers of its commits.
    pub(crate) trailers: String,
    pub(crate) signature: Signature,
    /// What the result has to pass; nothing where there are no checks.
    pub(crate) checks: Option<LandingChecks>,
}

/// What landing a branch has to pass: the project's own checks and the task's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LandingChecks {
    pub(crate) config: ReviewConfig,
    pub(crate) hash: ChecksHash,
}

impl Cargo {
    pub(crate) fn committer(&self) -> &Person {
        &self.signature.committer
    }
}

/// The project's steps and those of the task that it does not have; the task's own word on time.
pub(super) fn joined(project: &ReviewConfig, task: &ReviewConfig) -> ReviewConfig {
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
    /// The steps of a landing, before they are hashed.
    pub(crate) fn config_of(project: &ReviewConfig, task: &ReviewConfig) -> Option<ReviewConfig> {
        let all = joined(project, task);
        (!all.ci_steps.is_empty()).then_some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_11_what_lands_passes_the_projects_checks_and_its_own() {
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

//! Settings of a task's review and landing.

use serde::{Deserialize, Serialize};

const LONGEST_TIMEOUT_SECONDS: u64 = 7 * 24 * 60 * 60;

/// Settings of the gate.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReviewConfig {
    /// Shell commands of the checks, run in order; the first failure rejects the work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ci_steps: Vec<String>,
    /// Instructions for the reviewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_prompt: Option<String>,
    /// Commands before the checks; their failure does not count against the task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub setup_steps: Vec<String>,
    /// Time limit of one command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u64>,
    /// Whether work without changes is reviewed like any other, instead of waiting for a person (E-6).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_no_changes: bool,
}

/// Target and strategy of the landing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MergeConfig {
    /// The target branch; the repository's default branch when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_branch: Option<String>,
    #[serde(default)]
    pub strategy: MergeStrategy,
}

impl ReviewConfig {
    /// Whether all fields have their default.
    pub(crate) fn is_blank(&self) -> bool {
        *self == Self::default()
    }

    /// All problems, each with the name of its field.
    pub fn problems(&self) -> Vec<(&'static str, String)> {
        let mut problems = Vec::new();
        let timeout = self.timeout_seconds;
        if timeout.is_some_and(|seconds| !(1..=LONGEST_TIMEOUT_SECONDS).contains(&seconds)) {
            let problem = format!("must be between 1 and {LONGEST_TIMEOUT_SECONDS}");
            problems.push(("timeout_seconds", problem));
        }
        problems.extend(command_problem(&self.ci_steps).map(|problem| ("ci_steps", problem)));
        if self.review_prompt.as_ref().is_some_and(|prompt| prompt.contains('\0')) {
            problems.push(("review_prompt", NUL_IN_TEXT.to_owned()));
        }
        problems.extend(command_problem(&self.setup_steps).map(|problem| ("setup_steps", problem)));
        problems
    }
}

/// A program's argument cannot contain NUL.
const NUL_IN_TEXT: &str = "a text cannot contain NUL characters";

fn command_problem(commands: &[String]) -> Option<String> {
    if commands.iter().any(|command| command.trim().is_empty()) {
        return Some("a command cannot be empty; remove it".to_owned());
    }
    commands.iter().any(|command| command.contains('\0')).then(|| NUL_IN_TEXT.to_owned())
}

impl MergeConfig {
    /// Whether all fields have their default.
    pub(crate) fn is_blank(&self) -> bool {
        *self == Self::default()
    }
}

/// How the branch is merged into its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MergeStrategy {
    /// One commit with the whole change.
    #[default]
    Squash,
    /// A merge commit.
    Merge,
    /// The commits one by one on top of the target.
    Rebase,
}

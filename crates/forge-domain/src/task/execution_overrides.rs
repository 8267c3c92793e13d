//! What a claim changes about the settings of its agent (T-3).

use crate::task::PermissionPolicy;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A year: a longer deadline limits nothing.
const LONGEST_DEADLINE_SECONDS: u64 = 366 * 86_400;
const LONGEST_MODEL: usize = 200;

/// Settings of the agent that one claim overrides. They apply to every execution of the claim: the first one, restarts,
/// follow-ups and work that a gate sent back. They end when the role gets another holder.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ExecutionOverrides {
    /// Name of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How much the model thinks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<ReasoningEffort>,
    /// What the agent may do without asking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission_policy: Option<PermissionPolicy>,
    /// Time limit of each execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_seconds: Option<u64>,
    /// Whether the caller was allowed to choose a wider policy than the agent's own (S-6). Without it the agent's own
    /// policy stays the limit, also if its owner narrows it after the claim.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_widen_policy: bool,
}

/// How much a model thinks before it answers. Programs offer different parts of this list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasoningEffort {
    Minimal,
    Low,
    Medium,
    High,
    Xhigh,
    Max,
}

impl ExecutionOverrides {
    /// Whether nothing is overridden.
    pub fn is_empty(&self) -> bool {
        let Self {
            model,
            reasoning_effort,
            permission_policy,
            deadline_seconds,
            may_widen_policy: _,
        } = self;
        model.is_none()
            && reasoning_effort.is_none()
            && permission_policy.is_none()
            && deadline_seconds.is_none()
    }

    /// The first invalid field and what is wrong with it.
    pub fn problem(&self) -> Option<(&'static str, &'static str)> {
        let length = self.model.as_ref().map(|model| model.trim().len());
        if length.is_some_and(|length| !(1..=LONGEST_MODEL).contains(&length)) {
            return Some(("overrides.model", "a model has a name of 1 to 200 bytes"));
        }
        let deadline = self.deadline_seconds;
        if deadline.is_some_and(|seconds| !(1..=LONGEST_DEADLINE_SECONDS).contains(&seconds)) {
            let problem = "a deadline is at least one second and at most 366 days";
            return Some(("overrides.deadline_seconds", problem));
        }
        None
    }

    /// The part that also applies to an agent that takes over: its program has other models and efforts, but the
    /// limits stay.
    pub(crate) fn of_substitute(&self) -> Self {
        Self {
            permission_policy: self.permission_policy,
            deadline_seconds: self.deadline_seconds,
            ..Self::default()
        }
    }
}

impl ReasoningEffort {
    /// The name of the level.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Xhigh => "xhigh",
            Self::Max => "max",
        }
    }
}

impl fmt::Display for ReasoningEffort {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

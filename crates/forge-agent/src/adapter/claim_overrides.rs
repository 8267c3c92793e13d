//! Applies the overrides of a claim to the configuration of an agent's program (T-3).

use crate::adapter::agent_kind::AgentKind;
use crate::adapter::executor_config::ExecutorConfig;
use crate::adapter::safe_argument::SafeArgument;
use forge_domain::PermissionPolicy;
use forge_domain::task::{ExecutionOverrides, ReasoningEffort};

/// Why a program cannot apply the overrides of a claim.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OverrideError {
    /// The program has no option for the field.
    #[error("{kind} has no option for `{field}`; it supports: {}", supported.join(", "))]
    Unsupported { field: &'static str, kind: AgentKind, supported: Vec<&'static str> },
    /// The program has the option, but not this value.
    #[error("{kind} does not support this `{field}`; choose one of: {}", allowed.join(", "))]
    Value { field: &'static str, kind: AgentKind, allowed: Vec<&'static str> },
    /// The name of the model could be mistaken for an option.
    #[error("`model`: {0}")]
    Model(#[from] crate::adapter::safe_argument::SafeArgumentError),
}

impl ExecutorConfig {
    /// The names of the overrides that the program can apply.
    pub fn supported_overrides(&self) -> Vec<&'static str> {
        let adapter = self.adapter;
        [
            ("model", adapter.model.is_some()),
            ("reasoning_effort", adapter.effort.is_some()),
            ("permission_policy", !adapter.policy.is_empty()),
            ("deadline_seconds", true),
        ]
        .into_iter()
        .filter_map(|(name, is_supported)| is_supported.then_some(name))
        .collect()
    }

    /// The configuration with the overrides of a claim. A policy that is wider than the agent's own applies only if the
    /// claimer was allowed to choose it.
    pub fn with_overrides(mut self, overrides: &ExecutionOverrides) -> Result<Self, OverrideError> {
        let kind = self.kind();
        if let Some(model) = &overrides.model {
            self.require_option("model", self.adapter.model.is_some())?;
            self.model = Some(SafeArgument::new(model.trim())?);
        }
        if let Some(level) = overrides.reasoning_effort {
            self.require_option("reasoning_effort", self.adapter.effort.is_some())?;
            let levels = self.adapter.effort.iter().flat_map(|options| &options.levels);
            let allowed: Vec<_> = levels.copied().map(ReasoningEffort::as_str).collect();
            if !allowed.contains(&level.as_str()) {
                return Err(OverrideError::Value { field: "reasoning_effort", kind, allowed });
            }
            self.effort = Some(level);
        }
        if let Some(policy) = overrides.permission_policy {
            self.require_option("permission_policy", !self.adapter.policy.is_empty())?;
            let limit = self.policy.filter(|_| !overrides.may_widen_policy);
            let policy = limit.map_or(policy, |limit| policy.min(limit));
            if !self.adapter.policy.contains_key(&policy) {
                let allowed = self.adapter.policies().map(PermissionPolicy::as_str).collect();
                return Err(OverrideError::Value { field: "permission_policy", kind, allowed });
            }
            self.policy = Some(policy);
        }
        self.deadline_seconds = overrides.deadline_seconds;
        Ok(self)
    }

    fn require_option(&self, field: &'static str, is_there: bool) -> Result<(), OverrideError> {
        if is_there {
            return Ok(());
        }
        let supported = self.supported_overrides();
        Err(OverrideError::Unsupported { field, kind: self.kind(), supported })
    }
}

impl OverrideError {
    /// The field of the overrides that cannot be applied.
    pub fn field(&self) -> &'static str {
        match self {
            Self::Unsupported { field, .. } | Self::Value { field, .. } => field,
            Self::Model(_) => "model",
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use serde_json::json;
    use std::time::Duration;

    fn agent(executor: serde_json::Value) -> ExecutorConfig {
        ExecutorConfig::from_json(&executor).expect("an executor")
    }

    fn overrides(fields: serde_json::Value) -> ExecutionOverrides {
        serde_json::from_value(fields).expect("overrides")
    }

    #[test]
    fn t_3_overrides_reach_the_command_line() {
        let all = overrides(json!({
            "model": "opus", "reasoning_effort": "high", "permission_policy": "plan", "deadline_seconds": 60,
        }));
        for (kind, words) in [
            ("claude", "--permission-mode plan --model opus --effort high"),
            ("codex", "--sandbox read-only --model opus -c model_reasoning_effort=high"),
            ("copilot", "--mode plan --deny-tool=write --model opus --reasoning-effort high"),
            ("opencode", "--agent plan --model opus --variant high"),
            ("droid", "--model opus --reasoning-effort high"),
        ] {
            let own = agent(json!({ "kind": kind, "model": "small" }));
            let changed = own.with_overrides(&all).expect(kind);
            let line = changed.preview_command().join(" ");
            assert!(line.contains(words), "{kind}: {line}");
            assert!(!line.contains("small"), "{kind}: {line}");
            assert_eq!(changed.timeout(), Some(Duration::from_secs(60)), "{kind}");
        }
    }

    #[test]
    fn t_3_a_program_without_the_option_names_those_that_it_has() {
        let shell = agent(json!({ "kind": "shell", "command": ["x"] }));
        let refused = shell.with_overrides(&overrides(json!({ "model": "m" }))).expect_err("none");
        assert_eq!(
            refused.to_string(),
            "shell has no option for `model`; it supports: deadline_seconds"
        );
        let amp = agent(json!({ "kind": "amp" }));
        let may_not = overrides(json!({ "permission_policy": "plan" }));
        let refused = amp.with_overrides(&may_not).expect_err("amp always has full permissions");
        assert!(refused.to_string().ends_with("choose one of: full"), "{refused}");
        let codex = agent(json!({ "kind": "codex" }));
        let too_much = overrides(json!({ "reasoning_effort": "max" }));
        let refused = codex.with_overrides(&too_much).expect_err("codex has no such level");
        assert_eq!(refused.field(), "reasoning_effort");
        let claude = agent(json!({ "kind": "claude" }));
        let option = overrides(json!({ "model": "--dangerously-skip-permissions" }));
        assert_eq!(claude.with_overrides(&option).expect_err("an option").field(), "model");
    }

    /// S-6: the agent's owner may narrow the policy after the claim.
    #[test]
    fn s_6_an_override_widens_the_policy_only_with_permission() {
        let own = agent(json!({ "kind": "claude", "policy": "edit" }));
        for (asked, may_widen, applied) in [
            ("plan", false, PermissionPolicy::Plan),
            ("full", false, PermissionPolicy::Edit),
            ("full", true, PermissionPolicy::Full),
        ] {
            let asked =
                overrides(json!({ "permission_policy": asked, "may_widen_policy": may_widen }));
            let changed = own.clone().with_overrides(&asked).expect("claude has all policies");
            assert_eq!(changed.policy(), Some(applied), "{asked:?}");
        }
    }

    #[test]
    fn t_3_the_earlier_of_two_time_limits_applies() {
        for (timeout, deadline, limit, is_deadline) in [
            (None, Some(5), Some(5), true),
            (Some(9), Some(5), Some(5), true),
            (Some(3), Some(5), Some(3), false),
            (Some(3), None, Some(3), false),
        ] {
            let own =
                agent(json!({ "kind": "shell", "command": ["x"], "timeout_seconds": timeout }));
            let changed = own
                .with_overrides(&overrides(json!({ "deadline_seconds": deadline })))
                .expect("every program has a deadline");
            assert_eq!(changed.timeout(), limit.map(Duration::from_secs));
            assert_eq!(changed.is_limited_by_deadline(), is_deadline, "{timeout:?} {deadline:?}");
        }
    }
}

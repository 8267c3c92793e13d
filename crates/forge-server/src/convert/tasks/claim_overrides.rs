//! Converts the overrides of a claim.

use forge_api::{ClaimOverrides, ExecutorPolicy, ReasoningEffort};
use forge_domain::PermissionPolicy;
use forge_domain::task::{ExecutionOverrides, ReasoningEffort as DomainEffort};

/// Converts the overrides of a request; the permission check decides whether the policy may be wider.
pub(crate) fn execution_overrides(asked: ClaimOverrides) -> ExecutionOverrides {
    let ClaimOverrides { model, reasoning_effort, permission_policy, deadline_seconds } = asked;
    ExecutionOverrides {
        model,
        reasoning_effort: reasoning_effort.map(|level| match level {
            ReasoningEffort::Minimal => DomainEffort::Minimal,
            ReasoningEffort::Low => DomainEffort::Low,
            ReasoningEffort::Medium => DomainEffort::Medium,
            ReasoningEffort::High => DomainEffort::High,
            ReasoningEffort::Xhigh => DomainEffort::Xhigh,
            ReasoningEffort::Max => DomainEffort::Max,
        }),
        permission_policy: permission_policy.map(|policy| match policy {
            ExecutorPolicy::Plan => PermissionPolicy::Plan,
            ExecutorPolicy::Edit => PermissionPolicy::Edit,
            ExecutorPolicy::Full => PermissionPolicy::Full,
        }),
        deadline_seconds,
        may_widen_policy: false,
    }
}

/// Converts stored overrides; `None` if nothing is overridden.
pub(crate) fn claim_overrides(stored: &ExecutionOverrides) -> Option<ClaimOverrides> {
    let overrides = ClaimOverrides {
        model: stored.model.clone(),
        reasoning_effort: stored.reasoning_effort.map(|level| match level {
            DomainEffort::Minimal => ReasoningEffort::Minimal,
            DomainEffort::Low => ReasoningEffort::Low,
            DomainEffort::Medium => ReasoningEffort::Medium,
            DomainEffort::High => ReasoningEffort::High,
            DomainEffort::Xhigh => ReasoningEffort::Xhigh,
            DomainEffort::Max => ReasoningEffort::Max,
        }),
        permission_policy: stored.permission_policy.map(|policy| match policy {
            PermissionPolicy::Plan => ExecutorPolicy::Plan,
            PermissionPolicy::Edit => ExecutorPolicy::Edit,
            PermissionPolicy::Full => ExecutorPolicy::Full,
        }),
        deadline_seconds: stored.deadline_seconds,
    };
    (!stored.is_empty()).then_some(overrides)
}

//! Overrides of an agent's settings by a claim (SPEC T-3).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ExecutorPolicy;

/// Settings of the agent that apply differently to one claim: to its first execution and to all that continue it, until
/// the role gets another holder. A field that is left out stays as the agent has it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClaimOverrides {
    /// Name of the model.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200)]
    pub model: Option<String>,
    /// How much the model thinks.
    #[serde(default)]
    pub reasoning_effort: Option<ReasoningEffort>,
    /// What the agent may do without asking. A policy wider than the agent's own needs the permission to change the
    /// agent.
    #[serde(default)]
    pub permission_policy: Option<ExecutorPolicy>,
    /// Time limit of each execution; the outcome of one that reaches it is `deadline_reached`.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 31_622_400)]
    pub deadline_seconds: Option<u64>,
}

/// How much a model thinks before it answers. Agent programs support different parts of this list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReasoningEffort {
    Minimal,
    Low,
    Medium,
    High,
    Xhigh,
    Max,
}

//! Options that change the agent's settings for one claim (T-3).

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use forge_api::{ClaimOverrides, ExecutorPolicy, ReasoningEffort};

use crate::commands::agent::add::policy_parser;
use crate::commands::task::claim::duration::parse_duration;

/// Overrides of the agent's settings, for this claim only.
#[derive(Debug, Default, Args)]
pub(crate) struct ClaimOptions {
    /// Model of this claim, instead of the agent's
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// How much the model thinks
    #[arg(long, value_name = "LEVEL", value_parser = effort_parser())]
    effort: Option<ReasoningEffort>,
    /// What the agent may do without asking
    #[arg(long, value_name = "POLICY", value_parser = policy_parser())]
    policy: Option<ExecutorPolicy>,
    /// End an execution that takes longer, such as 30m or 2h
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    deadline: Option<u64>,
}

impl ClaimOptions {
    /// The overrides to request; `None` if there are none.
    pub(crate) fn into_overrides(self) -> Option<ClaimOverrides> {
        let overrides = ClaimOverrides {
            model: self.model,
            reasoning_effort: self.effort,
            permission_policy: self.policy,
            deadline_seconds: self.deadline,
        };
        (overrides != ClaimOverrides::default()).then_some(overrides)
    }
}

fn effort_parser() -> impl TypedValueParser<Value = ReasoningEffort> {
    PossibleValuesParser::new(["minimal", "low", "medium", "high", "xhigh", "max"])
        .try_map(|word| serde_json::from_value(word.into()))
}

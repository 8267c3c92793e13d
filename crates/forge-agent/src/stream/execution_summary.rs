//! The result of one execution.

use crate::adapter::safe_argument::SafeArgument;
use crate::stream::transcript_event::ReportedUsage;
use forge_domain::{AgentFailure, RefusedTool, Verdict};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Result of one execution, collected from its log events.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ExecutionSummary {
    /// Id to continue the conversation (E-7).
    pub session: Option<SafeArgument>,
    /// Tokens and cost (E-8).
    pub usage: ReportedUsage,
    /// The usage covers the whole session: subtract what earlier executions reported.
    pub usage_of_session: bool,
    /// The cost covers the whole session, even where the tokens do not.
    #[serde(default)]
    pub cost_of_session: bool,
    /// The agent's last answer; its end if it was long.
    pub final_text: String,
    /// The verdict in the answer (M-3).
    pub verdict: Option<Verdict>,
    /// Why the execution failed, if it did (E-9).
    pub failure: Option<AgentFailure>,
    /// Messages that the agent accepted while it worked (T-22).
    #[serde(default)]
    pub steered: Vec<Uuid>,
    /// The tools that the policy refused.
    #[serde(default)]
    pub refused: Vec<RefusedTool>,
    pub events: u64,
}

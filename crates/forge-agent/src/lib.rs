//! Agent programs: how each is called, what prompt it gets, and how its output is read. forge-proc starts and ends
//! the processes; the engine decides when.

mod acp;
mod adapter;
mod agent_launch;
mod prompt;
mod redaction;
mod stream;

pub use crate::acp::acp_bridge::{BridgeError, run_acp_bridge};
pub use crate::acp::acp_conversation::{
    AcpConversation, AcpError, AcpStopReason, TurnControl, run_acp_conversation,
};
pub use crate::adapter::agent_adapter::{AdapterError, AgentAdapter, PromptDelivery, StreamFormat};
pub use crate::adapter::agent_kind::AgentKind;
pub use crate::adapter::argument_template::TemplateError;
pub use crate::adapter::claim_overrides::OverrideError;
pub use crate::adapter::executor_config::{ExecutorConfig, ExecutorError, is_reserved_variable};
pub use crate::adapter::login::LoginState;
pub use crate::adapter::probe::{InstalledAgent, probe_agents, probe_executor};
pub use crate::adapter::safe_argument::{SafeArgument, SafeArgumentError};
pub use crate::agent_launch::{AgentLaunch, LaunchSettings, ResumeUnsupportedError};
pub use crate::prompt::agent_prompt::AgentPrompt;
pub use crate::prompt::prompt_material::{DependencyResult, PromptMaterial, SubtaskSummary};
pub use crate::prompt::prompt_template::{PromptTemplate, PromptTemplateError};
pub use crate::redaction::secret_redactor::SecretRedactor;
pub use crate::redaction::secret_variables::secret_values;
pub use crate::stream::{
    ExecutionSummary, ReportedUsage, StreamParser, StreamSource, TranscriptEvent,
    TranscriptEventBody,
};

//! The rules of Forge: workflow graph, task snapshot, commands, events, effects, and the pure function that decides.
//! Synchronous and total; no clock, no input or output, no randomness.

mod account;
mod actor;
mod agent_report;
mod apply;
mod branch_update;
mod budget;
mod canonical;
mod command;
mod decide;
pub mod dispatch;
mod effect;
mod event;
mod facts;
mod id;
mod land_result;
pub mod project;
mod receipt;
mod refusal;
mod report;
pub mod task;
mod task_wait;
mod time;
pub mod train;
mod turn_facts;
pub mod workflow;
mod workspace_type;

pub use crate::account::{AccountRole, TokenAccess};
pub use crate::actor::{Actor, Assignee};
pub use crate::agent_report::{AgentFailure, AgentReport, FailureClass, RefusedTool, TokenUsage};
pub use crate::apply::{RecordedEvent, apply, replay};
pub use crate::branch_update::{RebaseResult, RevertResult};
pub use crate::budget::{Budget, BudgetOwner, ExhaustedBudget, ReachedLimit};
pub use crate::canonical::CanonicalJson;
pub use crate::command::{
    AdoptWorkflow, CommandEnvelope, CreateTask, ResetScope, TaskCommand, TaskPatch,
};
pub use crate::decide::{
    Decision, DeletionFacts, SubtaskRequest, TaskAction, TaskActionKind, adopt_workflow,
    allowed_actions, attach_subtask, check_deletion, create, decide,
};
pub use crate::effect::{Effect, EffectLane, PlannedEffect};
pub use crate::event::{EventKind, TaskEvent};
pub use crate::facts::{
    AgentFacts, BudgetFacts, DecisionFacts, DependencyFacts, DispatchFacts, PlannerFacts,
    RegisteredAgent, SubstituteAgent,
};
pub use crate::id::{
    AgentId, CommandId, CommentId, EffectId, ExecutionId, ProjectId, RepoId, ReviewId, TaskId,
    TokenId, UserId, WebhookId,
};
pub use crate::land_result::{ConflictHunk, LandResult, RemoteCheck};
pub use crate::receipt::{ChecksHash, ReceiptKey, ReceiptOrigin};
pub use crate::refusal::{DispatchRefusal, Refusal};
pub use crate::report::{
    CheckOutcome, CheckResult, EffectReport, ExecutionEnding, ExecutionResult, LogSpan,
    ProcessRecord, SilenceChange, Verdict,
};
pub use crate::task::PermissionPolicy;
pub use crate::task_wait::{
    NextStep, PersonReason, TaskCommandLines, TaskWait, WaitTarget, notification_events,
};
pub use crate::time::Timestamp;
pub use crate::turn_facts::{ParentFacts, TurnFacts};
pub use crate::workspace_type::WorkspaceType;

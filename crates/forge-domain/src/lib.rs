//! The rules of Forge, and nothing else: workflow graph, task snapshot, commands, events, effects, and the one pure
//! function that decides. Synchronous and total; no clock, no input or output, no randomness.

mod actor;
mod apply;
mod budget;
mod canonical;
mod command;
mod decide;
pub mod dispatch;
mod effect;
mod event;
mod facts;
mod family;
mod id;
mod joined;
mod land_result;
mod receipt;
mod refusal;
mod report;
pub mod task;
mod time;
mod told;
pub mod train;
pub mod workflow;

pub use actor::{Actor, Assignee};
pub use apply::{Recorded, apply, replay};
pub use budget::{Budget, BudgetOwner, Overspent, Spent};
pub use canonical::Canonical;
pub use command::{Adopt, Command, Create, Envelope, Reset, TaskPatch};
pub use decide::{
    Action, ActionKind, AskedSubtask, Decision, adopt, allowed, create, decide, part_of,
};
pub use effect::{Effect, Lane, PlannedEffect};
pub use event::{Event, EventKind};
pub use facts::{AgentFacts, BudgetFacts, DependencyFacts, DispatchFacts, Facts, Substitute};
pub use family::{ParentFacts, TurnFacts};
pub use id::{
    AgentId, CommandId, CommentId, EffectId, ExecutionId, ProjectId, RepoId, ReviewId, TaskId,
    TokenId, UserId,
};
pub use joined::{Inverted, Rebased};
pub use land_result::{ConflictHunk, LandResult, RemoteCheck};
pub use receipt::{ChecksHash, ReceiptKey, ReceiptOrigin};
pub use refusal::{NotDispatched, Refusal};
pub use report::{
    CheckOutcome, CheckResult, Ending, LogSpan, ProcessRecord, Report, RunResult, Silence, Verdict,
};
pub use time::Timestamp;
pub use told::{FailureClass, RunFailure, TokenUsage, Told};

//! The task: its fields, its configuration, and the facts that the engine records about it.

mod activity;
mod annotation;
mod config;
mod execution;
mod execution_overrides;
mod gate_record;
mod handoff;
mod kind;
mod permission_policy;
mod post_landing;
mod postponed;
mod pull_request;
mod question;
mod snapshot;
mod steer;
mod subtask;
mod workspace;

pub use crate::task::activity::TaskActivity;
pub use crate::task::annotation::{Annotation, AnnotationType};
pub use crate::task::config::{MergeConfig, MergeStrategy, ReviewConfig};
pub use crate::task::execution::{AgentSession, ExecutionPurpose, FollowUpMessage, TaskExecution};
pub use crate::task::execution_overrides::{ExecutionOverrides, ReasoningEffort};
pub use crate::task::gate_record::{Approval, GateRecord};
pub use crate::task::handoff::HandoffNote;
pub use crate::task::kind::TaskKind;
pub use crate::task::permission_policy::PermissionPolicy;
pub use crate::task::post_landing::{
    CleanupRecord, LandingRecord, OriginTask, PendingReturn, PostLanding, RegressionCheck,
    RegressionRecord, VerificationResult,
};
pub use crate::task::postponed::{PostponeCause, PostponedExecution};
pub use crate::task::pull_request::{PullRequest, PullRequestState, PullRequestWait};
pub use crate::task::question::{AnswerTurn, OpenQuestion};
pub use crate::task::snapshot::{TaskKey, TaskSnapshot};
pub use crate::task::steer::SteerMessage;
pub use crate::task::subtask::{OrderedTurn, Subtask};
pub use crate::task::workspace::{Workspace, WorkspaceStatus};

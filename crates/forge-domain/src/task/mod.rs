//! The task: what it is, what it is configured to do, and the facts the engine keeps about it.

mod activity;
mod aftermath;
mod annotation;
mod config;
mod gate_record;
mod handoff;
mod kind;
mod postponed;
mod pull_request;
mod run;
mod snapshot;
mod steer;
mod subtask;
mod workspace;

pub use activity::Activity;
pub use aftermath::{Aftermath, CleanedUp, FailedCheck, Landed, Origin, Regression, Verified};
pub use annotation::{Annotation, AnnotationType};
pub use config::{MergeConfig, MergeStrategy, ReviewConfig};
pub use gate_record::{Approval, GateRecord};
pub use handoff::Handoff;
pub use kind::TaskKind;
pub use postponed::{Postponed, Postponement};
pub use pull_request::{PullRequest, PullRequestState, PullRequestWait};
pub use run::{FollowUp, Purpose, Run, Session};
pub use snapshot::{Snapshot, TaskKey};
pub use steer::Steer;
pub use subtask::{Subtask, Turn};
pub use workspace::{Workspace, WorkspaceStatus};

//! The wire: what a request may say, what an answer looks like, and every error code (SPEC S-1).
//!
//! Nothing here decides anything and no domain type appears here, so the engine can change without the wire changing.
//! Rules that hold for every type:
//!
//! * **Requests** tolerate unknown fields at this level: the server collects *all* of them and refuses them together.
//!   That needs each field to reach serde's plain struct code, so a request never uses `flatten`, an internal tag or
//!   an untagged enum around named fields; shapes with alternatives go through a private flat struct (`try_from`).
//! * **Answers** always carry every field, `null` where there is no value.
//! * Timestamps are RFC 3339 UTC strings, identifiers are UUIDs, names of workflow states are data and so plain strings.

mod action;
mod actor;
mod aftermath;
mod agent;
mod assignee;
mod auth;
mod branch_template;
mod cancel;
mod claim;
mod comment;
mod conflict;
mod demo;
mod dependency;
mod diff;
mod dispatch;
mod error;
mod event;
mod execution;
mod execution_log;
mod field;
mod handoff;
mod journal;
mod member;
mod page;
mod project;
mod prompt;
mod pull_request;
mod repo;
mod repo_remote;
mod rescue;
mod review;
mod role;
mod secret;
mod setup;
mod steer;
mod step;
mod subtask;
mod system;
mod task;
mod task_config;
mod task_request;
mod token;
mod train;
mod transition;
mod upkeep;
mod usage;
mod user;
mod workflow;
mod workspace;

pub use action::{Action, ActionParameter, ParameterKind};
pub use actor::Actor;
pub use aftermath::{
    CleanupReport, FailedCheck, Landing, LandingOutcome, LandingVerified, NewRegression,
    OriginKind, Rebase, RebaseOutcome, RebaseTask, RebasedTask, Regression, SuccessorTask,
    TaskOrigin,
};
pub use agent::{
    Agent, AgentPatch, Executor, ExecutorKind, ExecutorPolicy, NewAgent, PromptChannel,
};
pub use assignee::{Assignee, NotOneAssignee};
pub use auth::{ChangePassword, Login, Me, SignedIn, UseLink, Via};
pub use branch_template::{BranchTemplate, BranchTemplates};
pub use cancel::Cancel;
pub use claim::{Claim, Claimed};
pub use comment::{Comment, NewComment};
pub use conflict::{Conflict, Conflicts, LiveBranch};
pub use demo::{Demo, DemoStarted, DemoTask};
pub use dependency::{Dependency, NewDependency};
pub use diff::{
    Diff, DiffChange, DiffFile, DiffFormat, DiffNews, DiffQuery, DiffScope, DiffSource, DiffStat,
    DiffStreamQuery,
};
pub use dispatch::{Dispatch, DispatchSettings, TaskWaiting, WaitCode, WaitReason};
pub use error::{ErrorBody, ErrorCode};
pub use event::{Event, EventQuery, EventType};
pub use execution::{
    Execution, ExecutionFailure, ExecutionOutcome, ExecutionStatus, FailureClass, LogPage, LogQuery,
};
pub use execution_log::{
    LogEvent, LogEventKind, LogEventPage, LogEventQuery, LogStreamQuery, NewFollowUp,
};
pub use handoff::{Handoff, NewHandoff};
pub use journal::{
    ForkEntry, JournalAgainst, JournalDiff, JournalDiffQuery, JournalEntry, JournalReason,
    RestoreEntry, Restored,
};
pub use member::{Member, NewMember};
pub use page::{Page, PageQuery};
pub use project::{NewProject, Project, ProjectPatch, ProjectSettings, WorkflowRef, WorkspaceType};
pub use prompt::{PromptPurpose, PromptQuery, TaskPrompt};
pub use pull_request::{MergeMode, PullRequest, PullRequestState, PullRequestWait};
pub use repo::{NewRepo, Repo, RepoSource};
pub use repo_remote::{NewCredential, RepoRemote, RepoRemotePatch};
pub use rescue::{
    AgentFinding, AgentsCheck, FailExecution, Pulse, Rescued, RestartExecution, RestartMode,
    StopExecution, TokenCount,
};
pub use review::{
    ApproveReview, NewVerdict, RejectReview, Review, ReviewDecision, ReviewOrigin, ReviewStatus,
    Reviewed, StepOutcome, StepResult, Verdict,
};
pub use role::AssignRole;
pub use secret::Secret;
pub use setup::{SetupSettings, SetupStatus, WorkspaceSetup};
pub use steer::{NewSteer, QueuedMessage, SteerDelivery, Steered};
pub use step::{Lease, Step, StepState};
pub use subtask::{Subtask, SubtaskMode, SubtaskTarget};
pub use system::{Health, OrphanNote, ReadinessCheck, Ready, RecoveryReport, SystemInfo};
pub use task::{Busy, ErrorAnnotation, Phase, Task, TaskKind};
pub use task_config::{MergeConfig, MergeStrategy, ReviewConfig};
pub use task_request::{NewTask, SortOrder, TaskPatch, TaskQuery, TaskSort};
pub use token::{CreatedToken, NewToken, Token, TokenScope};
pub use train::{
    CarStanding, CheckRecord, MergeSettings, MergeVerify, Quarantine, Train, TrainCar,
};
pub use transition::{Transition, TransitionAnswer, TransitionRequest};
pub use upkeep::{CleanVerdict, CleanWorkspaces, Cleaned, Orphan, SizeClass};
pub use usage::{Budget, Usage, UsageSum};
pub use user::{NewUser, User, UserRole};
pub use workflow::{
    Cleanup, Outcome, ReplaceWorkflow, StateKind, StateTargets, StateView, WorkflowChoice,
    WorkflowProblem, WorkflowView,
};
pub use workspace::{DirtyCounts, Workspace, WorkspaceLock, WorkspaceStatus};

//! Wire types: requests, answers and error codes of the HTTP API (SPEC S-1).
//!
//! This crate makes no decisions and uses no domain types, so the engine can change without changing the wire. Rules
//! for every type:
//!
//! * **Requests** ignore unknown fields at this level; the server collects *all* of them and refuses them together.
//!   For that each field must reach serde's plain struct code, so a request never uses `flatten`, an internal tag or
//!   an untagged enum around named fields; types with alternatives go through a private flat struct (`try_from`).
//! * **Answers** always contain every field, `null` where there is no value.
//! * Timestamps are RFC 3339 UTC strings, identifiers are UUIDs, and names of workflow states are data and therefore
//!   plain strings.

mod accounts;
pub mod actions;
mod admin;
mod error;
mod event;
mod executions;
mod field;
mod landing;
mod page;
mod projects;
mod secret;
mod tasks;
mod work_overview;
mod workspaces;

pub use crate::accounts::actor::ActorView;
pub use crate::accounts::auth::{
    AuthMethod, CallerInfo, ChangePassword, LocalSignInRequest, LocalSignInResponse, LoginRequest,
    SignInResponse, UseLink,
};
pub use crate::accounts::token::{ApiToken, CreatedToken, NewToken, TokenScope};
pub use crate::accounts::user::{NewUser, User, UserLink, UserRole};
pub use crate::admin::agent::{
    Agent, AgentEnvironment, AgentExecutor, AgentLogin, AgentPatch, AgentProbe, AgentProgram,
    AgentWait, AgentWaitReason, ExecutorKind, ExecutorPolicy, NewAgent, PromptChannel,
};
pub use crate::admin::demo::{DemoReport, DemoStarted, DemoTask};
pub use crate::admin::dispatch::{
    DispatchSettings, DispatchStatus, NextStep, TaskWaiting, WaitCode, WaitReason, WaitsFor,
};
pub use crate::admin::system::{
    HealthReport, OrphanNote, ReadinessCheck, ReadinessReport, RecoveryReport, SystemInfo,
};
pub use crate::error::{ErrorBody, ErrorCode};
pub use crate::event::{EventQuery, EventType, EventView};
pub use crate::executions::execution::{
    Execution, ExecutionFailure, ExecutionOutcome, ExecutionStatus, FailureClass, LogPage, LogQuery,
};
pub use crate::executions::execution_control::{
    AgentFinding, AgentsCheck, ExecutionPulse, FailExecution, RescueResponse, RestartExecution,
    RestartMode, StopExecution, TokenCount,
};
pub use crate::executions::execution_log::{
    LogEvent, LogEventKind, LogEventPage, LogEventQuery, LogStreamQuery, NewFollowUp,
};
pub use crate::executions::steer::{NewSteer, QueuedMessage, SteerDelivery, SteerResponse};
pub use crate::executions::usage::{BudgetLimits, UsageAmount, UsageSum};
pub use crate::landing::conflict::{ConflictList, ConflictView, LiveBranch, TargetConflict};
pub use crate::landing::merge_train::{
    CheckRecord, MergeSettings, MergeTrainEntry, MergeTrainEntryState, MergeTrainStatus,
    MergeVerify, QuarantineRequest,
};
pub use crate::landing::post_landing::{
    AcceptLanded, CleanupReport, FailedCheck, LandingOutcome, LandingReport, LandingVerified,
    NewRegression, OriginKind, RebaseOutcome, RebaseReport, RebaseTask, RebasedTask,
    RegressionReport, SuccessorTask, TaskOrigin,
};
pub use crate::landing::pull_request::{MergeMode, PullRequest, PullRequestState, PullRequestWait};
pub use crate::landing::review::{
    ApproveReview, NewVerdict, RejectReview, Review, ReviewDecision, ReviewOrigin, ReviewResponse,
    ReviewStatus, ReviewVerdict, StepOutcome, StepResult,
};
pub use crate::page::{Page, PageQuery};
pub use crate::projects::branch_template::{BranchTemplate, BranchTemplates};
pub use crate::projects::member::{NewMember, ProjectMember};
pub use crate::projects::project::{
    KeptRepository, NewProject, Project, ProjectPatch, ProjectSettings, RemovedProject,
    WorkflowRef, WorkspaceType,
};
pub use crate::projects::repo::{NewRepo, Repo, RepoSource};
pub use crate::projects::repo_config::{RepoConfig, RepoConfigChange, RepoConfigChangeKind};
pub use crate::projects::repo_remote::{NewCredential, RepoRemote, RepoRemotePatch};
pub use crate::projects::webhook::{
    CreatedWebhook, NewWebhook, Webhook, WebhookDelivery, WebhookDeliveryKind, WebhookPatch,
    WebhookStatus,
};
pub use crate::projects::workflow::{
    CleanupView, OutcomeView, ReplaceWorkflow, StateKind, StateTargets, StateView, WorkflowChoice,
    WorkflowProblem, WorkflowView,
};
pub use crate::secret::SecretString;
pub use crate::tasks::action::{ActionParameter, ActionView, ParameterKind};
pub use crate::tasks::assignee::{AssigneeError, RoleAssignee};
pub use crate::tasks::cancel::CancelRequest;
pub use crate::tasks::claim::{ClaimRequest, ClaimResponse};
pub use crate::tasks::claim_overrides::{ClaimOverrides, ReasoningEffort};
pub use crate::tasks::comment::{Comment, NewComment};
pub use crate::tasks::dependency::{NewDependency, TaskDependency};
pub use crate::tasks::effect::{EffectState, EffectView, LeaseView};
pub use crate::tasks::handoff::{HandoffView, NewHandoff};
pub use crate::tasks::needs_person::{NeedsPerson, NeedsPersonQuery};
pub use crate::tasks::prompt::{PromptPurpose, PromptQuery, TaskPrompt};
pub use crate::tasks::question::{NewAnswer, NewQuestion, Question, QuestionQuery, QuestionStatus};
pub use crate::tasks::role::AssignRole;
pub use crate::tasks::subtask::{SubtaskInfo, SubtaskMode, SubtaskTarget};
pub use crate::tasks::task::{ActivityView, ErrorAnnotation, Task, TaskKind, TaskPhase};
pub use crate::tasks::task_config::{MergeConfig, MergeStrategy, ReviewConfig};
pub use crate::tasks::task_counts::{PhaseCounts, TaskCounts};
pub use crate::tasks::task_request::{NewTask, SortOrder, TaskPatch, TaskQuery, TaskSort};
pub use crate::tasks::transition::{
    CompleteTask, Transition, TransitionRequest, TransitionResponse,
};
pub use crate::work_overview::{
    WorkOverview, WorkOverviewGroup, WorkOverviewQuery, WorkOverviewTask,
};
pub use crate::workspaces::cleanup::{
    CleanWorkspaces, CleanupDecision, OrphanView, SizeClass, WorkspaceCleanup,
};
pub use crate::workspaces::diff::{
    DiffChange, DiffEvent, DiffFile, DiffFormat, DiffQuery, DiffScope, DiffSource, DiffStat,
    DiffStreamQuery, DiffView,
};
pub use crate::workspaces::journal::{
    ForkEntry, JournalAgainst, JournalDiff, JournalDiffQuery, JournalEntry, JournalReason,
    RestoreEntry, RestoreResponse,
};
pub use crate::workspaces::setup::{SetupSettings, SetupStatus, WorkspaceSetup};
pub use crate::workspaces::workspace::{
    DirtyCounts, WorkspaceLock, WorkspaceStatus, WorkspaceView,
};

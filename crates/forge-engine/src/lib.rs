//! The engine: loads state, lets the domain decide, commits, and performs the resulting effects. There is no other way
//! to change a task, and no other place that changes the world.

mod accounts;
mod admin;
mod command;
mod dispatch;
mod effects;
mod engine;
mod engine_features;
mod execution;
mod gate;
mod landing;
mod nodes;
mod radar;
mod recovery;
mod remote;
mod webhook;
mod workspace;

pub use crate::accounts::{
    AccessTokenSpec, AccountError, Accounts, BrowserSession, EndedAccess, HashingError,
    IssuedAccessToken, LinkError, LocalSignIn, OneTimeLink, PasswordChecker, PasswordHash,
    PasswordLengthError, PlainSecret, RandomnessError, SecretHash, UserSpec,
};
pub use crate::admin::boundary::{AddressRule, PrivateAddresses};
pub use crate::admin::{
    AgentChange, AgentSpec, HIDDEN, KeptDirectory, KeptRepository, LocalRepoSpec, ProjectChange,
    ProjectSpec, RemoteChange, RemoteRepoSpec, RemoteState, RemovedProject, StartPlacement,
    TaskSpec, WorkflowSpec, check_name,
};
pub use crate::command::clock::{Clock, SystemClock};
pub use crate::command::errors::{EngineError, EngineStartError};
pub use crate::command::id_source::IdSource;
pub use crate::command::needs_person::PersonTask;
pub use crate::command::settle::ClaimProgress;
pub use crate::command::work_overview::{WorkGroup, WorkGroups, WorkItem};
pub use crate::dispatch::{AdmissionLimits, DispatchState, WaitExplanation};
pub use crate::effects::faults::{FaultAction, FaultPlan, FaultPoints};
pub use crate::engine::{Engine, EngineLimits, EngineParts};
pub use crate::execution::follow_up::ResumableSession;
pub use crate::execution::prompt::PromptPreview;
pub use crate::execution::server_environment::{AgentVariables, ServerEnvironment};
pub use crate::execution::silence_limits::SilenceLimits;
pub use crate::execution::supervision::{AgentsOverview, AgentsOverviewEntry, ExecutionActivity};
pub use crate::execution::transcript::{TranscriptPage, TranscriptRange};
pub use crate::gate::receipts::ReceiptRow;
pub use crate::landing::post_landing::SuccessorOutcome;
pub use crate::landing::train::{CheckLedgerRow, MergeTrainView, TrainEntryView};
pub use crate::nodes::data_directory::{DataDirectory, DataDirectoryError};
pub use crate::nodes::storage_probe::StorageFindings;
pub use crate::radar::{BranchConflict, ProjectConflicts, RadarBranch, RadarPassStats};
pub use crate::recovery::adopted_locks::RecoveredExecutions;
pub use crate::recovery::restart_policy::RestartPolicy;
pub use crate::recovery::shutdown_signals::OngoingWork;
pub use crate::recovery::startup_recovery::StartupRecovery;
pub use crate::remote::{HostResolver, RemoteSettings, SystemResolver};
pub use crate::webhook::{
    EventEncoding, IssuedWebhook, PING_EVENT, SigningSecret, WebhookChange, WebhookSpec,
};
pub use crate::workspace::cleanup::{
    DirectoryExtent, DirectorySize, OrphanCause, OrphanDirectory, OrphanRecord, RemovalDecision,
    WorkspaceRemoval,
};
pub use crate::workspace::journal::{EntryComparison, EntryDiff};
pub use crate::workspace::pool::PoolLimits;
pub use crate::workspace::restore_entry::RestoreOutcome;
pub use crate::workspace::view::diff_follower::{TaskDiffFollower, TaskDiffUpdate};
pub use crate::workspace::view::task_diff::{TaskDiff, TaskDiffSource};
pub use crate::workspace::view::workspace_summary::{
    DiffLimits, DiffPath, DiffScope, FileDiff, FileStatus, GitDiff, LockHolder, WorkspaceFindings,
    WorkspaceSummary,
};
pub use forge_agent::{AgentKind, InstalledAgent, LoginState};

/// Types needed to build [`EngineParts`].
pub use forge_git::{GitNotFoundError, GitProgram};
pub use forge_proc::release_free_memory;

/// Credentials for remote repositories.
pub use forge_git::{AccessToken, AccessTokenError};
pub use forge_github::{AppKey, AppKeyError, GitHubClient};

/// Journal entries of a workspace.
pub use forge_git::{BranchOnRestore, JournalEntry, JournalReason};

/// The initial content of a new repository.
pub use forge_git::InitialFile;
pub use forge_git::{SettingsChange, SettingsChangeKind};

pub use crate::admin::agent::Agents;
pub use crate::admin::agent_program::AgentPrograms;
pub use crate::admin::boundary::project_directories::ProjectBoundary;
pub use crate::admin::project::Projects;
pub use crate::admin::repo::Repos;
pub use crate::command::commit::Commands;
pub use crate::command::lookup::RecordReader;
pub use crate::command::needs_person::NeedsPersonList;
pub use crate::command::settle::TaskProgress;
pub use crate::command::work_overview::WorkOverviewReader;
pub use crate::dispatch::dispatch_round::Dispatch;
/// The features of an engine.
pub use crate::execution::follow_up::AgentMessages;
pub use crate::execution::prompt::prompt_preview::AgentPrompts;
pub use crate::execution::supervision::agents_overview::AgentSupervision;
pub use crate::execution::transcript::read_transcript::Transcripts;
pub use crate::gate::check_ledger::CheckLedger;
pub use crate::gate::receipts::Receipts;
pub use crate::landing::post_landing::PostLanding;
pub use crate::landing::pull_request::pull_watch::PullRequests;
pub use crate::landing::train::train_view::TrainViews;
pub use crate::nodes::storage_probe::NodeProbe;
pub use crate::radar::check_branches::Radar;
pub use crate::recovery::shut_down::Shutdown;
pub use crate::remote::access::Remotes;
pub use crate::webhook::Webhooks;
pub use crate::workspace::cleanup::orphan::WorkspaceCleanup;
pub use crate::workspace::journal::WorkspaceJournals;
pub use crate::workspace::pool::WorktreePools;
pub use crate::workspace::restore_entry::JournalRestores;
pub use crate::workspace::view::workspace_summary::WorkspaceViews;

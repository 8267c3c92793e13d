//! The engine: its parts, and how it starts and stops.

use crate::accounts::Accounts;
use crate::admin::agent::Agents;
use crate::admin::agent_program::AgentPrograms;
use crate::admin::project::Projects;
use crate::admin::repo::Repos;
use crate::command::clock::Clock;
use crate::command::commit::Commands;
use crate::command::errors::{EngineError, EngineStartError};
use crate::command::id_source::IdSource;
use crate::command::lookup::RecordReader;
use crate::command::needs_person::NeedsPersonList;
use crate::command::settle::TaskProgress;
use crate::command::work_overview::WorkOverviewReader;
use crate::dispatch::AdmissionLimits;
use crate::dispatch::dispatch_round::Dispatch;
use crate::effects::faults::FaultPoints;
use crate::engine_features::{EngineFeatures, SharedParts};
use crate::execution::follow_up::AgentMessages;
use crate::execution::prompt::prompt_preview::AgentPrompts;
use crate::execution::server_environment::ServerEnvironment;
use crate::execution::silence_limits::SilenceLimits;
use crate::execution::supervision::agents_overview::AgentSupervision;
use crate::execution::transcript::read_transcript::Transcripts;
use crate::gate::check_ledger::CheckLedger;
use crate::gate::receipts::Receipts;
use crate::landing::post_landing::PostLanding;
use crate::landing::pull_request::pull_watch::PullRequests;
use crate::landing::train::train_view::TrainViews;
use crate::nodes::data_directory::DataDirectory;
use crate::nodes::database_backup::DatabaseBackups;
use crate::nodes::storage_probe::NodeProbe;
use crate::radar::check_branches::Radar;
use crate::recovery::restart_policy::RestartPolicy;
use crate::recovery::shut_down::Shutdown;
use crate::recovery::startup_recovery::StartupRecovery;
use crate::remote::RemoteSettings;
use crate::remote::access::Remotes;
use crate::webhook::{EventEncoding, Webhooks};
use crate::workspace::cleanup::orphan::WorkspaceCleanup;
use crate::workspace::journal::WorkspaceJournals;
use crate::workspace::pool::{PoolLimits, WorktreePools};
use crate::workspace::restore_entry::JournalRestores;
use crate::workspace::view::workspace_summary::WorkspaceViews;
use forge_domain::Timestamp;
use forge_git::{GitProgram, WorkspaceRoot};
use forge_proc::ProcessMark;
use forge_store::{DatabaseUrl, Db};
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Handle to the engine; clones share one engine.
#[derive(Debug, Clone)]
pub struct Engine(Arc<EngineInner>);

#[derive(Debug)]
struct EngineInner {
    db: Db,
    home: Arc<DataDirectory>,
    clock: Arc<dyn Clock>,
    accounts: Accounts,
    features: Box<EngineFeatures>,
    recovery: StartupRecovery,
}

/// Everything that an engine is built from.
#[derive(Debug)]
pub struct EngineParts {
    pub home: DataDirectory,
    /// Database URL; by default SQLite in the data directory.
    pub database: Option<DatabaseUrl>,
    /// Directory for worktrees; by default in the data directory.
    pub workspace_root: Option<PathBuf>,
    pub git: GitProgram,
    pub clock: Arc<dyn Clock>,
    pub ids: IdSource,
    /// Fault plan of a test.
    pub faults: FaultPoints,
    /// Environment that agents and checks inherit.
    pub environment: ServerEnvironment,
    pub limits: EngineLimits,
}

/// Configured limits of the engine.
#[derive(Debug, Clone)]
pub struct EngineLimits {
    /// Seconds until the workspace of a cancelled task is removed.
    pub cleanup_delay_seconds: u64,
    /// Number of reviews that may run checks at once.
    pub concurrent_checks: usize,
    /// Largest stored output of an execution.
    pub log_bytes: u64,
    /// Lifetime of an effect's lease without renewal.
    pub lease_seconds: u64,
    /// Ports that tasks may lease (W-13).
    pub ports: std::ops::RangeInclusive<u16>,
    pub pool: PoolLimits,
    /// Interval between journal entries while an agent works.
    pub journal_seconds: u64,
    /// How many journal entries of a task are kept.
    pub journal_entries: usize,
    /// How many days journal entries are kept.
    pub journal_days: u64,
    /// URL at which agents reach this server.
    pub url: Option<String>,
    /// How many executions the scheduler starts on this node at once.
    pub agents: Option<u32>,
    /// Silence thresholds for agents without their own.
    pub silence_limits: SilenceLimits,
    /// What happens to agents when the server stops.
    pub restart_policy: RestartPolicy,
    /// Resources required before the scheduler starts another execution.
    pub admission: AdmissionLimits,
    /// Settings of remote hosts.
    pub remotes: RemoteSettings,
    /// Encodes the events for webhooks; without it the engine delivers none.
    pub event_encoding: Option<EventEncoding>,
}

impl Default for EngineLimits {
    fn default() -> Self {
        Self {
            cleanup_delay_seconds: 86_400,
            concurrent_checks: std::thread::available_parallelism().map_or(2, usize::from),
            log_bytes: 64 * 1024 * 1024,
            lease_seconds: 30,
            ports: 42_000..=42_999,
            pool: PoolLimits::NONE,
            journal_seconds: 180,
            journal_entries: 50,
            journal_days: 30,
            url: None,
            agents: None,
            silence_limits: SilenceLimits::default(),
            restart_policy: RestartPolicy::default(),
            admission: AdmissionLimits::default(),
            remotes: RemoteSettings::default(),
            event_encoding: None,
        }
    }
}

/// The mark of processes that git starts for this node.
pub(crate) fn git_mark(home: &DataDirectory) -> ProcessMark {
    ProcessMark::of_git(home.node().as_u128(), home.root())
}

impl Engine {
    /// Opens the database and repairs what the last run left unfinished. No effect runs before [`Engine::run`] or
    /// [`Engine::tick`].
    pub async fn start(parts: EngineParts) -> Result<Self, EngineStartError> {
        let database = match &parts.database {
            Some(url) => url.clone(),
            None => DatabaseUrl::sqlite(parts.home.database()),
        };
        let db = Db::open(&database).await?;
        let root = parts.workspace_root.unwrap_or_else(|| parts.home.workspaces());
        let root = WorkspaceRoot::open(&root)
            .await
            .map_err(|error| EngineStartError::WorkspaceRoot(error.to_string()))?;
        let git = parts.git.isolated(parts.home.git_settings(), git_mark(&parts.home));
        let (home, clock) = (Arc::new(parts.home), parts.clock);
        let features = Box::new(EngineFeatures::new(SharedParts {
            db: db.clone(),
            home: home.clone(),
            root,
            git,
            clock: clock.clone(),
            ids: parts.ids.clone(),
            faults: parts.faults,
            environment: Arc::new(parts.environment),
            limits: parts.limits,
        }));
        let recovery = features.recovery.recover_last_run().await?;
        features.dispatch.queue_unknown_tasks().await?;
        features.needs_person.fill_in_needs_person().await?;
        let accounts = Accounts::new(db.clone(), clock.clone(), parts.ids);
        Ok(Self(Arc::new(EngineInner { db, home, clock, accounts, features, recovery })))
    }

    /// Performs effects until stopped, and everything else that an engine does by itself.
    pub async fn run(&self, stop: CancellationToken) {
        let features = &self.0.features;
        features.pools.maintain_pools().await;
        tokio::select! {
            () = stop.cancelled() => {}
            () = features.tasks.died() => {}
            () = features.executor.renew_leases_regularly() => {}
            () = features.journals.prune_journals_regularly() => {}
            () = features.pools.shrink_idle_pools() => {}
            () = Box::pin(features.radar.run_radar_loop()) => {}
            () = self.dispatch_until_shutdown() => {}
            () = Box::pin(features.webhooks.run_delivery_loop()) => {}
            () = features.executor.run_executor_loop() => {}
        }
    }

    /// Stops only dispatch during shutdown; everything else continues.
    async fn dispatch_until_shutdown(&self) {
        let EngineFeatures { signals, dispatch, .. } = &*self.0.features;
        signals.stop_starting.run_until_cancelled(dispatch.run_dispatch_loop()).await;
        std::future::pending().await
    }

    /// Leases and starts every due effect; returns their number.
    pub async fn tick(&self) -> Result<usize, EngineError> {
        self.0.features.executor.tick().await
    }

    /// Performs everything that needs no waiting for time, for tests with a manual clock.
    pub async fn drain(&self) -> Result<(), EngineError> {
        self.0.features.executor.drain().await
    }

    /// Stops everything at once, like a kill: no reports, no cleanup. The next start finds and repairs unfinished work.
    pub async fn die(&self) {
        self.0.features.shutdown.die().await;
    }

    /// The database, for reading.
    pub fn db(&self) -> &Db {
        &self.0.db
    }

    pub fn home(&self) -> &DataDirectory {
        &self.0.home
    }

    /// The current time.
    pub fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// What start-up found and repaired.
    pub fn recovery(&self) -> &StartupRecovery {
        &self.0.recovery
    }

    /// Users and their credentials.
    pub fn accounts(&self) -> &Accounts {
        &self.0.accounts
    }

    /// Registration and changes of agents.
    pub fn agents(&self) -> &Agents {
        &self.0.features.agents
    }

    /// The programs of agents on this machine.
    pub fn agent_programs(&self) -> &AgentPrograms {
        &self.0.features.agent_programs
    }

    /// Messages of users to agents.
    pub fn agent_messages(&self) -> &AgentMessages {
        &self.0.features.messages
    }

    /// The prompts of agents.
    pub fn agent_prompts(&self) -> &AgentPrompts {
        &self.0.features.prompts
    }

    /// What running agents do.
    pub fn agent_supervision(&self) -> &AgentSupervision {
        &self.0.features.supervision
    }

    /// The statistics of checks.
    pub fn check_ledger(&self) -> &CheckLedger {
        &self.0.features.check_ledger
    }

    /// Every change of a task.
    pub fn commands(&self) -> &Commands {
        &self.0.features.commands
    }

    /// The scheduler of tasks.
    pub fn dispatch(&self) -> &Dispatch {
        &self.0.features.dispatch
    }

    /// The saved states of workspaces.
    pub fn journals(&self) -> &WorkspaceJournals {
        &self.0.features.journals
    }

    /// Restores of saved states.
    pub fn journal_restores(&self) -> &JournalRestores {
        &self.0.features.journal_restores
    }

    /// The tasks that wait for a person.
    pub fn needs_person(&self) -> &NeedsPersonList {
        &self.0.features.needs_person
    }

    /// The overview of a user's work.
    pub fn work_overview(&self) -> &WorkOverviewReader {
        &self.0.features.work_overview
    }

    /// The state of the database, the disks and git.
    pub fn backups(&self) -> &DatabaseBackups {
        &self.0.features.backups
    }

    /// Examines what this node needs.
    pub fn node_probe(&self) -> &NodeProbe {
        &self.0.features.node_probe
    }

    /// Rebases, reverts and regressions.
    pub fn post_landing(&self) -> &PostLanding {
        &self.0.features.post_landing
    }

    /// Waits for the results of commands.
    pub fn progress(&self) -> &TaskProgress {
        &self.0.features.progress
    }

    /// Projects and their workflows.
    pub fn projects(&self) -> &Projects {
        &self.0.features.projects
    }

    /// Pull requests of tasks.
    pub fn pull_requests(&self) -> &PullRequests {
        &self.0.features.pull_requests
    }

    /// The conflict radar of live branches.
    pub fn radar(&self) -> &Radar {
        &self.0.features.radar
    }

    /// Receipts of checks.
    pub fn receipts(&self) -> &Receipts {
        &self.0.features.receipts
    }

    /// Single tasks, projects, agents and workflows.
    pub fn records(&self) -> &RecordReader {
        &self.0.features.records
    }

    /// Remote repositories and their credentials.
    pub fn remotes(&self) -> &Remotes {
        &self.0.features.remotes
    }

    /// The repositories of projects.
    pub fn repos(&self) -> &Repos {
        &self.0.features.repositories
    }

    /// The orderly end of this engine.
    pub fn shutdown(&self) -> &Shutdown {
        &self.0.features.shutdown
    }

    /// Merge trains, for reading.
    pub fn trains(&self) -> &TrainViews {
        &self.0.features.train_views
    }

    /// The transcripts of executions.
    pub fn transcripts(&self) -> &Transcripts {
        &self.0.features.transcripts
    }

    /// Removals of workspaces, and directories without a task.
    pub fn workspace_cleanup(&self) -> &WorkspaceCleanup {
        &self.0.features.cleanup
    }

    /// Webhooks of projects.
    pub fn webhooks(&self) -> &Webhooks {
        &self.0.features.webhooks
    }

    /// Summaries and diffs of workspaces.
    pub fn workspace_views(&self) -> &WorkspaceViews {
        &self.0.features.views
    }

    /// The pools of worktrees.
    pub fn worktree_pools(&self) -> &WorktreePools {
        &self.0.features.pools
    }
}

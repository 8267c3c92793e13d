//! The engine: its parts, and how it starts and stops.

use crate::accounts::Accounts;
use crate::command::clock::Clock;
use crate::command::errors::EngineStartError;
use crate::command::id_source::IdSource;
use crate::command::workflow_cache::WorkflowCache;
use crate::dispatch::AdmissionLimits;
use crate::effects::executor_loops::ExecutorLoops;
use crate::effects::faults::FaultPoints;
use crate::effects::held_effects::HeldEffects;
use crate::effects::process_registry::ProcessRegistry;
use crate::execution::server_environment::ServerEnvironment;
use crate::execution::silence_limits::SilenceLimits;
use crate::landing::train::MergeTrains;
use crate::nodes::data_directory::DataDirectory;
use crate::radar::RadarQueue;
use crate::recovery::adopted_locks::AdoptedLocks;
use crate::recovery::restart_policy::RestartPolicy;
use crate::recovery::shutdown_signals::ShutdownSignals;
use crate::recovery::startup_recovery::StartupRecovery;
use crate::remote::remote_fetches::RemoteFetches;
use crate::remote::{PushLocks, RemoteSettings, TokenSeal};
use crate::workspace::pool::{BackgroundJobs, OpenedRepos, PoolDemand, PoolLimits};
use crate::workspace::view::read_cache::ReadCache;
use forge_domain::{Actor, CommandEnvelope, CommandId};
use forge_git::{GitProgram, RepoLocks, WorkspaceLocks, WorkspaceRoot};
use forge_proc::ProcessMark;
use forge_store::{DatabaseUrl, Db};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Handle to the engine; clones share one engine.
#[derive(Debug, Clone)]
pub struct Engine(pub(crate) Arc<EngineInner>);

#[derive(Debug)]
pub(crate) struct EngineInner {
    pub(crate) db: Db,
    pub(crate) home: DataDirectory,
    pub(crate) root: WorkspaceRoot,
    pub(crate) git: GitProgram,
    pub(crate) repo_locks: RepoLocks,
    pub(crate) workspace_locks: WorkspaceLocks,
    pub(crate) read_cache: ReadCache,
    pub(crate) fetches: RemoteFetches,
    pub(crate) push_locks: PushLocks,
    pub(crate) token_seal: TokenSeal,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: IdSource,
    pub(crate) faults: FaultPoints,
    pub(crate) limits: EngineLimits,
    pub(crate) environment: ServerEnvironment,
    pub(crate) workflows: WorkflowCache,
    pub(crate) processes: ProcessRegistry,
    pub(crate) adopted_locks: AdoptedLocks,
    pub(crate) held_effects: HeldEffects,
    pub(crate) executor_loops: ExecutorLoops,
    pub(crate) checks: Semaphore,
    pub(crate) opened_repos: OpenedRepos,
    pub(crate) background_jobs: BackgroundJobs,
    pub(crate) pool_demand: PoolDemand,
    pub(crate) trains: MergeTrains,
    pub(crate) radar: RadarQueue,
    pub(crate) tasks: TaskTracker,
    /// Holds one token per running agent.
    pub(crate) running_agents: TaskTracker,
    pub(crate) shutdown: ShutdownSignals,
    pub(crate) dead: CancellationToken,
    pub(crate) recovery: OnceLock<StartupRecovery>,
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
        let engine = Self(Arc::new(EngineInner {
            db,
            repo_locks: RepoLocks::new(parts.home.locks()),
            workspace_locks: WorkspaceLocks::new(parts.home.locks()),
            read_cache: ReadCache::new(),
            fetches: RemoteFetches::default(),
            push_locks: PushLocks::default(),
            token_seal: TokenSeal::new(parts.home.token_key()),
            home: parts.home,
            root,
            git,
            clock: parts.clock,
            ids: parts.ids,
            faults: parts.faults,
            checks: Semaphore::new(parts.limits.concurrent_checks.max(1)),
            limits: parts.limits,
            environment: parts.environment,
            workflows: WorkflowCache::default(),
            processes: ProcessRegistry::default(),
            adopted_locks: AdoptedLocks::default(),
            held_effects: HeldEffects::default(),
            executor_loops: ExecutorLoops::default(),
            opened_repos: OpenedRepos::default(),
            background_jobs: BackgroundJobs::default(),
            pool_demand: PoolDemand::default(),
            trains: MergeTrains::default(),
            radar: RadarQueue::default(),
            tasks: TaskTracker::new(),
            running_agents: TaskTracker::new(),
            shutdown: ShutdownSignals::default(),
            dead: CancellationToken::new(),
            recovery: OnceLock::new(),
        }));
        engine.recover_last_run().await?;
        engine.queue_unknown_tasks().await?;
        engine.fill_in_needs_person().await?;
        Ok(engine)
    }

    /// The database, for reading.
    pub fn db(&self) -> &Db {
        &self.0.db
    }

    /// Users and their credentials.
    pub fn accounts(&self) -> Accounts {
        Accounts::new(self.0.db.clone(), self.0.clock.clone(), self.0.ids.clone())
    }

    pub fn home(&self) -> &DataDirectory {
        &self.0.home
    }

    /// The current time.
    pub fn now(&self) -> forge_domain::Timestamp {
        self.0.clock.now()
    }

    /// What start-up found and repaired.
    pub fn recovery(&self) -> Option<&StartupRecovery> {
        self.0.recovery.get()
    }

    /// Stops everything at once, like a kill: no reports, no cleanup. The next start finds and repairs unfinished work.
    pub async fn die(&self) {
        self.0.dead.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
        self.0.db.close().await;
    }

    pub(crate) fn envelope<C>(&self, actor: Actor, command: C) -> CommandEnvelope<C> {
        let at = self.0.clock.now();
        CommandEnvelope { id: CommandId::new(self.0.ids.next(at)), at, actor, command }
    }
}

//! The engine itself: what it is made of, and how it starts and ends.

use crate::at_work::AtWork;
use crate::clock::Clock;
use crate::environment::Environment;
use crate::errors::StartError;
use crate::faults::Faults;
use crate::fetches::Fetches;
use crate::head_start::HeadStarts;
use crate::held::HeldSteps;
use crate::home::Home;
use crate::ids::Ids;
use crate::looks::Looks;
use crate::on_restart::OnRestart;
use crate::patience::Patience;
use crate::pool::{Chores, OpenedRepos, PoolLimits};
use crate::radar::Notices;
use crate::recovery::RecoveryReport;
use crate::regained::Regained;
use crate::remotes::{RemoteSettings, Seal, Turns};
use crate::running::Runs;
use crate::scheduling::Admission;
use crate::train::Lines;
use crate::winding_down::WindingDown;
use crate::workflows::Workflows;
use forge_domain::{Actor, CommandId, Envelope};
use forge_git::{Git, RepoLocks, WorkspaceLocks, WorkspaceRoot};
use forge_store::{DatabaseUrl, Db};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Cheap to clone; all clones are the same engine.
#[derive(Debug, Clone)]
pub struct Engine(pub(crate) Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) db: Db,
    pub(crate) home: Home,
    pub(crate) root: WorkspaceRoot,
    pub(crate) git: Git,
    pub(crate) repo_locks: RepoLocks,
    pub(crate) workspace_locks: WorkspaceLocks,
    pub(crate) looks: Looks,
    pub(crate) fetches: Fetches,
    pub(crate) pushes: Turns,
    pub(crate) seal: Seal,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    pub(crate) faults: Faults,
    pub(crate) limits: Limits,
    pub(crate) environment: Environment,
    pub(crate) workflows: Workflows,
    pub(crate) runs: Runs,
    pub(crate) regained: Regained,
    pub(crate) held: HeldSteps,
    pub(crate) head_starts: HeadStarts,
    pub(crate) at_work: AtWork,
    pub(crate) checks: Semaphore,
    pub(crate) opened: OpenedRepos,
    pub(crate) chores: Chores,
    pub(crate) lines: Lines,
    pub(crate) radar: Notices,
    pub(crate) tasks: TaskTracker,
    /// One of it for each agent at work.
    pub(crate) turns: TaskTracker,
    pub(crate) winding_down: WindingDown,
    pub(crate) dead: CancellationToken,
    pub(crate) recovery: OnceLock<RecoveryReport>,
}

/// What an engine is built from.
#[derive(Debug)]
pub struct Parts {
    /// The data directory.
    pub home: Home,
    /// The database; the embedded one in the data directory when absent.
    pub database: Option<DatabaseUrl>,
    /// Where worktrees go; in the data directory when absent.
    pub workspace_root: Option<PathBuf>,
    /// The git program.
    pub git: Git,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Identifiers.
    pub ids: Ids,
    /// Planned faults.
    pub faults: Faults,
    /// What agents and checks inherit.
    pub environment: Environment,
    /// Numbers.
    pub limits: Limits,
}

/// The engine's numbers.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Seconds until the workspace of a cancelled task goes.
    pub cleanup_delay_seconds: u64,
    /// Reviews that may run their checks at the same time.
    pub concurrent_checks: usize,
    /// How much of an execution's output is kept.
    pub log_bytes: u64,
    /// How long a lease on a step lasts without a sign of life.
    pub lease_seconds: u64,
    /// The ports that tasks may get (W-13).
    pub ports: std::ops::RangeInclusive<u16>,
    /// Worktrees that wait for tasks.
    pub pool: PoolLimits,
    /// How often the state of a workspace is saved while an agent works in it.
    pub journal_seconds: u64,
    /// How many saved states of a task are kept.
    pub journal_entries: usize,
    /// For how many days they are kept.
    pub journal_days: u64,
    /// Where agents reach this server.
    pub url: Option<String>,
    /// How many executions the scheduler begins on this node at once.
    pub agents: Option<u32>,
    /// How long agents may show no sign of life, where they have no thresholds of their own.
    pub patience: Patience,
    /// What becomes of agents when the server ends.
    pub on_restart: OnRestart,
    /// What the machine must have before the scheduler begins another.
    pub admission: Admission,
    /// What is known about other hosts.
    pub remotes: RemoteSettings,
}

impl Default for Limits {
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
            patience: Patience::default(),
            on_restart: OnRestart::default(),
            admission: Admission::default(),
            remotes: RemoteSettings::default(),
        }
    }
}

impl Engine {
    /// Opens the database and repairs what the last run left half done. Nothing is carried out before
    /// [`Engine::run`] or [`Engine::tick`].
    pub async fn start(parts: Parts) -> Result<Self, StartError> {
        let database = match &parts.database {
            Some(url) => url.clone(),
            None => DatabaseUrl::sqlite(parts.home.database()),
        };
        let db = Db::open(&database).await?;
        let root = parts.workspace_root.unwrap_or_else(|| parts.home.workspaces());
        let root = WorkspaceRoot::open(&root)
            .await
            .map_err(|error| StartError::WorkspaceRoot(error.to_string()))?;
        let engine = Self(Arc::new(Inner {
            db,
            repo_locks: RepoLocks::new(parts.home.locks()),
            workspace_locks: WorkspaceLocks::new(parts.home.locks()),
            looks: Looks::new(),
            fetches: Fetches::default(),
            pushes: Turns::default(),
            seal: Seal::new(parts.home.token_key()),
            home: parts.home,
            root,
            git: parts.git,
            clock: parts.clock,
            ids: parts.ids,
            faults: parts.faults,
            checks: Semaphore::new(parts.limits.concurrent_checks.max(1)),
            limits: parts.limits,
            environment: parts.environment,
            workflows: Workflows::default(),
            runs: Runs::default(),
            regained: Regained::default(),
            held: HeldSteps::default(),
            head_starts: HeadStarts::default(),
            at_work: AtWork::default(),
            opened: OpenedRepos::default(),
            chores: Chores::default(),
            lines: Lines::default(),
            radar: Notices::default(),
            tasks: TaskTracker::new(),
            turns: TaskTracker::new(),
            winding_down: WindingDown::default(),
            dead: CancellationToken::new(),
            recovery: OnceLock::new(),
        }));
        engine.recover().await?;
        engine.line_up_unknown().await?;
        Ok(engine)
    }

    /// The database, for reading.
    pub fn db(&self) -> &Db {
        &self.0.db
    }

    /// The data directory.
    pub fn home(&self) -> &Home {
        &self.0.home
    }

    /// The time.
    pub fn now(&self) -> forge_domain::Timestamp {
        self.0.clock.now()
    }

    /// What was found and repaired at the start.
    pub fn recovery(&self) -> Option<&RecoveryReport> {
        self.0.recovery.get()
    }

    /// Ends everything this engine carries out, as suddenly as a kill would: no report, no clean-up. What was under
    /// way is found and repaired by the next start.
    pub async fn die(&self) {
        self.0.dead.cancel();
        self.0.head_starts.end_all();
        self.0.tasks.close();
        self.0.tasks.wait().await;
        self.0.db.close().await;
    }

    pub(crate) fn envelope<C>(&self, actor: Actor, command: C) -> Envelope<C> {
        let at = self.0.clock.now();
        Envelope { id: CommandId::new(self.0.ids.next(at)), at, actor, command }
    }
}

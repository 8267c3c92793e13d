//! Builds the features of an engine, each with the parts that it uses.

use crate::admin::agent::Agents;
use crate::admin::agent_program::AgentPrograms;
use crate::admin::boundary::project_directories::ProjectBoundary;
use crate::admin::project::Projects;
use crate::admin::repo::Repos;
use crate::command::clock::Clock;
use crate::command::commit::Commands;
use crate::command::commit_follow_ups::CommitFollowUps;
use crate::command::id_source::IdSource;
use crate::command::lookup::RecordReader;
use crate::command::needs_person::NeedsPersonList;
use crate::command::settle::TaskProgress;
use crate::command::work_overview::WorkOverviewReader;
use crate::command::workflow_cache::WorkflowCache;
use crate::dispatch::dispatch_round::Dispatch;
use crate::effects::effect_handlers::EffectHandlers;
use crate::effects::effect_starter::EffectStarter;
use crate::effects::engine_tasks::EngineTasks;
use crate::effects::executor::{EffectExecutor, ExecutorParts};
use crate::effects::executor_loops::ExecutorLoops;
use crate::effects::faults::FaultPoints;
use crate::effects::held_effects::HeldEffects;
use crate::effects::lease::EffectLeases;
use crate::effects::process_registry::ProcessRegistry;
use crate::engine::EngineLimits;
use crate::execution::execution_env::ExecutionEnvs;
use crate::execution::executions::Executions;
use crate::execution::follow_up::AgentMessages;
use crate::execution::prompt::prompt_preview::AgentPrompts;
use crate::execution::server_environment::ServerEnvironment;
use crate::execution::silence_watch::SilenceMonitor;
use crate::execution::supervision::agents_overview::AgentSupervision;
use crate::execution::transcript::read_transcript::Transcripts;
use crate::gate::check_ledger::CheckLedger;
use crate::gate::check_runner::CheckRunner;
use crate::gate::checks::Gate;
use crate::gate::receipts::Receipts;
use crate::landing::checkout_repair::CheckoutRepair;
use crate::landing::land::Landing;
use crate::landing::move_target::TargetMover;
use crate::landing::outside_landing::OutsideLandingFinder;
use crate::landing::post_landing::PostLanding;
use crate::landing::publish::LandingPublisher;
use crate::landing::pull_request::pull_watch::PullRequests;
use crate::landing::train::MergeTrains;
use crate::landing::train::candidate_builder::CandidateBuilder;
use crate::landing::train::culprit::CulpritSearch;
use crate::landing::train::planner_loop::PlannerLoop;
use crate::landing::train::train_entry::TrainEntryRunner;
use crate::landing::train::train_view::TrainViews;
use crate::landing::train::trial::TrialRunner;
use crate::nodes::data_directory::DataDirectory;
use crate::nodes::database_backup::DatabaseBackups;
use crate::nodes::storage_probe::NodeProbe;
use crate::radar::RadarQueue;
use crate::radar::check_branches::Radar;
use crate::recovery::adopted_locks::AdoptedLocks;
use crate::recovery::shut_down::Shutdown;
use crate::recovery::shutdown_signals::ShutdownSignals;
use crate::recovery::startup_recovery::Recovery;
use crate::remote::access::Remotes;
use crate::remote::remote_fetches::RemoteFetches;
use crate::remote::{PushLocks, TokenSeal};
use crate::webhook::{ReceiverConnector, Webhooks};
use crate::workspace::cleanup::orphan::WorkspaceCleanup;
use crate::workspace::journal::WorkspaceJournals;
use crate::workspace::plain_directory::PlainDirectories;
use crate::workspace::plain_effects::PlainEffects;
use crate::workspace::pool::{BackgroundJobs, OpenedRepos, PoolDemand, WorktreePools};
use crate::workspace::remove_worktree::WorktreeRemover;
use crate::workspace::restore_entry::JournalRestores;
use crate::workspace::setup_effect::WorkspaceSetup;
use crate::workspace::task_repos::TaskRepos;
use crate::workspace::view::read_cache::ReadCache;
use crate::workspace::view::workspace_summary::WorkspaceViews;
use crate::workspace::workspaces::Workspaces;
use forge_git::{GitProgram, RepoLocks, WorkspaceLocks, WorkspaceRoot};
use forge_store::Db;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

/// The features of an engine.
#[derive(Debug)]
pub(crate) struct EngineFeatures {
    pub(crate) tasks: EngineTasks,
    pub(crate) signals: ShutdownSignals,
    pub(crate) agent_programs: AgentPrograms,
    pub(crate) agents: Agents,
    pub(crate) backups: DatabaseBackups,
    pub(crate) check_ledger: CheckLedger,
    pub(crate) cleanup: WorkspaceCleanup,
    pub(crate) commands: Commands,
    pub(crate) dispatch: Dispatch,
    pub(crate) executor: EffectExecutor,
    pub(crate) journal_restores: JournalRestores,
    pub(crate) journals: WorkspaceJournals,
    pub(crate) messages: AgentMessages,
    pub(crate) needs_person: NeedsPersonList,
    pub(crate) work_overview: WorkOverviewReader,
    pub(crate) node_probe: NodeProbe,
    pub(crate) pools: WorktreePools,
    pub(crate) post_landing: PostLanding,
    pub(crate) progress: TaskProgress,
    pub(crate) projects: Projects,
    pub(crate) prompts: AgentPrompts,
    pub(crate) pull_requests: PullRequests,
    pub(crate) radar: Radar,
    pub(crate) receipts: Receipts,
    pub(crate) records: RecordReader,
    pub(crate) recovery: Recovery,
    pub(crate) remotes: Remotes,
    pub(crate) repositories: Repos,
    pub(crate) shutdown: Shutdown,
    pub(crate) supervision: AgentSupervision,
    pub(crate) train_views: TrainViews,
    pub(crate) transcripts: Transcripts,
    pub(crate) views: WorkspaceViews,
    pub(crate) webhooks: Webhooks,
}

/// The parts that features share.
pub(crate) struct SharedParts {
    pub(crate) db: Db,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) root: WorkspaceRoot,
    pub(crate) git: GitProgram,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: IdSource,
    pub(crate) faults: FaultPoints,
    pub(crate) environment: Arc<ServerEnvironment>,
    pub(crate) limits: EngineLimits,
}

impl EngineFeatures {
    pub(crate) fn new(parts: SharedParts) -> Self {
        let SharedParts { db, home, root, git, clock, ids, faults, environment, limits } = parts;
        let EngineLimits { lease_seconds, log_bytes, restart_policy, silence_limits, .. } = limits;
        let (pool_limits, max_executions) = (limits.pool, limits.agents);
        let concurrent_checks = limits.concurrent_checks;
        let remote_settings = limits.remotes.clone();
        let checks = Arc::new(Semaphore::new(concurrent_checks.max(1)));
        let (repo_locks, workspace_locks) =
            (RepoLocks::new(home.locks()), WorkspaceLocks::new(home.locks()));
        let (opened_repos, read_cache) =
            (OpenedRepos::new(git.clone()), Arc::new(ReadCache::new()));
        let (tasks, signals) = (EngineTasks::default(), ShutdownSignals::default());
        let (running_agents, processes) = (TaskTracker::new(), ProcessRegistry::default());
        let (adopted_locks, workflows) = (AdoptedLocks::default(), WorkflowCache::default());
        let (fetches, push_locks) = (RemoteFetches::default(), PushLocks::default());
        let token_seal = TokenSeal::new(home.token_key());
        let (trains, queue) = (MergeTrains::default(), Arc::new(RadarQueue::default()));
        let (background_jobs, pool_demand) =
            (Arc::new(BackgroundJobs::default()), Arc::new(PoolDemand::default()));
        let leases = EffectLeases {
            db: db.clone(),
            clock: clock.clone(),
            node: home.node(),
            lease_seconds,
            held: HeldEffects::default(),
            loops: ExecutorLoops::default(),
        };
        let records = RecordReader { db: db.clone(), workflows: workflows.clone() };
        let pools = WorktreePools {
            db: db.clone(),
            clock: clock.clone(),
            home: home.clone(),
            background_jobs,
            faults: faults.clone(),
            git: git.clone(),
            opened_repos: opened_repos.clone(),
            pool_demand: pool_demand.clone(),
            pool_limits,
            repo_locks: repo_locks.clone(),
            root: root.clone(),
            tasks: tasks.clone(),
            workspace_locks: workspace_locks.clone(),
        };
        let starter = EffectStarter::default();
        let commands = Commands {
            db: db.clone(),
            clock: clock.clone(),
            ids: ids.clone(),
            faults: faults.clone(),
            workflows,
            leases: leases.clone(),
            tasks: tasks.clone(),
            follow_ups: CommitFollowUps {
                effects: starter.clone(),
                radar: queue.clone(),
                pools: pools.clone(),
                trains: trains.clone(),
            },
            cleanup_delay_seconds: limits.cleanup_delay_seconds,
        };
        let agent_programs = AgentPrograms {
            db: db.clone(),
            clock: clock.clone(),
            home: home.clone(),
            environment: environment.clone(),
            lease_seconds,
            records: records.clone(),
        };
        let agents = Agents {
            db: db.clone(),
            clock: clock.clone(),
            ids: ids.clone(),
            agent_programs: agent_programs.clone(),
            commands: commands.clone(),
            environment: environment.clone(),
            records: records.clone(),
        };
        let boundary = ProjectBoundary { db: db.clone(), home: home.clone(), root: root.clone() };
        let remotes = Remotes {
            db: db.clone(),
            clock: clock.clone(),
            home: home.clone(),
            environment: environment.clone(),
            fetches,
            remote_settings: remote_settings.clone(),
            repo_locks: repo_locks.clone(),
            token_seal: token_seal.clone(),
        };
        let repositories = Repos {
            db: db.clone(),
            clock: clock.clone(),
            ids: ids.clone(),
            home: home.clone(),
            boundary: boundary.clone(),
            environment: environment.clone(),
            git: git.clone(),
            opened_repos: opened_repos.clone(),
            pools: pools.clone(),
            records: records.clone(),
            remotes: remotes.clone(),
            root: root.clone(),
            tasks: tasks.clone(),
        };
        let webhooks = Webhooks {
            db: db.clone(),
            clock: clock.clone(),
            ids: ids.clone(),
            records: records.clone(),
            node: home.node().to_string(),
            token_seal,
            connector: ReceiverConnector::new(remote_settings.clone()),
            encode: limits.event_encoding,
        };
        let projects = Projects {
            db: db.clone(),
            clock: clock.clone(),
            ids,
            boundary: boundary.clone(),
            faults: faults.clone(),
            pools: pools.clone(),
            records: records.clone(),
            remotes: remotes.clone(),
            repositories: repositories.clone(),
            trains: trains.clone(),
        };
        let needs_person = NeedsPersonList { db: db.clone(), records: records.clone() };
        let work_overview = WorkOverviewReader {
            db: db.clone(),
            records: records.clone(),
            needs_person: needs_person.clone(),
            clock: clock.clone(),
        };
        let repos = TaskRepos {
            db: db.clone(),
            opened_repos: opened_repos.clone(),
            remotes: remotes.clone(),
        };
        let views = WorkspaceViews {
            db: db.clone(),
            git: git.clone(),
            read_cache,
            records: records.clone(),
            repos: repos.clone(),
            root: root.clone(),
            workspace_locks: workspace_locks.clone(),
        };
        let progress =
            TaskProgress { db: db.clone(), records: records.clone(), views: views.clone() };
        let dispatch = Dispatch {
            db: db.clone(),
            clock: clock.clone(),
            home: home.clone(),
            admission: limits.admission.clone(),
            agent_programs: agent_programs.clone(),
            commands: commands.clone(),
            max_executions,
            records: records.clone(),
            root: root.clone(),
        };
        let envs = ExecutionEnvs {
            db: db.clone(),
            environment: environment.clone(),
            url: limits.url.clone(),
        };
        let journals = WorkspaceJournals {
            db: db.clone(),
            clock: clock.clone(),
            git: git.clone(),
            seconds: limits.journal_seconds,
            entries: limits.journal_entries,
            days: limits.journal_days,
            records: records.clone(),
            repo_locks: repo_locks.clone(),
            repos: repos.clone(),
            root: root.clone(),
        };
        let prompts =
            AgentPrompts { db: db.clone(), records: records.clone(), views: views.clone() };
        let silence = SilenceMonitor { clock: clock.clone(), home: home.clone(), silence_limits };
        let workspaces = Workspaces {
            db: db.clone(),
            clock: clock.clone(),
            home: home.clone(),
            faults: faults.clone(),
            journals: journals.clone(),
            pool_demand,
            pools: pools.clone(),
            repo_locks: repo_locks.clone(),
            repos: repos.clone(),
            root: root.clone(),
            workspace_locks: workspace_locks.clone(),
        };
        let executions = Executions {
            db: db.clone(),
            clock: clock.clone(),
            home: home.clone(),
            adopted_locks: adopted_locks.clone(),
            environment,
            envs: envs.clone(),
            journals: journals.clone(),
            log_bytes,
            processes: processes.clone(),
            prompts: prompts.clone(),
            repo_locks: repo_locks.clone(),
            repos: repos.clone(),
            restart_policy,
            running_agents: running_agents.clone(),
            signals: signals.clone(),
            silence: silence.clone(),
            workspaces: workspaces.clone(),
        };
        let messages = AgentMessages { db: db.clone(), commands: commands.clone() };
        let transcripts = Transcripts { home: home.clone(), processes: processes.clone() };
        let supervision = AgentSupervision {
            db: db.clone(),
            clock: clock.clone(),
            home: home.clone(),
            records: records.clone(),
            transcripts: transcripts.clone(),
            views: views.clone(),
        };
        let check_ledger =
            CheckLedger { db: db.clone(), clock: clock.clone(), trains: trains.clone() };
        let receipts = Receipts { db: db.clone() };
        let check_runner =
            CheckRunner { home: home.clone(), log_bytes, checks, envs: envs.clone() };
        let gate = Gate {
            db: db.clone(),
            check_runner: check_runner.clone(),
            envs: envs.clone(),
            processes: processes.clone(),
            receipts: receipts.clone(),
            records: records.clone(),
            repos: repos.clone(),
            workspaces: workspaces.clone(),
        };
        let checkout_repair = CheckoutRepair {
            db: db.clone(),
            opened_repos: opened_repos.clone(),
            repo_locks: repo_locks.clone(),
            tasks: tasks.clone(),
        };
        let outside_landing_finder = OutsideLandingFinder { db: db.clone(), repos: repos.clone() };
        let candidates = CandidateBuilder { db: db.clone() };
        let publisher = LandingPublisher {
            push_locks: push_locks.clone(),
            remotes: remotes.clone(),
            repo_locks: repo_locks.clone(),
        };
        let setup = WorkspaceSetup {
            log_bytes,
            db: db.clone(),
            clock: clock.clone(),
            home: home.clone(),
            envs: envs.clone(),
            ports: limits.ports,
            processes: processes.clone(),
            repos: repos.clone(),
            workspaces: workspaces.clone(),
        };
        let trials = TrialRunner {
            repo_locks: repo_locks.clone(),
            home: home.clone(),
            check_ledger: check_ledger.clone(),
            check_runner: check_runner.clone(),
            envs: envs.clone(),
            pools: pools.clone(),
            setup: setup.clone(),
            workspaces: workspaces.clone(),
        };
        let culprits =
            CulpritSearch { db: db.clone(), receipts: receipts.clone(), trials: trials.clone() };
        let pull_requests = PullRequests {
            db: db.clone(),
            clock: clock.clone(),
            candidates: candidates.clone(),
            culprits: culprits.clone(),
            pools: pools.clone(),
            publisher: publisher.clone(),
            push_locks,
            records: records.clone(),
            remote_settings: remote_settings.clone(),
            remotes: remotes.clone(),
            repo_locks: repo_locks.clone(),
        };
        let planner = PlannerLoop {
            db: db.clone(),
            commands: commands.clone(),
            concurrent_checks,
            receipts: receipts.clone(),
            records: records.clone(),
            tasks: tasks.clone(),
        };
        let target_mover = TargetMover {
            pools: pools.clone(),
            publisher: publisher.clone(),
            repo_locks: repo_locks.clone(),
        };
        let train_entries = TrainEntryRunner {
            clock: clock.clone(),
            check_ledger: check_ledger.clone(),
            culprits,
            outside_landing_finder: outside_landing_finder.clone(),
            planner,
            publisher: publisher.clone(),
            receipts: receipts.clone(),
            repo_locks: repo_locks.clone(),
            target_mover,
            trains: trains.clone(),
            trials,
        };
        let landing = Landing {
            db: db.clone(),
            candidates: candidates.clone(),
            gate: gate.clone(),
            outside_landing_finder,
            processes: processes.clone(),
            publisher,
            pull_requests: pull_requests.clone(),
            repo_locks: repo_locks.clone(),
            repos: repos.clone(),
            root: root.clone(),
            train_entries,
            workspaces: workspaces.clone(),
        };
        let post_landing = PostLanding {
            db: db.clone(),
            candidates,
            commands: commands.clone(),
            journals: journals.clone(),
            records: records.clone(),
            remote_settings,
            remotes: remotes.clone(),
            repos: repos.clone(),
            workspaces: workspaces.clone(),
        };
        let train_views =
            TrainViews { db: db.clone(), clock: clock.clone(), home: home.clone(), trains };
        let backups = DatabaseBackups { db: db.clone(), home: home.clone(), turn: Arc::default() };
        let node_probe =
            NodeProbe { db: db.clone(), home: home.clone(), git: git.clone(), root: root.clone() };
        let radar = Radar {
            db: db.clone(),
            clock: clock.clone(),
            faults,
            opened_repos,
            queue,
            records: records.clone(),
            root: root.clone(),
        };
        let cleanup = WorkspaceCleanup {
            db: db.clone(),
            commands: commands.clone(),
            git,
            records: records.clone(),
            root: root.clone(),
            views: views.clone(),
            workspace_locks: workspace_locks.clone(),
        };
        let plain_directories = PlainDirectories {
            home: home.clone(),
            boundary,
            workspace_locks: workspace_locks.clone(),
        };
        let shutdown = Shutdown {
            db: db.clone(),
            home: home.clone(),
            processes: processes.clone(),
            restart_policy,
            running_agents: running_agents.clone(),
            signals: signals.clone(),
            tasks: tasks.clone(),
        };
        let recovery = Recovery {
            db: db.clone(),
            clock: clock.clone(),
            home: home.clone(),
            adopted_locks: adopted_locks.clone(),
            checkout_repair,
            cleanup: cleanup.clone(),
            plain_directories: plain_directories.clone(),
            records: records.clone(),
            repositories: repositories.clone(),
            restart_policy,
            root: root.clone(),
            shutdown: shutdown.clone(),
            workspace_locks: workspace_locks.clone(),
        };
        let plain_effects = PlainEffects {
            db: db.clone(),
            home: home.clone(),
            adopted_locks,
            check_runner,
            envs,
            executions: executions.clone(),
            plain_directories: plain_directories.clone(),
            processes,
            running_agents,
            setup: setup.clone(),
            signals: signals.clone(),
            silence,
        };
        let remover = WorktreeRemover {
            journals: journals.clone(),
            pools: pools.clone(),
            repo_locks: repo_locks.clone(),
            repos: repos.clone(),
            root: root.clone(),
            workspaces: workspaces.clone(),
        };
        let journal_restores = JournalRestores {
            db: db.clone(),
            clock: clock.clone(),
            home: home.clone(),
            commands: commands.clone(),
            journals: journals.clone(),
            pools: pools.clone(),
            records: records.clone(),
            repo_locks,
            repos,
            root,
            workspace_locks,
            workspaces: workspaces.clone(),
        };
        let handlers = EffectHandlers {
            workspaces,
            setup,
            remover,
            executions,
            gate,
            landing,
            post_landing: post_landing.clone(),
            plain_directories,
            plain_effects,
        };
        let executor = EffectExecutor::new(ExecutorParts {
            db,
            clock,
            home,
            tasks: tasks.clone(),
            leases,
            commands: commands.clone(),
            records: records.clone(),
            handlers,
        });
        starter.connect(&executor);
        Self {
            tasks,
            signals,
            agent_programs,
            agents,
            backups,
            check_ledger,
            cleanup,
            commands,
            dispatch,
            executor,
            journal_restores,
            journals,
            messages,
            needs_person,
            work_overview,
            node_probe,
            pools,
            post_landing,
            progress,
            projects,
            prompts,
            pull_requests,
            radar,
            receipts,
            records,
            recovery,
            remotes,
            repositories,
            shutdown,
            supervision,
            train_views,
            transcripts,
            views,
            webhooks,
        }
    }
}

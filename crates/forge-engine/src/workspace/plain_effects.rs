//! Effects of a project that works in one plain directory without git (W-1): the same effects, but nothing to branch,
//! merge or remove.

use crate::effects::process_registry::{ProcessGuard, ProcessRegistry};
use crate::effects::{EffectContext, EffectError, EffectOutcome, GRACE, process_mark};
use crate::execution::execution_env::ExecutionEnvs;
use crate::execution::executions::Executions;
use crate::execution::observed_outcome::ObservedOutcome;
use crate::execution::ordered_turns::{begin_turn, end_turns, tell_parent};
use crate::execution::silence_watch::SilenceMonitor;
use crate::gate::check_runner::CheckRunner;
use crate::gate::checks::ReviewChecksOutcome;
use crate::nodes::data_directory::DataDirectory;
use crate::recovery::adopted_locks::AdoptedLocks;
use crate::recovery::shutdown_signals::ShutdownSignals;
use crate::workspace::plain_directory::{PlainDirectories, PlainDirectory};
use crate::workspace::setup_effect::WorkspaceSetup;
use forge_domain::task::{TaskExecution, Workspace, WorkspaceStatus};
use forge_domain::{
    Effect, EffectReport, ExecutionEnding, ExecutionId, ExecutionResult, LandResult,
};
use forge_git::{LockWait, WorkspaceLockGuard};
use forge_proc::ExpectedWorkdir;
use forge_store::Db;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// As long as the preceding agent may take: all tasks of the project share the directory.
const PATIENCE: LockWait = LockWait::Wait(Duration::from_secs(30 * 86_400));

/// Journalled before the program starts. From then on no attempt may start it again.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct PlainExecution {
    #[serde(default)]
    seen: Option<ObservedOutcome>,
}

/// Performs the effects of projects without git.
#[derive(Debug, Clone)]
pub(crate) struct PlainEffects {
    pub(crate) db: Db,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) adopted_locks: AdoptedLocks,
    pub(crate) check_runner: CheckRunner,
    pub(crate) envs: ExecutionEnvs,
    pub(crate) executions: Executions,
    pub(crate) plain_directories: PlainDirectories,
    pub(crate) processes: ProcessRegistry,
    pub(crate) running_agents: TaskTracker,
    pub(crate) setup: WorkspaceSetup,
    pub(crate) signals: ShutdownSignals,
    pub(crate) silence: SilenceMonitor,
}

impl PlainEffects {
    /// Performs an effect of a task without a repository.
    pub(crate) async fn perform_plain(
        &self,
        effect: &EffectContext,
        directory: &PlainDirectory,
    ) -> Result<EffectOutcome, EffectError> {
        let report = |report| Ok(EffectOutcome::Report(report));
        match &effect.row.effect {
            Effect::PrepareWorkspace { execution } => {
                directory
                    .make()
                    .await
                    .map_err(|error| EffectError::workspace(error.to_string()))?;
                let workspace = Workspace {
                    path: directory.path().to_string_lossy().into_owned(),
                    branch: String::new(),
                    base: String::new(),
                    status: WorkspaceStatus::Ready,
                };
                let execution = *execution;
                report(if self.plain_setup_is_due(effect, directory).await? {
                    EffectReport::WorkspaceMade { execution, workspace }
                } else {
                    EffectReport::WorkspaceReady { execution, workspace }
                })
            }
            Effect::SetUpWorkspace { execution } => {
                self.set_up_plain(effect, *execution, directory).await
            }
            Effect::RunExecution { execution } => {
                Box::pin(self.run_plain_execution(effect, *execution, directory)).await
            }
            Effect::AwaitQuota { .. } | Effect::AwaitBudget => report(EffectReport::RunDue),
            Effect::DeliverSteer { execution } => {
                self.executions.deliver_steer(effect, *execution).await
            }
            Effect::TellParent { ended } => tell_parent(effect, *ended).await,
            Effect::BeginTurn { turn } => begin_turn(effect, *turn).await,
            Effect::EndTurns => end_turns(effect).await,
            Effect::Stop { mark } => self.executions.stop_processes(effect, *mark).await,
            Effect::RunChecks { review } => {
                let guard = self.processes.register(review.uuid());
                effect.end_leftovers(review.uuid()).await?;
                let checked =
                    match self.lock_plain_directory(effect, directory, &guard.stop).await? {
                        Some(_hold) => {
                            let env = self.envs.build_env(effect, &directory.path(), None).await?;
                            self.check_runner
                                .run_setup_and_checks(effect, (*review).into(), &env, &guard.stop)
                                .await?
                        }
                        None => ReviewChecksOutcome::default(),
                    };
                effect.pass_fault_point("checks.ran").await?;
                report(checked.into_report(*review, String::new()))
            }
            // Without a branch there is nothing to merge; the task moves on (M-8).
            Effect::Land { visit } => {
                let result = LandResult::NothingToMerge { target: String::new() };
                report(EffectReport::LandingEnded { visit: *visit, result })
            }
            Effect::CleanWorkspace { .. } => {
                let warnings =
                    vec!["the project's directory stays: all its tasks share it".to_owned()];
                report(EffectReport::WorkspaceCleaned { branch_deleted: false, warnings })
            }
            other => Err(EffectError::workspace(format!(
                "{} needs git, and the project works in a plain directory",
                other.name()
            ))),
        }
    }

    /// Takes the directory's lock (W-4). Returns `None` if the task was stopped while it waited.
    pub(crate) async fn lock_plain_directory(
        &self,
        effect: &EffectContext,
        directory: &PlainDirectory,
        stop: &CancellationToken,
    ) -> Result<Option<WorkspaceLockGuard>, EffectError> {
        let holder = effect.lock_holder(self.home.node())?;
        tokio::select! {
            biased;
            held = self.plain_directories.lock_plain_directory(directory, holder, PATIENCE) => held.map(Some),
            () = stop.cancelled() => Ok(None),
            // The holder may be an agent that continues without this server.
            () = self.signals.stop_starting.cancelled() => Err(EffectError::LeaseLost),
        }
    }

    async fn run_plain_execution(
        &self,
        effect: &EffectContext,
        execution: ExecutionId,
        directory: &PlainDirectory,
    ) -> Result<EffectOutcome, EffectError> {
        let bare = |ending| {
            let result = ExecutionResult::without_work(ending);
            Ok(EffectOutcome::Report(EffectReport::RunEnded { execution, result }))
        };
        let Some(run) = effect.task.run.clone().filter(|run| run.execution == execution) else {
            return self.executions.end_unwanted_execution(execution).await;
        };
        let guard = self.processes.register(execution.uuid());
        if let Some(begun) = effect.journalled::<PlainExecution>() {
            return Box::pin(self.adopt_plain_execution(effect, &run, directory, begun, &guard))
                .await;
        }
        if self.signals.stop_starting.is_cancelled() {
            return Err(EffectError::LeaseLost);
        }
        // An earlier attempt may have been interrupted during setup; end its processes.
        effect.end_leftovers(execution.uuid()).await?;
        let Some(_hold) = self.lock_plain_directory(effect, directory, &guard.stop).await? else {
            return bare(ExecutionEnding::Stopped);
        };
        if effect.must_stop(execution).await? || guard.stop.is_cancelled() {
            return bare(ExecutionEnding::Stopped);
        }
        if !self.ensure_plain_setup(effect, execution, directory, &guard.stop).await? {
            return bare(ExecutionEnding::Stopped);
        }
        let _at_work = self.running_agents.token();
        let env = self.envs.build_env(effect, &directory.path(), None).await?;
        let program = self.executions.build_program(effect, &run, env).await?;
        effect.journal_intent(&PlainExecution { seen: None }).await?;
        let (site, watched) = (ExpectedWorkdir::new(directory.path()), directory.path());
        let seen = tokio::select! {
            seen = self.executions.run_program(effect, &run, program, &site, &guard) => seen?,
            never = self.silence.watch_silence(effect, &run, &watched) => match never {},
        };
        journal_plain_outcome(effect, &seen).await?;
        effect.pass_fault_point("turn.ended").await?;
        Ok(self.report_plain_end(&run, seen).await)
    }

    /// An earlier attempt started the program. Uses the journalled outcome, else adopts the program if possible.
    async fn adopt_plain_execution(
        &self,
        effect: &EffectContext,
        run: &TaskExecution,
        directory: &PlainDirectory,
        begun: PlainExecution,
        guard: &ProcessGuard,
    ) -> Result<EffectOutcome, EffectError> {
        let hold = match self.adopted_locks.take(run.execution) {
            Some(hold) => Some(hold),
            // The task was stopped while waiting for the lock; its processes are ended anyway.
            None => self.lock_plain_directory(effect, directory, &guard.stop).await?,
        };
        let site = ExpectedWorkdir::new(directory.path());
        let adopted = match &begun.seen {
            None if hold.is_some() => self.executions.adopt_process(effect, run, site).await?,
            _ => None,
        };
        let seen = match (begun.seen, adopted) {
            (Some(seen), _) => seen,
            (None, Some((writer, running))) => {
                let (_at_work, watched) = (self.running_agents.token(), directory.path());
                let seen = tokio::select! {
                    seen = self.executions.supervise(effect, run, writer, running, guard) => seen?,
                    never = self.silence.watch_silence(effect, run, &watched) => match never {},
                };
                journal_plain_outcome(effect, &seen).await?;
                seen
            }
            (None, None) => {
                let seen = self.executions.end_unadopted(effect, run).await?;
                journal_plain_outcome(effect, &seen).await?;
                seen
            }
        };
        forge_proc::end_marked_processes(&process_mark(run.execution.uuid())?, GRACE).await?;
        Ok(self.report_plain_end(run, seen).await)
    }

    /// Without git the server cannot know whether files changed, so it reports that they did (E-6).
    async fn report_plain_end(&self, run: &TaskExecution, seen: ObservedOutcome) -> EffectOutcome {
        self.executions.compress_transcript(run).await;
        let result = seen.result(run, None, true);
        EffectOutcome::Report(EffectReport::RunEnded { execution: run.execution, result })
    }
}

async fn journal_plain_outcome(
    effect: &EffectContext,
    seen: &ObservedOutcome,
) -> Result<(), EffectError> {
    effect.pass_fault_point("turn.seen").await?;
    let noted = PlainExecution { seen: Some(seen.clone()) };
    effect.journal_intent(&noted).await
}

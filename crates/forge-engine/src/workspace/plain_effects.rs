//! Effects of a project that works in one plain directory without git (W-1): the same effects, but nothing to branch,
//! merge or remove.

use crate::effects::effect_run::{EffectRun, GRACE, process_mark};
use crate::effects::process_registry::ProcessGuard;
use crate::effects::{EffectError, EffectOutcome};
use crate::execution::observed_outcome::ObservedOutcome;
use crate::gate::checks::ReviewChecksOutcome;
use crate::workspace::plain_directory::PlainDirectory;
use forge_domain::task::{TaskExecution, Workspace, WorkspaceStatus};
use forge_domain::{
    Effect, EffectReport, ExecutionEnding, ExecutionId, ExecutionResult, LandResult,
};
use forge_git::{LockWait, WorkspaceLockGuard};
use forge_proc::ExpectedWorkdir;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// As long as the preceding agent may take: all tasks of the project share the directory.
const PATIENCE: LockWait = LockWait::Wait(Duration::from_secs(30 * 86_400));

/// Journalled before the program starts. From then on no attempt may start it again.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct PlainExecution {
    #[serde(default)]
    seen: Option<ObservedOutcome>,
}

impl EffectRun<'_> {
    /// Performs an effect of a task without a repository.
    pub(crate) async fn perform_plain(
        &self,
        place: &PlainDirectory,
    ) -> Result<EffectOutcome, EffectError> {
        let report = |report| Ok(EffectOutcome::Report(report));
        match &self.row.effect {
            Effect::PrepareWorkspace { execution } => {
                place.make().await.map_err(|error| EffectError::workspace(error.to_string()))?;
                let workspace = Workspace {
                    path: place.path().to_string_lossy().into_owned(),
                    branch: String::new(),
                    base: String::new(),
                    status: WorkspaceStatus::Ready,
                };
                let execution = *execution;
                report(if self.plain_setup_is_due(place).await? {
                    EffectReport::WorkspaceMade { execution, workspace }
                } else {
                    EffectReport::WorkspaceReady { execution, workspace }
                })
            }
            Effect::SetUpWorkspace { execution } => self.set_up_plain(*execution, place).await,
            Effect::RunExecution { execution } => {
                Box::pin(self.run_plain_execution(*execution, place)).await
            }
            Effect::AwaitQuota { .. } | Effect::AwaitBudget => report(EffectReport::RunDue),
            Effect::DeliverSteer { execution } => self.deliver_steer(*execution).await,
            Effect::TellParent { ended } => self.tell_parent(*ended).await,
            Effect::BeginTurn { turn } => self.begin_turn(*turn).await,
            Effect::EndTurns => self.end_turns().await,
            Effect::Stop { mark } => self.stop_processes(*mark).await,
            Effect::RunChecks { review } => {
                let guard = self.engine.0.processes.register(review.uuid());
                self.end_leftovers(review.uuid()).await?;
                let checked = match self.lock_plain_directory(place, &guard.stop).await? {
                    Some(_hold) => {
                        let surroundings = self.build_env(&place.path(), None).await?;
                        self.run_setup_and_checks((*review).into(), &surroundings, &guard.stop)
                            .await?
                    }
                    None => ReviewChecksOutcome::default(),
                };
                self.pass_fault_point("checks.ran").await?;
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
        place: &PlainDirectory,
        stop: &CancellationToken,
    ) -> Result<Option<WorkspaceLockGuard>, EffectError> {
        let holder = self.lock_holder()?;
        tokio::select! {
            biased;
            held = self.engine.lock_plain_directory(place, holder, PATIENCE) => held.map(Some),
            () = stop.cancelled() => Ok(None),
            // The holder may be an agent that continues without this server.
            () = self.engine.0.shutdown.stop_starting.cancelled() => Err(EffectError::LeaseLost),
        }
    }

    async fn run_plain_execution(
        &self,
        execution: ExecutionId,
        place: &PlainDirectory,
    ) -> Result<EffectOutcome, EffectError> {
        let bare = |ending| {
            let result = ExecutionResult::without_work(ending);
            Ok(EffectOutcome::Report(EffectReport::RunEnded { execution, result }))
        };
        let Some(run) = self.task.run.clone().filter(|run| run.execution == execution) else {
            return self.end_unwanted_execution(execution).await;
        };
        let guard = self.engine.0.processes.register(execution.uuid());
        if let Some(begun) = self.journalled::<PlainExecution>() {
            return Box::pin(self.adopt_plain_execution(&run, place, begun, &guard)).await;
        }
        if self.engine.0.shutdown.stop_starting.is_cancelled() {
            return Err(EffectError::LeaseLost);
        }
        // An earlier attempt may have been interrupted during setup; end its processes.
        self.end_leftovers(execution.uuid()).await?;
        let Some(_hold) = self.lock_plain_directory(place, &guard.stop).await? else {
            return bare(ExecutionEnding::Stopped);
        };
        if self.must_stop(execution).await? || guard.stop.is_cancelled() {
            return bare(ExecutionEnding::Stopped);
        }
        if !self.ensure_plain_setup(execution, place, &guard.stop).await? {
            return bare(ExecutionEnding::Stopped);
        }
        let _at_work = self.engine.0.running_agents.token();
        let surroundings = self.build_env(&place.path(), None).await?;
        let program = self.build_program(&run, surroundings).await?;
        self.engine.journal_intent(self.lease, &PlainExecution { seen: None }).await?;
        let (site, watched) = (ExpectedWorkdir::new(place.path()), place.path());
        let seen = tokio::select! {
            seen = self.run_program(&run, program, &site, &guard) => seen?,
            never = self.watch_silence(&run, &watched) => match never {},
        };
        self.journal_plain_outcome(&seen).await?;
        self.pass_fault_point("turn.ended").await?;
        Ok(self.report_plain_end(&run, seen).await)
    }

    /// An earlier attempt started the program. Uses the journalled outcome, else adopts the program if possible.
    async fn adopt_plain_execution(
        &self,
        run: &TaskExecution,
        place: &PlainDirectory,
        begun: PlainExecution,
        guard: &ProcessGuard,
    ) -> Result<EffectOutcome, EffectError> {
        let hold = match self.engine.0.adopted_locks.take(run.execution) {
            Some(hold) => Some(hold),
            // The task was stopped while waiting for the lock; its processes are ended anyway.
            None => self.lock_plain_directory(place, &guard.stop).await?,
        };
        let site = ExpectedWorkdir::new(place.path());
        let adopted = match &begun.seen {
            None if hold.is_some() => self.adopt_process(run, site).await?,
            _ => None,
        };
        let seen = match (begun.seen, adopted) {
            (Some(seen), _) => seen,
            (None, Some((writer, running))) => {
                let (_at_work, watched) = (self.engine.0.running_agents.token(), place.path());
                let seen = tokio::select! {
                    seen = self.supervise(run, writer, running, guard) => seen?,
                    never = self.watch_silence(run, &watched) => match never {},
                };
                self.journal_plain_outcome(&seen).await?;
                seen
            }
            (None, None) => {
                let seen = self.end_unadopted(run).await?;
                self.journal_plain_outcome(&seen).await?;
                seen
            }
        };
        forge_proc::end_marked_processes(&process_mark(run.execution.uuid())?, GRACE).await?;
        Ok(self.report_plain_end(run, seen).await)
    }

    async fn journal_plain_outcome(&self, seen: &ObservedOutcome) -> Result<(), EffectError> {
        self.pass_fault_point("turn.seen").await?;
        let noted = PlainExecution { seen: Some(seen.clone()) };
        Ok(self.engine.journal_intent(self.lease, &noted).await?)
    }

    /// Without git the server cannot know whether files changed, so it reports that they did (E-6).
    async fn report_plain_end(&self, run: &TaskExecution, seen: ObservedOutcome) -> EffectOutcome {
        self.compress_transcript(run).await;
        let result = seen.result(run, None, true);
        EffectOutcome::Report(EffectReport::RunEnded { execution: run.execution, result })
    }
}

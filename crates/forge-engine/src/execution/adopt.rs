//! Adopts an execution that an earlier server started, or records how it ended (E-12).

use crate::effects::process_registry::ProcessGuard;
use crate::effects::{EffectContext, EffectError, GRACE, process_mark};
use crate::execution::agent_program::process_record;
use crate::execution::executions::Executions;
use crate::execution::observed_outcome::ObservedOutcome;
use crate::execution::transcript::TranscriptWriter;
use crate::recovery::adopted_locks::load_process;
use crate::recovery::restart_policy::RestartPolicy;
use crate::workspace::locate::{branch_of, directory_of};
use forge_domain::task::TaskExecution;
use forge_domain::{EffectReport, ExecutionEnding, ExecutionId};
use forge_git::{LockedWorktree, Repo, WorkspaceLockGuard};
use forge_proc::{AdoptError, AdoptionRequest, ExpectedWorkdir, SupervisedProcess};
use std::io::ErrorKind;

impl Executions {
    /// Returns the workspace lock: the one adopted at start-up, or a new one.
    pub(crate) async fn take_adopted_lock(
        &self,
        effect: &EffectContext,
        execution: ExecutionId,
    ) -> Result<WorkspaceLockGuard, EffectError> {
        match self.adopted_locks.take(execution) {
            Some(hold) => Ok(hold),
            None => {
                self.workspaces.lock_workspace(effect, &directory_of(effect.workspace()?)?).await
            }
        }
    }

    /// Adopts a running execution in its worktree and waits for its end. Returns `None` if it cannot be adopted; then
    /// no process of it is alive.
    pub(crate) async fn adopt_and_wait(
        &self,
        effect: &EffectContext,
        run: &TaskExecution,
        repo: &Repo,
        hold: &WorkspaceLockGuard,
        guard: &ProcessGuard,
    ) -> Result<Option<(LockedWorktree, ObservedOutcome)>, EffectError> {
        // Not verified: a working agent may have checked out another commit.
        let worktree = hold.worktree(repo, &branch_of(effect.workspace()?)?).await?;
        let Some(worktree) = worktree else { return Ok(None) };
        let site = ExpectedWorkdir::new(worktree.path()).git_dir(worktree.git_dir());
        let Some((writer, running)) = self.adopt_process(effect, run, site).await? else {
            return Ok(None);
        };
        let seen = tokio::select! {
            seen = self.supervise(effect, run, writer, running, guard) => seen?,
            never = self.journals.journal_periodically(effect, &worktree) => match never {},
            never = self.silence.watch_silence(effect, run, worktree.path()) => match never {},
        };
        Ok(Some((worktree, seen)))
    }

    /// Takes over the process of an execution if it is alive and may continue.
    pub(crate) async fn adopt_process(
        &self,
        effect: &EffectContext,
        run: &TaskExecution,
        site: ExpectedWorkdir,
    ) -> Result<Option<(TranscriptWriter, SupervisedProcess)>, EffectError> {
        if self.restart_policy == RestartPolicy::End || effect.must_stop(run.execution).await? {
            return Ok(None);
        }
        let recorded = load_process(&self.db, run.execution).await?;
        let log = self.home.log(run.execution.uuid());
        let Some(identity) = recorded.clone().or_else(|| forge_proc::load_program_identity(&log))
        else {
            return Ok(None);
        };
        let (Ok(executor), Ok(reading)) =
            (self.executor_of(effect, run).await, self.load_output_decoder(effect).await)
        else {
            // Without the agent's settings the server cannot parse its output.
            return Ok(None);
        };
        let claim = AdoptionRequest {
            identity,
            mark: process_mark(run.execution.uuid())?,
            log,
            workdir: site,
            deadline: executor.timeout(),
            grace: GRACE,
        };
        match forge_proc::adopt(claim).await {
            Ok(adopted) => {
                tracing::info!(execution = %run.execution, pid = adopted.identity().pid, "adopted a running agent");
                effect.pass_fault_point("turn.adopted").await?;
                if recorded.is_none() {
                    // The earlier server died before it reported the start.
                    let (execution, process) = (run.execution, process_record(adopted.identity()));
                    let report = EffectReport::RunStarted { execution, process };
                    let reported = effect.report_progress(report);
                    if let Err(error) = reported.await {
                        adopted.release().await;
                        return Err(error.into());
                    }
                }
                let files = self.home.log_files(run.execution.uuid());
                let writer = TranscriptWriter::open(files, reading.adapter, reading.redactor)?;
                Ok(Some((writer, adopted.into_supervised())))
            }
            Err(AdoptError::Exited { .. }) => Ok(None),
            Err(error) => {
                tracing::warn!(execution = %run.execution, %error, "could not adopt a running agent");
                Ok(None)
            }
        }
    }

    /// Ends the remaining processes of an execution that is not adopted, and returns how it ended. Its evidence files
    /// stay until the result is committed.
    pub(crate) async fn end_unadopted(
        &self,
        effect: &EffectContext,
        run: &TaskExecution,
    ) -> Result<ObservedOutcome, EffectError> {
        let log = self.home.log(run.execution.uuid());
        let mark = process_mark(run.execution.uuid())?;
        // Read the ending before sending a signal: a program's reaction to the signal says nothing about its work.
        let left = forge_proc::await_unsupervised_ending(&log, &mark).await;
        forge_proc::end_marked_processes(&mark, GRACE).await?;
        match forge_proc::read_remaining_output(&log).await {
            Err(AdoptError::Output { source, .. }) if source.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                tracing::warn!(execution = %run.execution, %error, "output may be incomplete")
            }
            Ok(_) => {}
        }
        let ending = match left {
            _ if effect.must_stop(run.execution).await? => ExecutionEnding::Stopped,
            // A stop that the task does not know of was caused by the earlier server's shutdown.
            Some(forge_proc::ProcessEnding::Stopped) | None => ExecutionEnding::Lost,
            Some(ending) => self.execution_ending(effect, run, ending).await,
        };
        self.observe_past_outcome(effect, run, ending).await
    }
}

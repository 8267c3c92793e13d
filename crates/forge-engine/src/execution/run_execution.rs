//! One execution of an agent: start its program, wait for its end, commit its changes (E-3, E-4, E-6).

use crate::effects::effect_run::{EffectRun, GRACE, process_mark};
use crate::effects::process_registry::ProcessGuard;
use crate::effects::{EffectError, EffectOutcome};
use crate::execution::observed_outcome::ObservedOutcome;
use forge_domain::task::{ExecutionPurpose, TaskExecution};
use forge_domain::{EffectReport, ExecutionEnding, ExecutionId, ExecutionResult};
use forge_git::{GitError, JournalReason, LockedWorktree, ObjectId};
use forge_proc::ExpectedWorkdir;
use serde::{Deserialize, Serialize};

/// Journalled before the program starts, and again with its outcome. After the first write no attempt may start it
/// again; after the second none needs to.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct ExecutionProgress {
    head: String,
    #[serde(default)]
    seen: Option<ObservedOutcome>,
}

impl EffectRun<'_> {
    pub(crate) async fn run_execution(
        &self,
        execution: ExecutionId,
    ) -> Result<EffectOutcome, EffectError> {
        let Some(run) = self.task.run.clone().filter(|run| run.execution == execution) else {
            return self.end_unwanted_execution(execution).await;
        };
        let _at_work = self.engine.0.running_agents.token();
        let guard = self.engine.0.processes.register(execution.uuid());
        if let Some(begun) = self.journalled::<ExecutionProgress>() {
            let picked_up = Box::pin(self.adopt_execution(&run, begun, &guard)).await;
            if matches!(picked_up, Err(EffectError::NeedsPerson { .. })) {
                // The effect ends here, so end the processes too.
                self.end_unwanted_execution(execution).await?;
            }
            return picked_up;
        }
        if self.engine.0.shutdown.stop_starting.is_cancelled() {
            return Err(EffectError::LeaseLost);
        }
        let repo = self.engine.open_task_repo(&self.task).await?;
        let worktree = self.lock_usable_worktree(&repo).await?;
        let begun = ExecutionProgress { head: worktree.head().await?.to_string(), seen: None };
        if self.must_stop(execution).await? || guard.stop.is_cancelled() {
            return self
                .finish_execution(
                    &run,
                    &worktree,
                    &begun,
                    ObservedOutcome::ending_only(ExecutionEnding::Stopped),
                )
                .await;
        }
        let program = self.build_program(&run, self.build_worktree_env(&worktree).await?).await?;
        self.engine.journal_intent(self.lease, &begun).await?;
        let site = ExpectedWorkdir::new(worktree.path()).git_dir(worktree.git_dir());
        let site = match run.purpose {
            ExecutionPurpose::Work => site.branch(format!("refs/heads/{}", worktree.branch())),
            // A judge may check out another branch: its changes to the workspace are reverted.
            ExecutionPurpose::Judge => site,
        };
        let seen = tokio::select! {
            seen = self.run_program(&run, program, &site, &guard) => seen?,
            never = self.journal_periodically(&worktree) => match never {},
            never = self.watch_silence(&run, worktree.path()) => match never {},
        };
        self.journal_outcome(&begun, &seen).await?;
        self.finish_execution(&run, &worktree, &begun, seen).await
    }

    /// An earlier attempt started the program. Uses the journalled outcome, else adopts the program if possible.
    async fn adopt_execution(
        &self,
        run: &TaskExecution,
        begun: ExecutionProgress,
        guard: &ProcessGuard,
    ) -> Result<EffectOutcome, EffectError> {
        let repo = &self.engine.open_task_repo(&self.task).await?;
        let hold = self.take_adopted_lock(run.execution).await?;
        if begun.seen.is_none()
            && let Some((worktree, seen)) = self.adopt_and_wait(run, repo, &hold, guard).await?
        {
            self.journal_outcome(&begun, &seen).await?;
            return self.finish_execution(run, &worktree, &begun, seen).await;
        }
        let seen = match begun.seen.clone() {
            Some(seen) => {
                forge_proc::end_marked_processes(&process_mark(run.execution.uuid())?, GRACE)
                    .await?;
                seen
            }
            None => {
                let seen = self.end_unadopted(run).await?;
                self.journal_outcome(&begun, &seen).await?;
                seen
            }
        };
        if let Some(commit) = self.judged_commit(run)? {
            self.restore_branch(repo, &hold, &commit).await?;
        }
        let worktree = self.usable_worktree_in(repo, &hold).await?;
        self.finish_execution(run, &worktree, &begun, seen).await
    }

    async fn journal_outcome(
        &self,
        begun: &ExecutionProgress,
        seen: &ObservedOutcome,
    ) -> Result<(), EffectError> {
        self.pass_fault_point("turn.seen").await?;
        let noted = ExecutionProgress { seen: Some(seen.clone()), ..begun.clone() };
        Ok(self.engine.journal_intent(self.lease, &noted).await?)
    }

    /// Ends an execution that its task no longer wants, but whose processes may run.
    pub(crate) async fn end_unwanted_execution(
        &self,
        execution: ExecutionId,
    ) -> Result<EffectOutcome, EffectError> {
        forge_proc::end_marked_processes(&process_mark(execution.uuid())?, GRACE).await?;
        drop(self.engine.0.adopted_locks.take(execution));
        let result = ExecutionResult::without_work(ExecutionEnding::Stopped);
        Ok(EffectOutcome::Report(EffectReport::RunEnded { execution, result }))
    }

    /// Commits the remaining changes and reports the result.
    async fn finish_execution(
        &self,
        run: &TaskExecution,
        worktree: &LockedWorktree,
        begun: &ExecutionProgress,
        seen: ObservedOutcome,
    ) -> Result<EffectOutcome, EffectError> {
        self.pass_fault_point("turn.ended").await?;
        self.compress_transcript(run).await;
        if let Some(commit) = self.judged_commit(run)? {
            return self.finish_judge(run, worktree, &commit, seen).await;
        }
        // Before any commit: the entry records how the agent left the files, wherever HEAD is.
        let reason = match seen.ending {
            ExecutionEnding::Stopped => JournalReason::Stop,
            _ => JournalReason::TurnEnd,
        };
        self.try_journal_entry(&worktree.snapshot_source(), reason).await?;
        let head = match run.purpose {
            // Only a finished execution's changes are committed (E-6). After a stop a person decides: the changes are
            // in the journal and stay in the files until the execution continues or they are discarded (T-13, T-14). An
            // ordered turn always ends in one commit (T-17).
            ExecutionPurpose::Work
                if seen.ending == ExecutionEnding::Stopped && self.task.turn().is_none() =>
            {
                worktree.head().await?
            }
            ExecutionPurpose::Work => {
                // An agent may have moved HEAD; never commit to a branch that is not the task's.
                worktree.verify().await?;
                let signature =
                    self.engine.signature(&self.author().await?, self.row.created_at.millis())?;
                let message = self.commit_message(&self.task.title);
                let head = match worktree.commit_all(&message, &signature).await {
                    Ok(collected) => collected.head,
                    // If the task was cancelled meanwhile, end anyway; the files stay as they are.
                    Err(
                        error @ (GitError::SpecialFiles { .. } | GitError::NotCommittable { .. }),
                    ) if self.reload().await?.visit != self.row.visit => {
                        tracing::warn!(task = %self.task.id, %error, "left changes uncommitted");
                        worktree.head().await?
                    }
                    Err(error) => return Err(error.into()),
                };
                self.squash_turn(worktree, &begun.head, head, &message, &signature).await?
            }
            ExecutionPurpose::Judge => worktree.head().await?,
        };
        self.pass_fault_point("turn.collected").await?;
        let head = head.to_string();
        let changed = head != begun.head;
        let base = Some(begun.head.clone());
        let result = ExecutionResult { base, ..seen.result(run, Some(head), changed) };
        Ok(EffectOutcome::Report(EffectReport::RunEnded { execution: run.execution, result }))
    }
    /// The commit that a judge reviews; `None` for a work execution.
    fn judged_commit(&self, run: &TaskExecution) -> Result<Option<ObjectId>, EffectError> {
        let reviewed =
            self.task.reviewed.clone().filter(|_| run.purpose == ExecutionPurpose::Judge);
        let commit = reviewed.map(ObjectId::new).transpose();
        commit.map_err(|error| EffectError::workspace(error.to_string()))
    }

    /// A judge's verdict concerns the checked commit; its changes are saved and reverted (M-3).
    async fn finish_judge(
        &self,
        run: &TaskExecution,
        worktree: &LockedWorktree,
        commit: &ObjectId,
        seen: ObservedOutcome,
    ) -> Result<EffectOutcome, EffectError> {
        self.restore_workspace(worktree, commit).await?;
        self.pass_fault_point("turn.collected").await?;
        let result = seen.result(run, Some(commit.to_string()), false);
        Ok(EffectOutcome::Report(EffectReport::RunEnded { execution: run.execution, result }))
    }
}

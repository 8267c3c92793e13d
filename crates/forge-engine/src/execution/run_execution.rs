//! One execution of an agent: start its program, wait for its end, commit its changes (E-3, E-4, E-6).

use crate::effects::process_registry::ProcessGuard;
use crate::effects::{EffectContext, EffectError, EffectOutcome, GRACE, process_mark};
use crate::execution::executions::Executions;
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

impl Executions {
    pub(crate) async fn run_execution(
        &self,
        effect: &EffectContext,
        execution: ExecutionId,
    ) -> Result<EffectOutcome, EffectError> {
        let Some(run) = effect.task.run.clone().filter(|run| run.execution == execution) else {
            return self.end_unwanted_execution(execution).await;
        };
        let _at_work = self.running_agents.token();
        let guard = self.processes.register(execution.uuid());
        if let Some(begun) = effect.journalled::<ExecutionProgress>() {
            let picked_up = Box::pin(self.adopt_execution(effect, &run, begun, &guard)).await;
            if matches!(picked_up, Err(EffectError::NeedsPerson { .. })) {
                // The effect ends here, so end the processes too.
                self.end_unwanted_execution(execution).await?;
            }
            return picked_up;
        }
        if self.signals.stop_starting.is_cancelled() {
            return Err(EffectError::LeaseLost);
        }
        let repo = self.repos.open_of_effect(effect).await?;
        let worktree = self.workspaces.lock_usable_worktree(effect, &repo).await?;
        let begun = ExecutionProgress { head: worktree.head().await?.to_string(), seen: None };
        if effect.must_stop(execution).await? || guard.stop.is_cancelled() {
            return self
                .finish_execution(
                    effect,
                    &run,
                    &worktree,
                    &begun,
                    ObservedOutcome::ending_only(ExecutionEnding::Stopped),
                )
                .await;
        }
        let program = self
            .build_program(effect, &run, self.envs.build_worktree_env(effect, &worktree).await?)
            .await?;
        effect.journal_intent(&begun).await?;
        let site = ExpectedWorkdir::new(worktree.path()).git_dir(worktree.git_dir());
        let site = match run.purpose {
            ExecutionPurpose::Work => site.branch(format!("refs/heads/{}", worktree.branch())),
            // A judge may check out another branch: its changes to the workspace are reverted.
            ExecutionPurpose::Judge => site,
        };
        let seen = tokio::select! {
            seen = self.run_program(effect, &run, program, &site, &guard) => seen?,
            never = self.journals.journal_periodically(effect, &worktree) => match never {},
            never = self.silence.watch_silence(effect, &run, worktree.path()) => match never {},
        };
        journal_outcome(effect, &begun, &seen).await?;
        self.finish_execution(effect, &run, &worktree, &begun, seen).await
    }

    /// An earlier attempt started the program. Uses the journalled outcome, else adopts the program if possible.
    async fn adopt_execution(
        &self,
        effect: &EffectContext,
        run: &TaskExecution,
        begun: ExecutionProgress,
        guard: &ProcessGuard,
    ) -> Result<EffectOutcome, EffectError> {
        let repo = &self.repos.open_of_effect(effect).await?;
        let hold = self.take_adopted_lock(effect, run.execution).await?;
        if begun.seen.is_none()
            && let Some((worktree, seen)) =
                self.adopt_and_wait(effect, run, repo, &hold, guard).await?
        {
            journal_outcome(effect, &begun, &seen).await?;
            return self.finish_execution(effect, run, &worktree, &begun, seen).await;
        }
        let seen = match begun.seen.clone() {
            Some(seen) => {
                forge_proc::end_marked_processes(&process_mark(run.execution.uuid())?, GRACE)
                    .await?;
                seen
            }
            None => {
                let seen = self.end_unadopted(effect, run).await?;
                journal_outcome(effect, &begun, &seen).await?;
                seen
            }
        };
        if let Some(commit) = judged_commit(effect, run)? {
            self.workspaces.restore_branch(effect, repo, &hold, &commit).await?;
        }
        let worktree = self.workspaces.usable_worktree_in(effect, repo, &hold).await?;
        self.finish_execution(effect, run, &worktree, &begun, seen).await
    }

    /// Ends an execution that its task no longer wants, but whose processes may run.
    pub(crate) async fn end_unwanted_execution(
        &self,
        execution: ExecutionId,
    ) -> Result<EffectOutcome, EffectError> {
        forge_proc::end_marked_processes(&process_mark(execution.uuid())?, GRACE).await?;
        drop(self.adopted_locks.take(execution));
        let result = ExecutionResult::without_work(ExecutionEnding::Stopped);
        Ok(EffectOutcome::Report(EffectReport::RunEnded { execution, result }))
    }

    /// Commits the remaining changes and reports the result.
    async fn finish_execution(
        &self,
        effect: &EffectContext,
        run: &TaskExecution,
        worktree: &LockedWorktree,
        begun: &ExecutionProgress,
        seen: ObservedOutcome,
    ) -> Result<EffectOutcome, EffectError> {
        effect.pass_fault_point("turn.ended").await?;
        self.compress_transcript(run).await;
        if let Some(commit) = judged_commit(effect, run)? {
            return self.finish_judge(effect, run, worktree, &commit, seen).await;
        }
        // Before any commit: the entry records how the agent left the files, wherever HEAD is.
        let reason = match seen.ending {
            ExecutionEnding::Stopped => JournalReason::Stop,
            _ => JournalReason::TurnEnd,
        };
        self.journals.try_journal_entry(effect, &worktree.snapshot_source(), reason).await?;
        let head = match run.purpose {
            // Only a finished execution's changes are committed (E-6). After a stop a person decides: the changes are
            // in the journal and stay in the files until the execution continues or they are discarded (T-13, T-14). An
            // ordered turn always ends in one commit (T-17).
            ExecutionPurpose::Work
                if seen.ending == ExecutionEnding::Stopped && effect.task.turn().is_none() =>
            {
                worktree.head().await?
            }
            ExecutionPurpose::Work => {
                // An agent may have moved HEAD; never commit to a branch that is not the task's.
                worktree.verify().await?;
                let signature = effect.load_signature().await?;
                let message = effect.commit_message(&effect.task.title);
                let head = match worktree.commit_all(&message, &signature).await {
                    Ok(collected) => collected.head,
                    // If the task was cancelled meanwhile, end anyway; the files stay as they are.
                    Err(
                        error @ (GitError::SpecialFiles { .. } | GitError::NotCommittable { .. }),
                    ) if effect.reload().await?.visit != effect.row.visit => {
                        tracing::warn!(task = %effect.task.id, %error, "left changes uncommitted");
                        worktree.head().await?
                    }
                    Err(error) => return Err(error.into()),
                };
                self.squash_turn(effect, worktree, &begun.head, head, &message, &signature).await?
            }
            ExecutionPurpose::Judge => worktree.head().await?,
        };
        effect.pass_fault_point("turn.collected").await?;
        let head = head.to_string();
        let changed = head != begun.head;
        let base = Some(begun.head.clone());
        let result = ExecutionResult { base, ..seen.result(run, Some(head), changed) };
        Ok(EffectOutcome::Report(EffectReport::RunEnded { execution: run.execution, result }))
    }

    /// A judge's verdict concerns the checked commit; its changes are saved and reverted (M-3).
    async fn finish_judge(
        &self,
        effect: &EffectContext,
        run: &TaskExecution,
        worktree: &LockedWorktree,
        commit: &ObjectId,
        seen: ObservedOutcome,
    ) -> Result<EffectOutcome, EffectError> {
        self.workspaces.restore_workspace(effect, worktree, commit).await?;
        effect.pass_fault_point("turn.collected").await?;
        let result = seen.result(run, Some(commit.to_string()), false);
        Ok(EffectOutcome::Report(EffectReport::RunEnded { execution: run.execution, result }))
    }
}

async fn journal_outcome(
    effect: &EffectContext,
    begun: &ExecutionProgress,
    seen: &ObservedOutcome,
) -> Result<(), EffectError> {
    effect.pass_fault_point("turn.seen").await?;
    let noted = ExecutionProgress { seen: Some(seen.clone()), ..begun.clone() };
    effect.journal_intent(&noted).await
}

/// The commit that a judge reviews; `None` for a work execution.
fn judged_commit(
    effect: &EffectContext,
    run: &TaskExecution,
) -> Result<Option<ObjectId>, EffectError> {
    let reviewed = effect.task.reviewed.clone().filter(|_| run.purpose == ExecutionPurpose::Judge);
    let commit = reviewed.map(ObjectId::new).transpose();
    commit.map_err(|error| EffectError::workspace(error.to_string()))
}

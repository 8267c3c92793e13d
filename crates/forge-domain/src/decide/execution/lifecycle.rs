//! The course of an execution.

use crate::decide::decision_builder::DecisionBuilder;
use crate::report::{ExecutionEnding, ExecutionResult, ProcessRecord};
use crate::task::{
    AnnotationType, ExecutionPurpose, OrderedTurn, TaskActivity, TaskExecution, Workspace,
};
use crate::workflow::StateBehaviour;
use crate::{AgentFailure, Effect, ExecutionId, FailureClass, Refusal, TaskEvent};

/// Number of times an execution is started again after its server died, before a person must decide.
const MOST_LOST_RUNS: u32 = 10;

impl DecisionBuilder<'_> {
    pub(crate) fn workspace_ready(
        &mut self,
        execution: ExecutionId,
        workspace: &Workspace,
    ) -> Result<(), Refusal> {
        if self.workspace_recorded(execution, workspace)? {
            self.start_run(execution);
        }
        Ok(())
    }

    /// W-13: the workspace is recorded before its setup starts, so that a failed setup leaves no unknown directory.
    pub(crate) fn workspace_made(
        &mut self,
        execution: ExecutionId,
        workspace: &Workspace,
    ) -> Result<(), Refusal> {
        if self.workspace_recorded(execution, workspace)? {
            self.plan_effect(Effect::SetUpWorkspace { execution });
        }
        Ok(())
    }

    pub(crate) fn setup_ended(
        &mut self,
        execution: ExecutionId,
        stopped: bool,
    ) -> Result<(), Refusal> {
        if !stopped && self.task.activity == Some(TaskActivity::Preparing { execution }) {
            self.start_run(execution);
        }
        Ok(())
    }

    /// Records the workspace. Returns whether the execution it was created for is still wanted.
    fn workspace_recorded(
        &mut self,
        execution: ExecutionId,
        workspace: &Workspace,
    ) -> Result<bool, Refusal> {
        // The parent's record contains the workspace of an ordered turn.
        if self.task.turn().is_none() && self.task.workspace.as_ref() != Some(workspace) {
            self.emit(TaskEvent::WorkspaceCreated { workspace: workspace.clone() });
            let waits = matches!(
                self.state()?.behaviour,
                StateBehaviour::Hold { .. } | StateBehaviour::Terminal { .. }
            );
            if waits && self.task.activity.is_none() {
                // The execution was stopped meanwhile: the cleanup policy of the state applies.
                self.start_state_work()?;
                return Ok(false);
            }
        }
        Ok(self.task.activity == Some(TaskActivity::Preparing { execution }))
    }

    fn start_run(&mut self, execution: ExecutionId) {
        let by_agent = self.task.run.as_ref().is_some_and(|run| run.assignee.agent().is_some());
        if by_agent {
            self.plan_effect(Effect::RunExecution { execution });
        } else {
            self.emit(TaskEvent::ExecutionStarted { execution, process: None });
        }
    }

    pub(crate) fn run_started(
        &mut self,
        execution: ExecutionId,
        process: &ProcessRecord,
    ) -> Result<(), Refusal> {
        if self.task.activity == Some(TaskActivity::Preparing { execution }) {
            self.clear_wait_annotation();
            self.emit(TaskEvent::ExecutionStarted { execution, process: Some(process.clone()) });
        }
        Ok(())
    }

    pub(crate) fn run_ended(
        &mut self,
        execution: ExecutionId,
        result: &ExecutionResult,
    ) -> Result<(), Refusal> {
        let Some(run) = self.task.run.clone().filter(|run| run.execution == execution) else {
            return Ok(());
        };
        self.unrecorded_usage = result.told.usage.unwrap_or_default();
        self.emit(TaskEvent::ExecutionFinished { execution, result: result.clone() });
        self.clear_stall();
        if matches!(self.task.activity, Some(TaskActivity::Stopping { .. })) {
            // The task has moved on and continues when the stop is reported.
            return Ok(());
        }
        // M-3: a verdict given by a call counts, however its execution ends.
        let called = run.purpose == ExecutionPurpose::Judge && self.task.gate.verdict.is_some();
        if let (Some(failure), false) = (result.told.unavailability(), called) {
            return self.agent_unavailable(&run, failure, result);
        }
        match (result.ending, run.purpose) {
            (ExecutionEnding::Exited { code: 0 }, _)
                if result.told.failure.is_none()
                    && self.deliver_unread_messages(&run, result)? =>
            {
                Ok(())
            }
            // T-27: work with an open question is not handed in.
            (ExecutionEnding::Exited { code: 0 }, _)
                if result.told.failure.is_none() && self.wait_for_answers(&run, result) =>
            {
                Ok(())
            }
            (_, ExecutionPurpose::Judge) if called => self.judge_ended(&run, result),
            (ExecutionEnding::Lost, purpose) if self.task.lost_runs < MOST_LOST_RUNS => {
                self.follow_up.clone_from(&run.follow_up);
                self.messages.clone_from(&run.messages);
                self.open_execution(&run.role, purpose)
            }
            (ExecutionEnding::Lost, _) => {
                let message = format!(
                    "the agent's run was lost {MOST_LOST_RUNS} times with its server; look at the \
                     server's log, then move the task back"
                );
                self.park(AnnotationType::ExecutionLost, &message, serde_json::Value::Null)
            }
            (_, ExecutionPurpose::Judge) => self.judge_ended(&run, result),
            (ExecutionEnding::Exited { code: 0 }, ExecutionPurpose::Work)
                if result.told.failure.is_none() =>
            {
                self.work_done(&run, result)
            }
            (ending, ExecutionPurpose::Work) => self.work_failed(ending, result),
        }
    }

    fn work_done(&mut self, run: &TaskExecution, result: &ExecutionResult) -> Result<(), Refusal> {
        let state = self.state()?;
        let StateBehaviour::Work { done, .. } = &state.behaviour else {
            return Ok(());
        };
        let plan = result.tail.trim();
        if run.role.is_planner() && !plan.is_empty() {
            self.emit(TaskEvent::TaskPlanned { plan: plan.to_owned() });
        }
        if self.waits_for_turns(done)? {
            self.start_turns();
            return Ok(());
        }
        self.record_submission(state, done, Some(run.assignee))?;
        // E-6: an execution without changes is recorded as such.
        let turn = self.task.turn().and_then(OrderedTurn::has_changes);
        let reason = (!turn.unwrap_or(result.changed)).then_some("no_changes");
        self.enter_state(done, false, reason)
    }

    fn work_failed(
        &mut self,
        ending: ExecutionEnding,
        result: &ExecutionResult,
    ) -> Result<(), Refusal> {
        let state = self.state()?;
        let StateBehaviour::Work { failed, .. } = &state.behaviour else {
            return Ok(());
        };
        let how = match ending {
            _ if let Some(failure) = &result.told.failure
                && failure.class != FailureClass::Crash =>
            {
                failure_summary(failure)
            }
            ExecutionEnding::Exited { code } => format!("exited with code {code}"),
            ExecutionEnding::Signalled { signal } => format!("was ended by signal {signal}"),
            ExecutionEnding::TimedOut => "took longer than its time limit".to_owned(),
            ExecutionEnding::DeadlineReached => {
                "reached the deadline of its claim and was ended".to_owned()
            }
            ExecutionEnding::Stopped => "was stopped".to_owned(),
            ExecutionEnding::Lost | ExecutionEnding::Submitted => "ended".to_owned(),
        };
        let message =
            format!("the agent {how}; read its log, then move the task back to try again");
        self.enter_state(failed, false, Some(&message))?;
        let details = serde_json::json!({
            "ending": ending,
            "output_tail": result.tail,
            "failure": result.told.failure,
        });
        self.annotate(AnnotationType::ExecutionFailed, message, details);
        Ok(())
    }

    /// An effect of the current visit failed for good. A failure from an earlier visit is ignored.
    pub(crate) fn effect_failed(
        &mut self,
        visit: u64,
        trouble: AnnotationType,
        message: &str,
        details: &serde_json::Value,
    ) -> Result<(), Refusal> {
        if visit != self.task.visit {
            if matches!(
                self.task.activity,
                Some(TaskActivity::Cleaning | TaskActivity::Rebasing | TaskActivity::Reverting)
            ) {
                // The earlier move did not stop these effects.
                self.emit(TaskEvent::EffectFailed { trouble });
            }
            return Ok(());
        }
        if let Some(review) = self.task.review {
            self.abandon_review(review);
        }
        if let Some(execution) = self.task.run.as_ref().map(|run| run.execution) {
            let result = ExecutionResult::without_work(ExecutionEnding::Stopped);
            self.emit(TaskEvent::ExecutionFinished { execution, result });
        }
        self.emit(TaskEvent::EffectFailed { trouble });
        if self.state()?.is_terminal() {
            self.annotate(trouble, message, details.clone());
            return Ok(());
        }
        self.park(trouble, message, details.clone())?;
        self.discard_lost_workspace(trouble, message);
        Ok(())
    }
}

/// The failure in the agent program's own words, in one line.
fn failure_summary(failure: &AgentFailure) -> String {
    let first = failure.message.lines().next().unwrap_or_default();
    format!("said that it failed ({first})")
}

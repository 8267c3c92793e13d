//! The course of an execution.

use super::draft::Draft;
use crate::report::{Ending, ProcessRecord, RunResult};
use crate::task::{Activity, AnnotationType, Purpose, Run, Turn, Workspace};
use crate::workflow::Behaviour;
use crate::{Effect, Event, ExecutionId, FailureClass, Refusal, RunFailure};

/// How often a turn is begun again after its server died, before a person is asked.
const MOST_LOST_RUNS: u32 = 10;

impl Draft<'_> {
    pub(super) fn workspace_ready(
        &mut self,
        execution: ExecutionId,
        workspace: &Workspace,
    ) -> Result<(), Refusal> {
        if self.workspace_recorded(execution, workspace)? {
            self.start_run(execution);
        }
        Ok(())
    }

    /// W-13: the workspace is on record before its setup begins, so that a setup that fails leaves nothing unknown.
    pub(super) fn workspace_made(
        &mut self,
        execution: ExecutionId,
        workspace: &Workspace,
    ) -> Result<(), Refusal> {
        if self.workspace_recorded(execution, workspace)? {
            self.want(Effect::SetUpWorkspace { execution });
        }
        Ok(())
    }

    pub(super) fn setup_ended(
        &mut self,
        execution: ExecutionId,
        stopped: bool,
    ) -> Result<(), Refusal> {
        if !stopped && self.task.activity == Some(Activity::Preparing { execution }) {
            self.start_run(execution);
        }
        Ok(())
    }

    /// Takes the workspace down; whether the execution it was made for is still wanted.
    fn workspace_recorded(
        &mut self,
        execution: ExecutionId,
        workspace: &Workspace,
    ) -> Result<bool, Refusal> {
        // A turn's workspace is on its parent's record.
        if self.task.turn().is_none() && self.task.workspace.as_ref() != Some(workspace) {
            self.emit(Event::WorkspaceCreated { workspace: workspace.clone() });
            let waits = matches!(
                self.state()?.behaviour,
                Behaviour::Hold { .. } | Behaviour::Terminal { .. }
            );
            if waits && self.task.activity.is_none() {
                // It was made for a run that had been stopped meanwhile: the state cleans up after all.
                self.begin()?;
                return Ok(false);
            }
        }
        Ok(self.task.activity == Some(Activity::Preparing { execution }))
    }

    fn start_run(&mut self, execution: ExecutionId) {
        let by_agent = self.task.run.as_ref().is_some_and(|run| run.assignee.agent().is_some());
        if by_agent {
            self.want(Effect::RunTurn { execution });
        } else {
            self.emit(Event::ExecutionStarted { execution, process: None });
        }
    }

    pub(super) fn run_started(
        &mut self,
        execution: ExecutionId,
        process: &ProcessRecord,
    ) -> Result<(), Refusal> {
        if self.task.activity == Some(Activity::Preparing { execution }) {
            self.end_wait();
            self.emit(Event::ExecutionStarted { execution, process: Some(process.clone()) });
        }
        Ok(())
    }

    pub(super) fn run_ended(
        &mut self,
        execution: ExecutionId,
        result: &RunResult,
    ) -> Result<(), Refusal> {
        let Some(run) = self.task.run.clone().filter(|run| run.execution == execution) else {
            return Ok(());
        };
        self.just_used = result.told.usage.unwrap_or_default();
        self.emit(Event::ExecutionFinished { execution, result: result.clone() });
        self.forget_stall();
        if matches!(self.task.activity, Some(Activity::Stopping { .. })) {
            // The task has moved on; it goes on when the stop is reported.
            return Ok(());
        }
        // M-3: a verdict that was given by a call is given, however its run ends.
        let called = run.purpose == Purpose::Judge && self.task.gate.verdict.is_some();
        if let (Some(failure), false) = (result.told.quota(), called) {
            return self.out_of_quota(&run, failure, result);
        }
        match (result.ending, run.purpose) {
            (Ending::Exited { code: 0 }, _)
                if result.told.failure.is_none() && self.say_the_rest(&run, result)? =>
            {
                Ok(())
            }
            (_, Purpose::Judge) if called => self.judged(&run, result),
            (Ending::Lost, purpose) if self.task.lost_runs < MOST_LOST_RUNS => {
                self.follow_up.clone_from(&run.follow_up);
                self.messages.clone_from(&run.messages);
                self.open_run(&run.role, purpose)
            }
            (Ending::Lost, _) => {
                let message = format!(
                    "the agent's run was lost {MOST_LOST_RUNS} times with its server; look at the \
                     server's log, then move the task back"
                );
                self.park(AnnotationType::ExecutionLost, &message, serde_json::Value::Null)
            }
            (_, Purpose::Judge) => self.judged(&run, result),
            (Ending::Exited { code: 0 }, Purpose::Work) if result.told.failure.is_none() => {
                self.work_done(&run, result)
            }
            (ending, Purpose::Work) => self.work_failed(ending, result),
        }
    }

    fn work_done(&mut self, run: &Run, result: &RunResult) -> Result<(), Refusal> {
        let state = self.state()?;
        let Behaviour::Work { done, .. } = &state.behaviour else {
            return Ok(());
        };
        if self.waits_for_turns(done)? {
            self.begin_turns();
            return Ok(());
        }
        self.submit_if_handed_in(state, done, Some(run.assignee))?;
        // E-6: no change at all is a recorded result, not a success by silence.
        let turn = self.task.turn().and_then(Turn::changed);
        let reason = (!turn.unwrap_or(result.changed)).then_some("no_changes");
        self.arrive(done, false, reason)
    }

    fn work_failed(&mut self, ending: Ending, result: &RunResult) -> Result<(), Refusal> {
        let state = self.state()?;
        let Behaviour::Work { failed, .. } = &state.behaviour else {
            return Ok(());
        };
        let how = match ending {
            _ if let Some(failure) = &result.told.failure
                && failure.class != FailureClass::Crash =>
            {
                said(failure)
            }
            Ending::Exited { code } => format!("exited with code {code}"),
            Ending::Signalled { signal } => format!("was ended by signal {signal}"),
            Ending::TimedOut => "took longer than its time limit".to_owned(),
            Ending::Stopped => "was stopped".to_owned(),
            Ending::Lost | Ending::Submitted => "ended".to_owned(),
        };
        let message =
            format!("the agent {how}; read its log, then move the task back to try again");
        self.arrive(failed, false, Some(&message))?;
        let details = serde_json::json!({
            "ending": ending,
            "output_tail": result.tail,
            "failure": result.told.failure,
        });
        self.annotate(AnnotationType::ExecutionFailed, message, details);
        Ok(())
    }

    /// A step of the present visit failed for good; one of an earlier visit has lost its point.
    pub(super) fn step_failed(
        &mut self,
        visit: u64,
        trouble: AnnotationType,
        message: &str,
        details: &serde_json::Value,
    ) -> Result<(), Refusal> {
        if visit != self.task.visit {
            if matches!(
                self.task.activity,
                Some(Activity::Cleaning | Activity::Rebasing | Activity::Reverting)
            ) {
                // What a later move did not stop.
                self.emit(Event::StepFailed { trouble });
            }
            return Ok(());
        }
        if let Some(review) = self.task.review {
            self.overtake_review(review);
        }
        if let Some(execution) = self.task.run.as_ref().map(|run| run.execution) {
            let result = RunResult::bare(Ending::Stopped);
            self.emit(Event::ExecutionFinished { execution, result });
        }
        self.emit(Event::StepFailed { trouble });
        if self.state()?.is_terminal() {
            self.annotate(trouble, message, details.clone());
            return Ok(());
        }
        self.park(trouble, message, details.clone())?;
        self.forget_lost_workspace(trouble, message);
        Ok(())
    }
}

/// A failure as its program put it, in one line.
fn said(failure: &RunFailure) -> String {
    let first = failure.message.lines().next().unwrap_or_default();
    match failure.class {
        FailureClass::Auth => format!("is not signed in ({first}); sign it in"),
        _ => format!("said that it failed ({first})"),
    }
}

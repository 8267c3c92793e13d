//! Messages to running agents (T-22). Each is delivered once: during the execution if the program accepts messages,
//! else by the next execution.

use crate::decide::decision_builder::DecisionBuilder;
use crate::report::ExecutionResult;
use crate::task::{FollowUpMessage, SteerMessage, TaskActivity, TaskExecution};
use crate::workflow::RoleName;
use crate::{Effect, ExecutionId, Refusal, TaskEvent};

const LONGEST_MESSAGE: usize = 100_000;

impl DecisionBuilder<'_> {
    pub(crate) fn steer(
        &mut self,
        execution: ExecutionId,
        message: &str,
        live: bool,
    ) -> Result<(), Refusal> {
        let run = self.check_steer(execution)?;
        if message.trim().is_empty() || message.len() > LONGEST_MESSAGE {
            let problem = format!("must have between 1 and {LONGEST_MESSAGE} bytes");
            return Err(Refusal::InvalidField { field: "message", problem });
        }
        let steer = SteerMessage {
            id: self.derive_id(),
            execution,
            role: run.role,
            message: message.to_owned(),
            live,
            question: None,
            by: self.actor().clone(),
            at: self.now(),
        };
        self.emit(TaskEvent::ExecutionSteered { steer: Box::new(steer) });
        if live {
            self.plan_effect(Effect::DeliverSteer { execution });
        }
        Ok(())
    }

    /// Checks that the execution accepts a message: an agent's, and not being stopped.
    pub(crate) fn check_steer(&self, execution: ExecutionId) -> Result<TaskExecution, Refusal> {
        if !self.is_directed_by_actor() {
            return Err(Refusal::PeopleOnly("steer a run"));
        }
        let stopping = matches!(self.task.activity, Some(TaskActivity::Stopping { .. }));
        let run = self.task.run.clone().filter(|run| run.execution == execution && !stopping);
        run.filter(|run| run.assignee.agent().is_some())
            .ok_or_else(|| Refusal::ExecutionEnded { key: self.task.key() })
    }

    /// Messages to the role that no execution has received yet.
    pub(crate) fn unread_messages(&self, role: &RoleName) -> Vec<SteerMessage> {
        self.task.steers.iter().filter(|steer| steer.role == *role).cloned().collect()
    }

    /// Continues a conversation that ended well if messages are still undelivered.
    pub(crate) fn deliver_unread_messages(
        &mut self,
        run: &TaskExecution,
        result: &ExecutionResult,
    ) -> Result<bool, Refusal> {
        if self.unread_messages(&run.role).is_empty() {
            return Ok(false);
        }
        let session = result.told.session.clone();
        self.follow_up = session.map(|session| FollowUpMessage { session, message: String::new() });
        self.open_execution(&run.role, run.purpose)?;
        Ok(true)
    }
}

//! An agent that is not signed in (E-9): the task returns to the queue, or its execution waits until the agent is
//! signed in.

use crate::agent_report::AgentFailure;
use crate::decide::decision_builder::DecisionBuilder;
use crate::report::ExecutionResult;
use crate::task::{
    AnnotationType, ExecutionPurpose, PostponeCause, PostponedExecution, TaskExecution,
};
use crate::{AgentId, Effect, Refusal};

/// The time of the next login is unknown; resuming the agent starts the execution earlier.
const LOGIN_WAIT_SECONDS: u64 = 365 * 86_400;

impl DecisionBuilder<'_> {
    /// Returns an execution that any agent can do to the queue. An execution that belongs to this agent (its
    /// conversation, feedback, a requested verdict) waits for the login.
    pub(crate) fn wait_for_login(
        &mut self,
        run: &TaskExecution,
        agent: AgentId,
        failure: &AgentFailure,
        result: &ExecutionResult,
    ) -> Result<(), Refusal> {
        let first = failure.message.lines().next().unwrap_or_default();
        match self.workflow.claim_queue() {
            Some(pool) if self.can_return_to_queue(run) => {
                self.released = vec![run.role.clone()];
                let reason = format!("the agent is not signed in ({first})");
                self.enter_state(&pool, false, Some(&reason))
            }
            _ => {
                self.postpone_for_login(run, agent, failure, result);
                Ok(())
            }
        }
    }

    fn can_return_to_queue(&self, run: &TaskExecution) -> bool {
        run.purpose == ExecutionPurpose::Work
            && run.follow_up.is_none()
            && run.messages.is_empty()
            && !self.task.sent_back
            && self.task.turn().is_none()
            && self.workflow.claim_role().as_ref() == Some(&run.role)
    }

    fn postpone_for_login(
        &mut self,
        run: &TaskExecution,
        agent: AgentId,
        failure: &AgentFailure,
        result: &ExecutionResult,
    ) {
        self.postpone(PostponedExecution {
            role: run.role.clone(),
            agent,
            purpose: run.purpose,
            follow_up: run.follow_up.clone(),
            messages: run.messages.clone(),
            cause: PostponeCause::Login,
        });
        self.plan_effect_at(
            Effect::AwaitQuota { agent },
            self.now().plus_seconds(LOGIN_WAIT_SECONDS),
        );
        let message = "the agent is not signed in; sign its program in, then probe or resume the agent, and the \
                       execution begins again";
        let details = serde_json::json!({
            "agent": agent,
            "said": failure.message,
            "output_tail": result.tail,
        });
        self.annotate(AnnotationType::NotSignedIn, message, details);
    }
}

//! An agent that cannot work for now (E-9): another agent takes over, or the execution waits, and the task shows it. An
//! exhausted quota ends by itself; for a missing login see `login_wait`.

use crate::agent_report::{AgentFailure, FailureClass, QUOTA_WAIT_SECONDS};
use crate::decide::decision_builder::DecisionBuilder;
use crate::report::ExecutionResult;
use crate::task::{AnnotationType, HandoffNote, PostponeCause, PostponedExecution, TaskExecution};
use crate::{AgentId, Assignee, CommentId, Effect, Refusal, SubstituteAgent, TaskEvent};

/// Number of waits in one visit of a state before a person must decide.
const MOST_WAITS: u32 = 48;

impl DecisionBuilder<'_> {
    /// Assigns another agent, or postpones the execution until the agent can work. Any move of the task ends the wait.
    pub(crate) fn agent_unavailable(
        &mut self,
        run: &TaskExecution,
        failure: &AgentFailure,
        result: &ExecutionResult,
    ) -> Result<(), Refusal> {
        match (run.assignee.agent(), &self.facts.substitute) {
            (_, Some(substitute)) => self.substitute_agent(run, failure, &substitute.clone()),
            (Some(agent), None) if self.task.quota_waits > MOST_WAITS => {
                self.park_after_waits(agent, failure, result)
            }
            (Some(agent), None) if failure.class == FailureClass::Auth => {
                self.wait_for_login(run, agent, failure, result)
            }
            (Some(agent), None) => {
                self.wait_for_quota(run, agent, failure, result);
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }

    fn wait_for_quota(
        &mut self,
        run: &TaskExecution,
        agent: AgentId,
        failure: &AgentFailure,
        result: &ExecutionResult,
    ) {
        let now = self.now();
        let until = failure.retry_at(now);
        let message = match failure.until {
            Some(_) => {
                "the agent's allowance is used up; the execution starts again at the time that its program named"
                    .to_owned()
            }
            None => format!(
                "the agent's allowance is used up, and its program did not say until when; it tries again in {} \
                 minutes",
                QUOTA_WAIT_SECONDS / 60
            ),
        };
        let details = serde_json::json!({
            "until": until,
            "waits": self.task.quota_waits,
            "said": failure.message,
            "output_tail": result.tail,
        });
        self.postpone(PostponedExecution {
            role: run.role.clone(),
            agent,
            purpose: run.purpose,
            follow_up: run.follow_up.clone(),
            messages: run.messages.clone(),
            cause: PostponeCause::Quota { until },
        });
        self.plan_effect_at(Effect::AwaitQuota { agent }, until);
        self.annotate(AnnotationType::QuotaWait, message, details);
    }

    fn park_after_waits(
        &mut self,
        agent: AgentId,
        failure: &AgentFailure,
        result: &ExecutionResult,
    ) -> Result<(), Refusal> {
        let what = match failure.class {
            FailureClass::Auth => "the agent was not signed in",
            _ => "the agent's allowance was used up",
        };
        let message = format!(
            "{what} {MOST_WAITS} times in a row; give the role to another agent, or move the task back later"
        );
        let details = serde_json::json!({
            "agent": agent,
            "said": failure.message,
            "output_tail": result.tail,
        });
        self.park(AnnotationType::ExecutionFailed, &message, details)
    }

    /// Another agent continues at once in the same workspace and gets the reason as a message.
    fn substitute_agent(
        &mut self,
        run: &TaskExecution,
        failure: &AgentFailure,
        substitute: &SubstituteAgent,
    ) -> Result<(), Refusal> {
        let SubstituteAgent { agent, name, replaced_name: in_place_of } = substitute;
        let said = failure.message.trim();
        let why = match failure.class {
            FailureClass::Auth => format!("{in_place_of} is not signed in (it said: {said})"),
            _ => format!(
                "The allowance of {in_place_of} was used up in the middle of its turn (it said: {said})"
            ),
        };
        let mut message = format!("{why}. {name} continues with the existing work.");
        if let Some(follow_up) = &run.follow_up {
            message.push_str(&format!("\n\n{in_place_of} had been told:\n\n{}", follow_up.message));
        }
        let work = self.task.workspace.clone();
        let handoff = HandoffNote {
            by: self.actor().clone(),
            from: Some(run.assignee),
            execution: Some(run.execution),
            branch: work.as_ref().map(|at| at.branch.clone()).filter(|name| !name.is_empty()),
            worktree: work.map(|at| at.path),
            message,
            at: self.now(),
        };
        let comment = CommentId::new(self.derive_id());
        let body = format!("**Handoff**\n\n{}", handoff.message);
        let released = vec![run.role.clone()];
        let overrides = Box::new(run.overrides.of_substitute());
        self.emit(TaskEvent::TaskHandedOff { handoff: Box::new(handoff), released });
        self.emit(TaskEvent::CommentCreated { comment, parent: None, body });
        let assignee = Assignee::Agent { id: *agent };
        self.emit(TaskEvent::TaskAssigned { role: run.role.clone(), assignee, overrides });
        self.messages.clone_from(&run.messages);
        self.open_execution(&run.role, run.purpose)
    }
}

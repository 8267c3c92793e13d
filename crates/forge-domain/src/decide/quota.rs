//! An agent whose allowance is used up (E-9): another takes over, or its run waits, visibly, and goes on by itself.

use super::draft::Draft;
use crate::report::RunResult;
use crate::task::{AnnotationType, Handoff, Postponed, Postponement, Run};
use crate::told::{QUOTA_WAIT_SECONDS, RunFailure};
use crate::{AgentId, Assignee, CommentId, Effect, Event, Refusal, Substitute};

/// How often one visit of a state waits before a person is asked.
const MOST_QUOTA_WAITS: u32 = 48;

impl Draft<'_> {
    /// Somebody else goes on, or the same turn is begun again once the allowance is back. Whatever moves the task ends
    /// the wait.
    pub(super) fn out_of_quota(
        &mut self,
        run: &Run,
        failure: &RunFailure,
        result: &RunResult,
    ) -> Result<(), Refusal> {
        match (run.assignee.agent(), &self.facts.substitute) {
            (_, Some(substitute)) => self.hand_over(run, failure, &substitute.clone()),
            (Some(agent), None) => self.wait_for_quota(run, agent, failure, result),
            (None, None) => Ok(()),
        }
    }

    fn wait_for_quota(
        &mut self,
        run: &Run,
        agent: AgentId,
        failure: &RunFailure,
        result: &RunResult,
    ) -> Result<(), Refusal> {
        if self.task.quota_waits > MOST_QUOTA_WAITS {
            let message = format!(
                "the agent's allowance was used up {MOST_QUOTA_WAITS} times in a row; give the role to another \
                 agent, or move the task back later"
            );
            return self.park(AnnotationType::ExecutionFailed, &message, serde_json::Value::Null);
        }
        let now = self.now();
        let until = failure.back_at(now);
        let message = match failure.until {
            Some(_) => {
                "the agent's allowance is used up; it goes on by itself at the time that its program named"
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
        self.postpone(Postponed {
            role: run.role.clone(),
            agent,
            purpose: run.purpose,
            follow_up: run.follow_up.clone(),
            messages: run.messages.clone(),
            cause: Postponement::Quota { until },
        });
        self.want_at(Effect::AwaitQuota { agent }, until);
        self.annotate(AnnotationType::QuotaWait, message, details);
        Ok(())
    }

    /// Another agent goes on at once, in the same place, and is told why.
    fn hand_over(
        &mut self,
        run: &Run,
        failure: &RunFailure,
        substitute: &Substitute,
    ) -> Result<(), Refusal> {
        let Substitute { agent, name, in_place_of } = substitute;
        let mut message = format!(
            "The allowance of {in_place_of} was used up in the middle of its turn (it said: {}). {name} goes on with \
             what is there.",
            failure.message.trim()
        );
        if let Some(follow_up) = &run.follow_up {
            message.push_str(&format!("\n\n{in_place_of} had been told:\n\n{}", follow_up.message));
        }
        let work = self.task.workspace.clone();
        let handoff = Handoff {
            by: self.actor().clone(),
            from: Some(run.assignee),
            execution: Some(run.execution),
            branch: work.as_ref().map(|at| at.branch.clone()).filter(|name| !name.is_empty()),
            worktree: work.map(|at| at.path),
            message,
            at: self.now(),
        };
        let comment = CommentId::new(self.fresh());
        let body = format!("**Handoff**\n\n{}", handoff.message);
        let released = vec![run.role.clone()];
        self.emit(Event::TaskHandedOff { handoff: Box::new(handoff), released });
        self.emit(Event::CommentCreated { comment, parent: None, body });
        let assignee = Assignee::Agent { id: *agent };
        self.emit(Event::TaskAssigned { role: run.role.clone(), assignee });
        self.messages.clone_from(&run.messages);
        self.open_run(&run.role, run.purpose)
    }
}

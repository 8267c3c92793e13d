//! Sends a message to an agent whose execution has ended (E-7).

use crate::decide::decision_builder::DecisionBuilder;
use crate::task::FollowUpMessage;
use crate::workflow::{RoleName, StateBehaviour, StateRef, WorkflowState};
use crate::{AgentId, Assignee, Refusal, TaskEvent};

impl DecisionBuilder<'_> {
    /// Opens an execution that continues a conversation. Without a conversation, the message becomes part of the
    /// prompt. The execution starts in the current state if the role works there, else in a state with that role that a
    /// person could move the task to.
    pub(crate) fn follow_up(
        &mut self,
        role: &RoleName,
        agent: AgentId,
        session: Option<&str>,
        message: &str,
    ) -> Result<(), Refusal> {
        if !self.is_directed_by_actor() {
            return Err(Refusal::PeopleOnly("send a follow-up"));
        }
        let state = self.state()?;
        if state.is_terminal() {
            return Err(Refusal::TaskTerminal { key: self.task.key() });
        }
        if self.task.run.is_some() || self.task.activity.is_some() {
            self.check_workspace_idle()?;
            let (key, holder) = (self.task.key(), "the removal of its workspace".to_owned());
            return Err(Refusal::WorkspaceLocked { key, holder });
        }
        if self.task.roles.get(role) != Some(&Assignee::Agent { id: agent }) {
            return Err(Refusal::InvalidField {
                field: "execution",
                problem: format!(
                    "its agent no longer holds the role {role}; assign it again first"
                ),
            });
        }
        self.check_budget_left(Assignee::Agent { id: agent })?;
        let works = |state: &WorkflowState| matches!(&state.behaviour, StateBehaviour::Work { role: here, .. } if here == role);
        let message = message.to_owned();
        match session {
            Some(session) => {
                self.follow_up = Some(FollowUpMessage { session: session.to_owned(), message });
            }
            None => self.messages = vec![message],
        }
        if works(state) {
            if self.task.annotation.is_some() {
                self.emit(TaskEvent::TaskAnnotated { annotation: None });
            }
            return self.start_state_work();
        }
        let targets = self.move_targets(state);
        let target: Option<StateRef> =
            targets.iter().find(|target| self.resolve(target).is_ok_and(works)).cloned();
        let Some(target) = target else {
            return Err(Refusal::InvalidField {
                field: "execution",
                problem: format!(
                    "from \"{}\" the task cannot go back to the work of {role}; move it on the board first",
                    state.name
                ),
            });
        };
        self.check_move(state, &target)?;
        let reason = "follow-up";
        self.close_left_state(state, &target, Some(reason))?;
        self.enter_state(&target, false, Some(reason))
    }
}

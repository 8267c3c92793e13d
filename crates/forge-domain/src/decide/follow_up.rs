//! Another message for an agent that has ended its turn (E-7).

use super::draft::Draft;
use crate::task::FollowUp;
use crate::workflow::{Behaviour, RoleName, State, StateRef};
use crate::{AgentId, Assignee, Event, Refusal};

impl Draft<'_> {
    /// Opens a run that goes on with a conversation: here if the task is where that role works, else there, if the task
    /// can be moved there by hand.
    pub(super) fn follow_up(
        &mut self,
        role: &RoleName,
        agent: AgentId,
        follow_up: &FollowUp,
    ) -> Result<(), Refusal> {
        if !self.actor().is_person() {
            return Err(Refusal::PeopleOnly("send a follow-up"));
        }
        let state = self.state()?;
        if state.is_terminal() {
            return Err(Refusal::TaskTerminal { key: self.task.key() });
        }
        if self.task.run.is_some() || self.task.activity.is_some() {
            let key = self.task.key();
            return Err(Refusal::WorkspaceLocked { key, holder: "another step".to_owned() });
        }
        if self.task.roles.get(role) != Some(&Assignee::Agent { id: agent }) {
            return Err(Refusal::InvalidField {
                field: "execution",
                problem: format!(
                    "its agent does not hold the role {role} any more; give it back first"
                ),
            });
        }
        self.check_paid(Assignee::Agent { id: agent })?;
        let works = |state: &State| matches!(&state.behaviour, Behaviour::Work { role: here, .. } if here == role);
        self.follow_up = Some(follow_up.clone());
        if works(state) {
            if self.task.annotation.is_some() {
                self.emit(Event::TaskAnnotated { annotation: None });
            }
            return self.begin();
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
        self.leave(state, &target, Some(reason))?;
        self.arrive(&target, false, Some(reason))
    }
}

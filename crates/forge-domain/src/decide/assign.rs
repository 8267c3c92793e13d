//! Roles (T-14). One role carries the task: who gets it starts from the queue.

use super::draft::Draft;
use crate::command::Reset;
use crate::task::Activity;
use crate::workflow::{Behaviour, RoleName, Workflow};
use crate::{Assignee, Effect, Event, Refusal};

impl Draft<'_> {
    pub(super) fn assign(
        &mut self,
        role: &RoleName,
        assignee: Assignee,
        reset: Reset,
    ) -> Result<(), Refusal> {
        if !self.actor().is_person() {
            return Err(Refusal::PeopleOnly("change who holds a role"));
        }
        let state = self.state()?;
        if state.is_terminal() {
            return Err(Refusal::TaskTerminal { key: self.task.key() });
        }
        check_role(self.workflow, role)?;
        let carries = self.workflow.claim_role().as_ref() == Some(role);
        if carries && self.task.activity == Some(Activity::Landing) {
            return Err(Refusal::Landing { key: self.task.key() });
        }
        if carries && reset != Reset::Nothing {
            self.check_no_turn_at_work()?;
        }
        self.emit(Event::TaskAssigned { role: role.clone(), assignee });
        if !carries {
            // A run of this role that waits for its agent's allowance need not wait for that of another.
            let waits = self.task.postponed.as_ref();
            let waits = waits.is_some_and(|waits| waits.role == *role);
            return if waits { self.begin_postponed() } else { Ok(()) };
        }
        if let Some(review) = self.task.review {
            self.overtake_review(review);
        }
        if self.task.review_passed_at.is_some() {
            self.emit(Event::TaskUnpassed);
        }
        if let (false, Some(pool)) =
            (matches!(state.behaviour, Behaviour::Queue { .. }), self.workflow.pool())
        {
            self.arrive(&pool, false, Some("reassigned"))?;
        }
        self.reset(reset);
        Ok(())
    }

    fn reset(&mut self, reset: Reset) {
        if self.task.workspace.is_none() {
            return;
        }
        match reset {
            Reset::Nothing => {}
            Reset::Worktree => self.want(Effect::ResetWorktree),
            Reset::Workspace => self.want(Effect::CleanWorkspace { retire_branch: true }),
        }
    }
}

/// The workflow must know the role.
pub(super) fn check_role(workflow: &Workflow, role: &RoleName) -> Result<(), Refusal> {
    if workflow.roles().any(|known| known == role) {
        return Ok(());
    }
    let roles = workflow.roles().map(ToString::to_string).collect();
    Err(Refusal::UnknownRole { role: role.clone(), roles })
}

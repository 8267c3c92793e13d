//! Assigns roles (T-14). A new holder of the claim role starts from the queue.

use crate::command::ResetScope;
use crate::decide::decision_builder::DecisionBuilder;
use crate::task::TaskActivity;
use crate::workflow::{RoleName, StateBehaviour, Workflow};
use crate::{Assignee, Effect, Refusal, TaskEvent};

impl DecisionBuilder<'_> {
    pub(crate) fn assign(
        &mut self,
        role: &RoleName,
        assignee: Assignee,
        reset: ResetScope,
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
        if carries && self.task.activity == Some(TaskActivity::Landing) {
            return Err(Refusal::Landing { key: self.task.key() });
        }
        if carries && reset != ResetScope::Nothing {
            self.check_no_turn_at_work()?;
        }
        let overrides = Box::default();
        self.emit(TaskEvent::TaskAssigned { role: role.clone(), assignee, overrides });
        if !carries {
            // An execution of this role that waits for the quota of the old agent can start with the new one.
            let waits = self.task.postponed.as_ref();
            let waits = waits.is_some_and(|waits| waits.role == *role);
            return if waits { self.start_postponed() } else { Ok(()) };
        }
        if let Some(review) = self.task.review {
            self.abandon_review(review);
        }
        if self.task.review_passed_at.is_some() {
            self.emit(TaskEvent::TaskUnpassed);
        }
        if let (false, Some(pool)) =
            (matches!(state.behaviour, StateBehaviour::Queue { .. }), self.workflow.claim_queue())
        {
            self.enter_state(&pool, false, Some("reassigned"))?;
        }
        self.reset(reset);
        Ok(())
    }

    /// Takes away the roles that this assignee holds. A task that has ended keeps them as its history.
    pub(crate) fn release_roles(&mut self, holder: Assignee) -> Result<(), Refusal> {
        if !self.actor().is_person() {
            return Err(Refusal::PeopleOnly("change who holds a role"));
        }
        if self.state()?.is_terminal() {
            return Ok(());
        }
        let held = self.task.roles.iter().filter(|(_, assignee)| **assignee == holder);
        let released: Vec<_> = held.map(|(role, _)| role.clone()).collect();
        if !released.is_empty() {
            self.emit(TaskEvent::TaskUnassigned { released });
        }
        Ok(())
    }

    fn reset(&mut self, reset: ResetScope) {
        if self.task.workspace.is_none() {
            return;
        }
        match reset {
            ResetScope::Nothing => {}
            ResetScope::Worktree => self.plan_effect(Effect::ResetWorktree),
            ResetScope::Workspace => {
                self.plan_effect(Effect::CleanWorkspace { retire_branch: true })
            }
        }
    }
}

/// Checks that the workflow has the role.
pub(crate) fn check_role(workflow: &Workflow, role: &RoleName) -> Result<(), Refusal> {
    if workflow.roles().any(|known| known == role) {
        return Ok(());
    }
    let roles = workflow.roles().map(ToString::to_string).collect();
    Err(Refusal::UnknownRole { role: role.clone(), roles })
}

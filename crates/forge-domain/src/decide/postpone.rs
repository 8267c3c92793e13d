//! Runs that begin later by themselves: when an allowance is back (E-9) or a budget is raised (E-8). Nobody's place is
//! taken up meanwhile.

use super::draft::Draft;
use crate::task::{AnnotationType, Postponed, Postponement, Purpose};
use crate::workflow::{Behaviour, RoleName};
use crate::{AgentId, Assignee, BudgetOwner, Effect, Event, Overspent, Refusal};

/// A raised budget is noticed at once; this is for what raises one without saying so.
const LOOK_AGAIN_SECONDS: u64 = 86_400;

impl Draft<'_> {
    /// The budget that is used up, if one is: the task's before the project's, since it is the nearer one to raise.
    pub(super) fn overspent(&self) -> Option<Overspent> {
        let facts = &self.facts.budget;
        let of = |owner, spent| Overspent { owner, spent };
        let task = self.task.budget.spent(facts.used_by_task.plus(self.just_used));
        let project = facts.of_project.spent(facts.used_by_project.plus(self.just_used));
        task.map(|spent| of(BudgetOwner::Task, spent))
            .or(project.map(|spent| of(BudgetOwner::Project, spent)))
    }

    /// Whether one more run of theirs may begin. People work for nothing.
    pub(super) fn check_paid(&self, assignee: Assignee) -> Result<(), Refusal> {
        match (assignee.agent(), self.overspent()) {
            (Some(_), Some(overspent)) => Err(Refusal::BudgetExhausted(overspent)),
            _ => Ok(()),
        }
    }

    /// E-8: the run that would begin now begins when the budget is raised.
    pub(super) fn wait_for_budget(
        &mut self,
        role: &RoleName,
        purpose: Purpose,
        agent: AgentId,
        overspent: Overspent,
    ) {
        let follow_up = self.follow_up.take();
        let messages = std::mem::take(&mut self.messages);
        let (role, cause) = (role.clone(), Postponement::Budget);
        self.postpone(Postponed { role, agent, purpose, follow_up, messages, cause });
        self.want_at(Effect::AwaitBudget, self.now().plus_seconds(LOOK_AGAIN_SECONDS));
        let details = serde_json::json!({ "budget": overspent });
        self.annotate(AnnotationType::BudgetExhausted, overspent.to_string(), details);
    }

    /// Notes what begins later.
    pub(super) fn postpone(&mut self, postponed: Postponed) {
        self.emit(Event::ExecutionPostponed { postponed: Some(Box::new(postponed)) });
    }

    /// What it waited for may be there: it is tried.
    pub(super) fn begin_postponed(&mut self) -> Result<(), Refusal> {
        let Some(waited) = self.task.postponed.clone() else { return Ok(()) };
        self.end_wait();
        self.messages.clone_from(&waited.messages);
        let state = self.state()?;
        match (&state.behaviour, self.task.review) {
            (Behaviour::Work { role, .. }, _) => {
                self.follow_up = waited.follow_up.filter(|_| *role == waited.role);
                self.begin()
            }
            (Behaviour::Gate { role: Some(role), .. }, Some(_)) => {
                self.follow_up = waited.follow_up.filter(|_| *role == waited.role);
                self.open_run(role, Purpose::Judge)
            }
            // The workflow was replaced by one in which nobody works here.
            _ => {
                self.forget_postponed();
                Ok(())
            }
        }
    }

    /// A budget was changed: what waited for it goes on, if it can.
    pub(super) fn begin_if_paid(&mut self) -> Result<(), Refusal> {
        let waits = self.task.postponed.as_ref();
        let waits = waits.is_some_and(|waits| waits.cause == Postponement::Budget);
        if waits && self.overspent().is_none() { self.begin_postponed() } else { Ok(()) }
    }

    /// Nothing begins by itself any more.
    pub(super) fn forget_postponed(&mut self) {
        if self.task.postponed.is_some() {
            self.supersede();
            self.emit(Event::ExecutionPostponed { postponed: None });
        }
    }

    /// The wait is over.
    pub(super) fn end_wait(&mut self) {
        let trouble = self.task.annotation.as_ref().map(|note| note.kind);
        if matches!(trouble, Some(AnnotationType::QuotaWait | AnnotationType::BudgetExhausted)) {
            self.emit(Event::TaskAnnotated { annotation: None });
        }
    }
}

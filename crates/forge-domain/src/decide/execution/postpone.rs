//! Executions that start later by themselves: when a quota is available again, the agent is signed in (E-9), or a
//! budget is raised (E-8). They do not use up any agent's capacity while they wait.

use crate::decide::decision_builder::DecisionBuilder;
use crate::task::{AnnotationType, ExecutionPurpose, PostponeCause, PostponedExecution};
use crate::workflow::{RoleName, StateBehaviour};
use crate::{AgentId, Assignee, BudgetOwner, Effect, ExhaustedBudget, Refusal, TaskEvent};

/// A raised budget starts the execution at once; this delay covers changes that send no signal.
const LOOK_AGAIN_SECONDS: u64 = 86_400;

impl DecisionBuilder<'_> {
    /// The exhausted budget, if there is one. The task's budget comes first, because it is the easier one to raise.
    pub(crate) fn exhausted_budget(&self) -> Option<ExhaustedBudget> {
        let facts = &self.facts.budget;
        let of = |owner, spent| ExhaustedBudget { owner, spent };
        let task = self.task.budget.reached_limit(facts.used_by_task.plus(self.unrecorded_usage));
        let project =
            facts.of_project.reached_limit(facts.used_by_project.plus(self.unrecorded_usage));
        task.map(|spent| of(BudgetOwner::Task, spent))
            .or(project.map(|spent| of(BudgetOwner::Project, spent)))
    }

    /// Checks that the assignee may start another execution. People have no budget.
    pub(crate) fn check_budget_left(&self, assignee: Assignee) -> Result<(), Refusal> {
        match (assignee.agent(), self.exhausted_budget()) {
            (Some(_), Some(overspent)) => Err(Refusal::BudgetExhausted(overspent)),
            _ => Ok(()),
        }
    }

    /// E-8: postpones the execution until the budget is raised.
    pub(crate) fn wait_for_budget(
        &mut self,
        role: &RoleName,
        purpose: ExecutionPurpose,
        agent: AgentId,
        overspent: ExhaustedBudget,
    ) {
        let follow_up = self.follow_up.take();
        let messages = std::mem::take(&mut self.messages);
        let (role, cause) = (role.clone(), PostponeCause::Budget);
        self.postpone(PostponedExecution { role, agent, purpose, follow_up, messages, cause });
        self.plan_effect_at(Effect::AwaitBudget, self.now().plus_seconds(LOOK_AGAIN_SECONDS));
        let details = serde_json::json!({ "budget": overspent });
        self.annotate(AnnotationType::BudgetExhausted, overspent.to_string(), details);
    }

    /// Records the postponed execution.
    pub(crate) fn postpone(&mut self, postponed: PostponedExecution) {
        self.emit(TaskEvent::ExecutionPostponed { postponed: Some(Box::new(postponed)) });
    }

    /// Tries to start the postponed execution, because its cause may be gone.
    pub(crate) fn start_postponed(&mut self) -> Result<(), Refusal> {
        let Some(waited) = self.task.postponed.clone() else { return Ok(()) };
        self.clear_wait_annotation();
        self.messages.clone_from(&waited.messages);
        let state = self.state()?;
        match (&state.behaviour, self.task.review) {
            (StateBehaviour::Work { role, .. }, _) => {
                self.follow_up = waited.follow_up.filter(|_| *role == waited.role);
                self.start_state_work()
            }
            (StateBehaviour::Gate { role: Some(role), .. }, Some(_)) => {
                self.follow_up = waited.follow_up.filter(|_| *role == waited.role);
                self.open_execution(role, ExecutionPurpose::Judge)
            }
            // The workflow was replaced by one in which this state has no role.
            _ => {
                self.cancel_postponed();
                Ok(())
            }
        }
    }

    /// Starts an execution that waited for a budget, if the changed budget allows it.
    pub(crate) fn start_postponed_if_funded(&mut self) -> Result<(), Refusal> {
        let waits = self.task.postponed.as_ref();
        let waits = waits.is_some_and(|waits| waits.cause == PostponeCause::Budget);
        if waits && self.exhausted_budget().is_none() { self.start_postponed() } else { Ok(()) }
    }

    /// Cancels the postponed execution.
    pub(crate) fn cancel_postponed(&mut self) {
        if self.task.postponed.is_some() {
            self.supersede_pending();
            self.emit(TaskEvent::ExecutionPostponed { postponed: None });
        }
    }

    /// Clears the annotation of a wait that has ended.
    pub(crate) fn clear_wait_annotation(&mut self) {
        let trouble = self.task.annotation.as_ref().map(|note| note.kind);
        let waits = matches!(
            trouble,
            Some(
                AnnotationType::QuotaWait
                    | AnnotationType::NotSignedIn
                    | AnnotationType::BudgetExhausted
            )
        );
        if waits {
            self.emit(TaskEvent::TaskAnnotated { annotation: None });
        }
    }
}

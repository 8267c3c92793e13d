//! Guards that apply only to the scheduler (E-10): it assigns a task only if no user or other agent holds it, if the
//! project has dispatch switched on, and within the project's limit. They are checked in the transaction of the claim,
//! so that two nodes cannot exceed the limit together.

use crate::decide::decision_builder::DecisionBuilder;
use crate::workflow::RoleName;
use crate::{Assignee, DispatchRefusal, Refusal};

impl DecisionBuilder<'_> {
    pub(crate) fn check_dispatch(&self, claimer: Assignee, role: &RoleName) -> Result<(), Refusal> {
        let Some(facts) = self.facts.dispatch else { return Ok(()) };
        let full = facts.max_concurrent.filter(|max| facts.running >= *max);
        let hindrance = if !facts.is_on {
            DispatchRefusal::Off
        } else if self.task.annotation.is_some() {
            DispatchRefusal::NeedsAttention
        } else if self.task.roles.get(role).is_some_and(|holder| *holder != claimer) {
            DispatchRefusal::RoleHeld
        } else if self.facts.claimer.is_some_and(|agent| agent.quota_wait) {
            DispatchRefusal::QuotaWait
        } else if let Some(max) = full {
            DispatchRefusal::ProjectAtCapacity { running: facts.running, max }
        } else {
            return Ok(());
        };
        Err(Refusal::NotDispatched(hindrance))
    }
}

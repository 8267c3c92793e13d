//! What binds the scheduler and nobody else (E-10): it gives out only what nobody has laid a hand on, where it is wanted,
//! and within the project's limit. Checked in the transaction of the claim, so that two nodes cannot pass it together.

use super::draft::Draft;
use crate::workflow::RoleName;
use crate::{Assignee, NotDispatched, Refusal};

impl Draft<'_> {
    pub(super) fn check_dispatch(&self, claimer: Assignee, role: &RoleName) -> Result<(), Refusal> {
        let Some(facts) = self.facts.dispatch else { return Ok(()) };
        let full = facts.max_concurrent.filter(|max| facts.running >= *max);
        let hindrance = if !facts.on {
            NotDispatched::Off
        } else if self.task.annotation.is_some() {
            NotDispatched::NeedsAttention
        } else if self.task.roles.get(role).is_some_and(|holder| *holder != claimer) {
            NotDispatched::Held
        } else if self.facts.claimer.is_some_and(|agent| agent.quota_wait) {
            NotDispatched::QuotaWait
        } else if let Some(max) = full {
            NotDispatched::ProjectAtCapacity { running: facts.running, max }
        } else {
            return Ok(());
        };
        Err(Refusal::NotDispatched(hindrance))
    }
}

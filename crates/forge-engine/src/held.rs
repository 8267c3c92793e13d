//! The steps this process is carrying out right now. Only these leases are kept alive: one whose worker is gone, for
//! whatever reason, runs out and is taken up again.

use forge_domain::EffectId;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The steps under way.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeldSteps(Arc<Mutex<HashSet<EffectId>>>);

/// One step under way; it is let go when this value is.
#[derive(Debug)]
pub(crate) struct HeldStep {
    steps: HeldSteps,
    id: EffectId,
}

impl HeldSteps {
    /// Begins a step, unless it is under way already.
    pub(crate) fn begin(&self, id: EffectId) -> Option<HeldStep> {
        self.set().insert(id).then(|| HeldStep { steps: self.clone(), id })
    }

    /// All that are under way.
    pub(crate) fn ids(&self) -> Vec<EffectId> {
        self.set().iter().copied().collect()
    }

    fn set(&self) -> MutexGuard<'_, HashSet<EffectId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for HeldStep {
    fn drop(&mut self) {
        self.steps.set().remove(&self.id);
    }
}

//! The effects that this process performs right now. Only their leases are renewed: the lease of a dead worker expires,
//! and the effect is leased again.

use forge_domain::EffectId;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The effects in progress.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeldEffects(Arc<Mutex<HashSet<EffectId>>>);

/// One effect in progress; dropping this value ends it.
#[derive(Debug)]
pub(crate) struct HeldEffect {
    effects: HeldEffects,
    id: EffectId,
}

impl HeldEffects {
    /// Registers an effect, unless it is already in progress.
    pub(crate) fn begin(&self, id: EffectId) -> Option<HeldEffect> {
        self.set().insert(id).then(|| HeldEffect { effects: self.clone(), id })
    }

    /// The ids of all effects in progress.
    pub(crate) fn ids(&self) -> Vec<EffectId> {
        self.set().iter().copied().collect()
    }

    fn set(&self) -> MutexGuard<'_, HashSet<EffectId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for HeldEffect {
    fn drop(&mut self) {
        self.effects.set().remove(&self.id);
    }
}

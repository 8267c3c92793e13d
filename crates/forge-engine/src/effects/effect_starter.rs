//! Hands effects from commits to the executor.

use crate::effects::executor::{EffectExecutor, ExecutorParts};
use forge_store::tables::effects::EffectRow;
use std::sync::{Arc, OnceLock, Weak};

/// Starts the effects that a commit leased. An executor performs effects and effects commit, so the two need each
/// other: the executor is set once when the engine starts, and does not live longer because of this handle.
#[derive(Debug, Clone, Default)]
pub(crate) struct EffectStarter(Arc<OnceLock<Weak<ExecutorParts>>>);

impl EffectStarter {
    /// Sets the executor; only the first call counts.
    pub(crate) fn connect(&self, executor: &EffectExecutor) {
        self.0.get_or_init(|| executor.downgrade());
    }

    /// Starts the effects at once. Without an executor their leases expire, and the next one performs them.
    pub(crate) fn start(&self, leased: Vec<EffectRow>) {
        if let Some(executor) = self.0.get().and_then(EffectExecutor::upgrade) {
            executor.start_leased_effects(leased);
        }
    }
}

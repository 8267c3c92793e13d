//! Tracks whether this engine performs effects right now.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of executor loops of this engine that perform effects.
#[derive(Debug, Clone, Default)]
pub(crate) struct ExecutorLoops(Arc<AtomicUsize>);

/// Counts one executor loop; dropping it ends the loop.
#[derive(Debug)]
pub(crate) struct ExecutorLoopGuard(ExecutorLoops);

impl ExecutorLoops {
    /// Registers one executor loop.
    pub(crate) fn begin(&self) -> ExecutorLoopGuard {
        self.0.fetch_add(1, Ordering::Relaxed);
        ExecutorLoopGuard(self.clone())
    }

    /// Whether at least one executor loop runs.
    pub(crate) fn is_executing(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

impl Drop for ExecutorLoopGuard {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

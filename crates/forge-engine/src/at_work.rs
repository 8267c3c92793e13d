//! Whether this engine carries out steps right now.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many loops of this engine carry out steps.
#[derive(Debug, Clone, Default)]
pub(crate) struct AtWork(Arc<AtomicUsize>);

/// One of them; it is over when this value is dropped.
#[derive(Debug)]
pub(crate) struct Working(AtWork);

impl AtWork {
    /// Begins.
    pub(crate) fn begin(&self) -> Working {
        self.0.fetch_add(1, Ordering::Relaxed);
        Working(self.clone())
    }

    /// Whether anybody has begun and not ended.
    pub(crate) fn is_so(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

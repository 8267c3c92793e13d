use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Somebody who waits for files that threads write. Dropped, the threads stop soon.
#[derive(Debug, Default)]
pub(super) struct Interest(Arc<AtomicBool>);

impl Interest {
    /// For the threads: whether nobody waits any more.
    pub(super) fn stopped(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for Interest {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

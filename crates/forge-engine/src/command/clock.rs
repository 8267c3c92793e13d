//! The clock, injected so that tests control time.

use forge_domain::Timestamp;
use futures::future::BoxFuture;
use std::fmt::Debug;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Source of time: the system, or a manual clock in tests.
pub trait Clock: Send + Sync + Debug {
    /// Returns the current time.
    fn now(&self) -> Timestamp;

    /// Completes once `at` is reached.
    fn wait_until(&self, at: Timestamp) -> BoxFuture<'_, ()>;
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the machine's clock"
    )]
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that waits for the machine's clock"
    )]
    fn wait_until(&self, at: Timestamp) -> BoxFuture<'_, ()> {
        let left = at.millis().saturating_sub(self.now().millis());
        Box::pin(tokio::time::sleep(Duration::from_millis(u64::try_from(left).unwrap_or(0))))
    }
}

//! Time that moves when a test says so.

use forge_domain::Timestamp;
use forge_engine::Clock;
use futures::future::BoxFuture;
use tokio::sync::watch;

/// A clock moved by hand.
#[derive(Debug)]
pub struct HandClock(watch::Sender<i64>);

impl HandClock {
    /// Stands at a fixed moment of 2026.
    pub fn new() -> Self {
        Self(watch::Sender::new(1_767_225_600_000))
    }

    /// Moves on to `at`; never back.
    pub fn advance_to(&self, at: Timestamp) {
        self.0.send_modify(|now| *now = (*now).max(at.millis()));
    }
}

impl Default for HandClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(*self.0.borrow())
    }

    fn wait_until(&self, at: Timestamp) -> BoxFuture<'_, ()> {
        let mut now = self.0.subscribe();
        Box::pin(async move {
            // The sender lives in the clock itself, so waiting cannot end early.
            let _ = now.wait_for(|now| *now >= at.millis()).await;
        })
    }
}

//! A clock that tests control.

use forge_domain::Timestamp;
use forge_engine::Clock;
use futures::future::BoxFuture;
use std::collections::BTreeMap;
use tokio::sync::watch;

/// A clock that a test advances.
#[derive(Debug)]
pub struct ManualClock {
    now: watch::Sender<i64>,
    /// The awaited timestamps, each with the number of waiters.
    awaited: watch::Sender<BTreeMap<i64, usize>>,
}

/// Registers one waiter for a timestamp.
struct ClockWaiter<'a> {
    awaited: &'a watch::Sender<BTreeMap<i64, usize>>,
    at: i64,
}

impl ManualClock {
    /// Starts at a fixed time in 2026.
    pub fn new() -> Self {
        Self { now: watch::Sender::new(1_767_225_600_000), awaited: watch::Sender::default() }
    }

    /// Advances to `at`; never moves back.
    pub fn advance_to(&self, at: Timestamp) {
        self.now.send_modify(|now| *now = (*now).max(at.millis()));
    }

    /// Returns once a task waits for exactly this time.
    pub async fn wait_until_awaited(&self, at: Timestamp) {
        let mut awaited = self.awaited.subscribe();
        // The sender lives in the clock itself, so waiting cannot end early.
        let _ = awaited.wait_for(|awaited| awaited.contains_key(&at.millis())).await;
    }
}

impl Default for ManualClock {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> ClockWaiter<'a> {
    fn register(awaited: &'a watch::Sender<BTreeMap<i64, usize>>, at: i64) -> Self {
        awaited.send_modify(|awaited| *awaited.entry(at).or_default() += 1);
        Self { awaited, at }
    }
}

impl Drop for ClockWaiter<'_> {
    fn drop(&mut self) {
        self.awaited.send_modify(|awaited| {
            if let Some(count) = awaited.get_mut(&self.at) {
                *count -= 1;
                if *count == 0 {
                    awaited.remove(&self.at);
                }
            }
        });
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(*self.now.borrow())
    }

    fn wait_until(&self, at: Timestamp) -> BoxFuture<'_, ()> {
        let mut now = self.now.subscribe();
        Box::pin(async move {
            let _waiting = ClockWaiter::register(&self.awaited, at.millis());
            let _ = now.wait_for(|now| *now >= at.millis()).await;
        })
    }
}

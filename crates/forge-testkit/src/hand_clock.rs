//! Time that moves when a test says so.

use forge_domain::Timestamp;
use forge_engine::Clock;
use futures::future::BoxFuture;
use std::collections::BTreeMap;
use tokio::sync::watch;

/// A clock moved by hand.
#[derive(Debug)]
pub struct HandClock {
    now: watch::Sender<i64>,
    /// For which moments somebody waits, and how many.
    awaited: watch::Sender<BTreeMap<i64, usize>>,
}

/// Somebody who waits for a moment.
struct Waiting<'a> {
    awaited: &'a watch::Sender<BTreeMap<i64, usize>>,
    at: i64,
}

impl HandClock {
    /// Stands at a fixed moment of 2026.
    pub fn new() -> Self {
        Self { now: watch::Sender::new(1_767_225_600_000), awaited: watch::Sender::default() }
    }

    /// Moves on to `at`; never back.
    pub fn advance_to(&self, at: Timestamp) {
        self.now.send_modify(|now| *now = (*now).max(at.millis()));
    }

    /// Returns once somebody waits for exactly this moment.
    pub async fn until_awaited(&self, at: Timestamp) {
        let mut awaited = self.awaited.subscribe();
        // The sender lives in the clock itself, so waiting cannot end early.
        let _ = awaited.wait_for(|awaited| awaited.contains_key(&at.millis())).await;
    }
}

impl Default for HandClock {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Waiting<'a> {
    fn begin(awaited: &'a watch::Sender<BTreeMap<i64, usize>>, at: i64) -> Self {
        awaited.send_modify(|awaited| *awaited.entry(at).or_default() += 1);
        Self { awaited, at }
    }
}

impl Drop for Waiting<'_> {
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

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(*self.now.borrow())
    }

    fn wait_until(&self, at: Timestamp) -> BoxFuture<'_, ()> {
        let mut now = self.now.subscribe();
        Box::pin(async move {
            let _waiting = Waiting::begin(&self.awaited, at.millis());
            let _ = now.wait_for(|now| *now >= at.millis()).await;
        })
    }
}

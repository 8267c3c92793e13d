use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

/// Subject of a wake-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WakeChannel {
    /// Events were appended.
    Events,
    /// Effects were written or became due.
    Effects,
    /// A task became assignable, or an agent has free capacity again.
    Dispatch,
}

impl WakeChannel {
    const ALL: [Self; 3] = [Self::Events, Self::Effects, Self::Dispatch];
}

/// A hint that something was committed. It can be late, duplicated or missing, so subscribers also sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WakeHint {
    pub channel: WakeChannel,
    /// The changed record, such as a project's id; `None` means everything, because hints may have been lost.
    pub about: Option<String>,
}

impl WakeHint {
    /// A notification of PostgreSQL carries less than 8,000 bytes.
    const MAX_ABOUT: usize = 512;

    pub(crate) fn new(channel: WakeChannel, about: &str) -> Self {
        let fits = about.len() <= Self::MAX_ABOUT;
        Self { channel, about: fits.then(|| about.to_owned()) }
    }
}

/// The in-process side of wake-ups: all subscribers of this `Db` and its clones.
#[derive(Clone, Debug)]
pub(crate) struct WakeBroadcaster(broadcast::Sender<WakeHint>);

impl WakeBroadcaster {
    const BACKLOG: usize = 1024;

    pub(crate) fn new() -> Self {
        Self(broadcast::Sender::new(Self::BACKLOG))
    }

    pub(crate) fn deliver(&self, wake: WakeHint) {
        // Having no subscriber is not an error.
        let _ = self.0.send(wake);
    }

    pub(crate) fn deliver_everything(&self) {
        for channel in WakeChannel::ALL {
            self.deliver(WakeHint { channel, about: None });
        }
    }

    pub(crate) fn subscribe(&self, channel: WakeChannel) -> WakeSubscription {
        WakeSubscription { channel, wakes: self.0.subscribe() }
    }
}

/// A subscriber's end of one channel.
#[derive(Debug)]
pub struct WakeSubscription {
    channel: WakeChannel,
    wakes: broadcast::Receiver<WakeHint>,
}

impl WakeSubscription {
    /// The next hint; `None` once the database is closed. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<WakeHint> {
        loop {
            match self.wakes.recv().await {
                Ok(wake) if wake.channel == self.channel => return Some(wake),
                Ok(_) => {}
                Err(broadcast::error::RecvError::Lagged(_)) => {
                    return Some(WakeHint { channel: self.channel, about: None });
                }
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use super::*;

    #[tokio::test]
    async fn d_1_a_slow_subscriber_gets_a_hint_about_everything() {
        let wakes = WakeBroadcaster::new();
        let mut subscription = wakes.subscribe(WakeChannel::Events);
        for number in 0..=WakeBroadcaster::BACKLOG * 2 {
            wakes.deliver(WakeHint::new(WakeChannel::Events, &number.to_string()));
        }
        let first = subscription.next().await.expect("the sender lives");
        assert_eq!(first.about, None);
        let second = subscription.next().await.expect("the sender lives");
        assert!(second.about.is_some());
    }

    #[tokio::test]
    async fn d_1_a_subject_too_long_to_carry_becomes_a_hint_about_everything() {
        assert_eq!(WakeHint::new(WakeChannel::Effects, &"x".repeat(100_000)).about, None);
    }
}

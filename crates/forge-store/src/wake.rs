use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

/// What a wake-up is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// Events were appended.
    Events,
    /// Effects were written or became due.
    Effects,
    /// A task can be given out that could not before, or somebody has room who had none.
    Dispatch,
}

impl Channel {
    const ALL: [Self; 3] = [Self::Events, Self::Effects, Self::Dispatch];
}

/// A hint that something was committed. It can be late, doubled or missing: whoever listens also sweeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wake {
    /// What changed.
    pub channel: Channel,
    /// Which one, such as a project's id; `None` means look at everything, for some hints may have been lost.
    pub about: Option<String>,
}

impl Wake {
    /// PostgreSQL carries less than 8,000 bytes.
    const MAX_ABOUT: usize = 512;

    pub(crate) fn new(channel: Channel, about: &str) -> Self {
        let fits = about.len() <= Self::MAX_ABOUT;
        Self { channel, about: fits.then(|| about.to_owned()) }
    }
}

/// The in-process side of wake-ups: every subscriber of this `Db` and its clones.
#[derive(Clone, Debug)]
pub(crate) struct Wakes(broadcast::Sender<Wake>);

impl Wakes {
    const BACKLOG: usize = 1024;

    pub(crate) fn new() -> Self {
        Self(broadcast::Sender::new(Self::BACKLOG))
    }

    pub(crate) fn deliver(&self, wake: Wake) {
        // No subscriber is not an error: nobody is waiting.
        let _ = self.0.send(wake);
    }

    pub(crate) fn deliver_everything(&self) {
        for channel in Channel::ALL {
            self.deliver(Wake { channel, about: None });
        }
    }

    pub(crate) fn subscribe(&self, channel: Channel) -> Subscription {
        Subscription { channel, wakes: self.0.subscribe() }
    }
}

/// A subscriber's end of one channel.
#[derive(Debug)]
pub struct Subscription {
    channel: Channel,
    wakes: broadcast::Receiver<Wake>,
}

impl Subscription {
    /// The next hint; `None` once the database is gone. Safe to drop while waiting: nothing is lost by it.
    pub async fn next(&mut self) -> Option<Wake> {
        loop {
            match self.wakes.recv().await {
                Ok(wake) if wake.channel == self.channel => return Some(wake),
                Ok(_) => {}
                Err(broadcast::error::RecvError::Lagged(_)) => {
                    return Some(Wake { channel: self.channel, about: None });
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
    async fn d_1_a_slow_subscriber_is_told_to_look_at_everything() {
        let wakes = Wakes::new();
        let mut subscription = wakes.subscribe(Channel::Events);
        for number in 0..=Wakes::BACKLOG * 2 {
            wakes.deliver(Wake::new(Channel::Events, &number.to_string()));
        }
        let first = subscription.next().await.expect("the sender lives");
        assert_eq!(first.about, None);
        let second = subscription.next().await.expect("the sender lives");
        assert!(second.about.is_some());
    }

    #[tokio::test]
    async fn d_1_a_subject_too_long_to_carry_becomes_a_hint_about_everything() {
        assert_eq!(Wake::new(Channel::Effects, &"x".repeat(100_000)).about, None);
    }
}

//! Identifiers. Each kind of record has its own type, so that ids cannot be mixed up.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// Wraps an identifier that was read or made elsewhere.
            pub const fn new(id: Uuid) -> Self {
                Self(id)
            }

            /// The wrapped UUID.
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    )+};
}

ids! {
    /// Id of an agent.
    AgentId,
    /// Id of a command; every identifier that a decision needs is derived from it.
    CommandId,
    /// Id of a comment on a task.
    CommentId,
    /// Id of a durable effect.
    EffectId,
    /// Id of an execution: one run of one agent or person on one task.
    ExecutionId,
    /// Id of a project.
    ProjectId,
    /// Id of a repository of a project.
    RepoId,
    /// Id of a review: one attempt of a task at a gate.
    ReviewId,
    /// Id of a task.
    TaskId,
    /// Id of an access token.
    TokenId,
    /// Id of a user.
    UserId,
    /// Id of a webhook of a project.
    WebhookId,
}

impl CommandId {
    /// The `n`-th identifier derived from this command. The same command always yields the same ones, so a decision
    /// repeated after a crash uses the same ids. All but the last 32 bits stay, among them the timestamp and its
    /// counter: ids of a later command sort after.
    pub fn derive(self, n: u32) -> Uuid {
        let (high, low) = self.0.as_u64_pair();
        let own = u32::try_from(low & u64::from(u32::MAX)).unwrap_or_default();
        let rest = low >> 32 << 32;
        Uuid::from_u64_pair(high, rest | u64::from(mix(own ^ mix(n.wrapping_add(1)))))
    }
}

/// A bijective mix (two rounds of shift and multiply): neighbouring counters give unrelated bits.
fn mix(mut x: u32) -> u32 {
    x = (x ^ (x >> 16)).wrapping_mul(0x21f0_aaad);
    x = (x ^ (x >> 15)).wrapping_mul(0x735a_2d97);
    x ^ (x >> 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_ids_are_stable_distinct_and_version_7() {
        let command =
            CommandId::new(Uuid::from_u64_pair(0x0190_0000_0000_7abc, 0x8000_0000_0000_0001));
        let ids: std::collections::BTreeSet<_> = (0..1000).map(|n| command.derive(n)).collect();
        assert_eq!(ids.len(), 1000);
        assert_eq!(command.derive(3), command.derive(3));
        assert!(ids.iter().all(|id| id.get_version_num() == 7));
        let later =
            CommandId::new(Uuid::from_u64_pair(0x0190_0000_0000_7abc, 0x8000_0001_0000_0000));
        assert!(ids.last() < Some(&later.derive(0)));
    }
}

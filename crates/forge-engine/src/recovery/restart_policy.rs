//! What happens to agents when their server stops.

use std::str::FromStr;

/// The policy of a start for agents that the last run left, and of an orderly stop for running agents (E-12, E-13).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RestartPolicy {
    /// Agents continue without a server, and the next server adopts them.
    #[default]
    Adopt,
    /// Agents are ended, their work is kept, and they start again.
    End,
}

impl FromStr for RestartPolicy {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "adopt" => Ok(Self::Adopt),
            "end" => Ok(Self::End),
            _ => Err("is not `adopt` or `end`"),
        }
    }
}

//! What becomes of agents when their server ends.

use std::str::FromStr;

/// What a start does with agents that the run before left at work, and an orderly stop with those that still are (E-12,
/// E-13).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnRestart {
    /// They go on without a server, and the next one goes on with them.
    #[default]
    Adopt,
    /// They are ended, their work is kept, and they begin again.
    End,
}

impl FromStr for OnRestart {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "adopt" => Ok(Self::Adopt),
            "end" => Ok(Self::End),
            _ => Err("is not `adopt` or `end`"),
        }
    }
}

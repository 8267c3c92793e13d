//! The agents of the demonstration: scripts that read their prompt, edit files, run the tests and commit.

use serde_json::{Value, json};

/// More than a script needs on the slowest machine.
const TIMEOUT_SECONDS: u64 = 120;

/// A scripted agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Agent {
    /// Adds conversions, with care.
    Builder,
    /// Adds conversions without trying them, and mends what the checks complain about.
    Hasty,
    /// Releases versions.
    Releaser,
    /// Writes the README.
    Writer,
}

impl Agent {
    pub(super) const ALL: [Self; 4] = [Self::Builder, Self::Hasty, Self::Releaser, Self::Writer];

    /// What it is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Builder => "builder",
            Self::Hasty => "hasty",
            Self::Releaser => "releaser",
            Self::Writer => "writer",
        }
    }

    /// Enough for all of its tasks at once.
    pub(super) const MAX_CONCURRENT: i64 = 2;

    /// Its program, as on the wire.
    pub(super) fn executor(self) -> Value {
        let own = match self {
            Self::Builder => include_str!("agents/builder.sh"),
            Self::Hasty => include_str!("agents/hasty.sh"),
            Self::Releaser => include_str!("agents/releaser.sh"),
            Self::Writer => include_str!("agents/writer.sh"),
        };
        let script = format!("{}\n{own}", include_str!("agents/common.sh"));
        json!({
            "kind": "shell",
            "command": ["sh", "-ec", script],
            "timeout_seconds": TIMEOUT_SECONDS,
        })
    }
}

//! The agents of the demonstration: scripts that read their prompt, edit files, run the tests and commit.

use serde_json::{Value, json};

/// More than a script needs on the slowest machine.
const TIMEOUT_SECONDS: u64 = 120;

/// A scripted agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DemoAgent {
    /// Adds conversions and tests them.
    Builder,
    /// Adds conversions without testing them, and fixes what the checks report.
    Hasty,
    /// Releases new versions.
    Releaser,
    /// Writes the README.
    Writer,
}

impl DemoAgent {
    pub(crate) const ALL: [Self; 4] = [Self::Builder, Self::Hasty, Self::Releaser, Self::Writer];

    /// Name of the agent.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Builder => "builder",
            Self::Hasty => "hasty",
            Self::Releaser => "releaser",
            Self::Writer => "writer",
        }
    }

    /// Enough for all of its tasks at once.
    pub(crate) const MAX_CONCURRENT: i64 = 2;

    /// The executor in its wire form.
    pub(crate) fn executor(self) -> Value {
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

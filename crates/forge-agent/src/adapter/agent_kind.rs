//! The kinds of agent programs (E-1).

use serde::{Deserialize, Serialize};
use std::fmt;

/// Selects the adapter for an agent's program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentKind {
    /// Any shell command.
    Shell,
    Claude,
    Codex,
    Gemini,
    Opencode,
    /// Cursor's command line.
    Cursor,
    /// GitHub Copilot's command line.
    Copilot,
    Goose,
    Qwen,
    Amp,
    Droid,
    /// Any agent that speaks the Agent Client Protocol over its standard streams.
    Acp,
}

impl AgentKind {
    /// All kinds, in display order.
    pub const ALL: [Self; 12] = [
        Self::Shell,
        Self::Claude,
        Self::Codex,
        Self::Gemini,
        Self::Opencode,
        Self::Cursor,
        Self::Copilot,
        Self::Goose,
        Self::Qwen,
        Self::Amp,
        Self::Droid,
        Self::Acp,
    ];

    /// The name in configurations.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
            Self::Cursor => "cursor",
            Self::Copilot => "copilot",
            Self::Goose => "goose",
            Self::Qwen => "qwen",
            Self::Amp => "amp",
            Self::Droid => "droid",
            Self::Acp => "acp",
        }
    }
}

impl fmt::Display for AgentKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

//! The built-in adapters.

use crate::adapter::agent_adapter::{AdapterError, AgentAdapter};
use crate::adapter::agent_kind::AgentKind;
use std::sync::LazyLock;

const ADAPTER_FILES: [&str; 12] = [
    include_str!("../../adapters/shell.toml"),
    include_str!("../../adapters/claude.toml"),
    include_str!("../../adapters/codex.toml"),
    include_str!("../../adapters/gemini.toml"),
    include_str!("../../adapters/opencode.toml"),
    include_str!("../../adapters/cursor.toml"),
    include_str!("../../adapters/copilot.toml"),
    include_str!("../../adapters/goose.toml"),
    include_str!("../../adapters/qwen.toml"),
    include_str!("../../adapters/amp.toml"),
    include_str!("../../adapters/droid.toml"),
    include_str!("../../adapters/acp.toml"),
];

static ADAPTERS: LazyLock<Result<Vec<AgentAdapter>, AdapterError>> =
    LazyLock::new(|| ADAPTER_FILES.iter().map(|text| AgentAdapter::from_toml(text)).collect());

impl AgentAdapter {
    /// The adapter of a kind.
    pub fn of(kind: AgentKind) -> Result<&'static Self, AdapterError> {
        let adapters = ADAPTERS.as_ref().map_err(Clone::clone)?;
        adapters.iter().find(|adapter| adapter.kind() == kind).ok_or(AdapterError::Missing(kind))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn e_1_every_kind_has_an_adapter_that_loads() {
        for kind in AgentKind::ALL {
            let adapter = AgentAdapter::of(kind).unwrap_or_else(|error| panic!("{kind}: {error}"));
            assert_eq!(adapter.kind(), kind);
            let written = serde_json::to_value(kind).expect("is a word");
            assert_eq!(written, kind.as_str());
        }
        assert_eq!(ADAPTER_FILES.len(), AgentKind::ALL.len());
    }
}

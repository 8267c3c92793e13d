//! What a project says about landing.

use crate::errors::EngineError;
use serde::{Deserialize, Serialize};

const MOST_AHEAD: usize = 100;
const DEFAULT_AHEAD: usize = 16;

/// The part of a project's settings that is about landing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct MergeSettings {
    /// Whether branches are tried together (M-11); else one at a time.
    pub(crate) train: bool,
    /// How many are tried ahead at most.
    window: Option<usize>,
    /// Whether nothing lands for now (M-13).
    pub(crate) paused: bool,
    /// How what has landed is looked after.
    pub(crate) verify: MergeVerify,
    /// By what branches land.
    pub(crate) mode: MergeMode,
}

/// How what has landed is looked after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MergeVerify {
    /// Not at all.
    #[default]
    Off,
    /// The checks of the landed commit are watched where it was pushed.
    RemoteChecks,
}

/// By what branches become part of their targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MergeMode {
    /// Forge moves the target itself, and pushes it.
    #[default]
    Direct,
    /// A pull request elsewhere is merged (M-16).
    PullRequest,
}

impl MergeSettings {
    /// As the settings say it; refused, where it could not be kept to.
    pub(crate) fn of(settings: &serde_json::Value) -> Result<Self, EngineError> {
        let said: Self = match settings.get("merge") {
            None | Some(serde_json::Value::Null) => Self::default(),
            Some(said) => serde_json::from_value(said.clone()).map_err(|error| {
                EngineError::InvalidField { field: "settings.merge", problem: error.to_string() }
            })?,
        };
        match said.window {
            Some(most) if !(1..=MOST_AHEAD).contains(&most) => Err(EngineError::InvalidField {
                field: "settings.merge.window",
                problem: format!("must be 1 to {MOST_AHEAD}, or left out for {DEFAULT_AHEAD}"),
            }),
            _ => Ok(said),
        }
    }

    /// How many are tried at once at most.
    pub(crate) fn most_ahead(&self) -> usize {
        if self.train { self.window.unwrap_or(DEFAULT_AHEAD) } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    #[test]
    fn m_11_without_a_train_one_is_tried_at_a_time() {
        let ahead = |settings| MergeSettings::of(&settings).expect("fits").most_ahead();
        assert_eq!(ahead(json!({})), 1);
        assert_eq!(ahead(json!({ "merge": { "window": 7 } })), 1);
        assert_eq!(ahead(json!({ "merge": { "train": true } })), DEFAULT_AHEAD);
        assert_eq!(ahead(json!({ "merge": { "train": true, "window": 7 } })), 7);
        let verify = |settings| MergeSettings::of(&settings).expect("fits").verify;
        assert_eq!(verify(json!({ "merge": { "train": true } })), MergeVerify::Off);
        assert!(MergeSettings::of(&json!({ "merge": { "verify": "maybe" } })).is_err());
        let mode = |settings| MergeSettings::of(&settings).expect("fits").mode;
        assert_eq!(mode(json!({ "merge": { "train": true } })), MergeMode::Direct);
        assert_eq!(mode(json!({ "merge": { "mode": "pull_request" } })), MergeMode::PullRequest);
        assert!(MergeSettings::of(&json!({ "merge": { "mode": "email" } })).is_err());
        for bad in [json!({ "merge": { "window": 0 } }), json!({ "merge": { "train": "yes" } })] {
            assert!(MergeSettings::of(&bad).is_err(), "{bad}");
        }
    }
}

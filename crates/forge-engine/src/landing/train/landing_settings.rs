//! A project's landing settings.

use crate::command::errors::EngineError;
use serde::{Deserialize, Serialize};

const MOST_AHEAD: usize = 100;
const DEFAULT_AHEAD: usize = 16;

/// The landing part of a project's settings.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct LandingSettings {
    /// Whether branches are tested together (M-11); otherwise one at a time.
    pub(crate) train: bool,
    /// The largest number of speculative trials.
    window: Option<usize>,
    /// Whether landings are paused (M-13).
    pub(crate) paused: bool,
    /// How landed commits are verified.
    pub(crate) verify: LandingVerification,
    /// How branches land.
    pub(crate) mode: LandingMode,
}

/// How landed commits are verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LandingVerification {
    /// No verification at all.
    #[default]
    Off,
    /// Watches the remote checks of the landed commit.
    RemoteChecks,
}

/// How branches reach their targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LandingMode {
    /// Forge moves the target itself, and pushes it.
    #[default]
    Direct,
    /// A pull request on GitHub is merged (M-16).
    PullRequest,
}

impl LandingSettings {
    /// Reads the settings; refuses invalid values.
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

    /// The largest number of concurrent trials.
    pub(crate) fn max_window(&self) -> usize {
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
        let ahead = |settings| LandingSettings::of(&settings).expect("fits").max_window();
        assert_eq!(ahead(json!({})), 1);
        assert_eq!(ahead(json!({ "merge": { "window": 7 } })), 1);
        assert_eq!(ahead(json!({ "merge": { "train": true } })), DEFAULT_AHEAD);
        assert_eq!(ahead(json!({ "merge": { "train": true, "window": 7 } })), 7);
        let verify = |settings| LandingSettings::of(&settings).expect("fits").verify;
        assert_eq!(verify(json!({ "merge": { "train": true } })), LandingVerification::Off);
        assert!(LandingSettings::of(&json!({ "merge": { "verify": "maybe" } })).is_err());
        let mode = |settings| LandingSettings::of(&settings).expect("fits").mode;
        assert_eq!(mode(json!({ "merge": { "train": true } })), LandingMode::Direct);
        assert_eq!(mode(json!({ "merge": { "mode": "pull_request" } })), LandingMode::PullRequest);
        assert!(LandingSettings::of(&json!({ "merge": { "mode": "email" } })).is_err());
        for bad in [json!({ "merge": { "window": 0 } }), json!({ "merge": { "train": "yes" } })] {
            assert!(LandingSettings::of(&bad).is_err(), "{bad}");
        }
    }
}

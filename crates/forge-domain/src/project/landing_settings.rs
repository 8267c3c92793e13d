//! A project's landing settings.

use crate::project::SettingsProblem;
use serde::{Deserialize, Serialize};

const LARGEST_WINDOW: u32 = 100;
const DEFAULT_WINDOW: u32 = 16;

/// The landing part of a project's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LandingSettings {
    /// Whether branches are tested together (M-11); otherwise one at a time.
    pub train: bool,
    /// The largest number of speculative trials.
    pub window: Option<u32>,
    /// Whether landings are paused (M-13).
    pub paused: bool,
    /// How landed commits are verified.
    pub verify: LandingVerification,
    /// How branches land.
    pub mode: LandingMode,
}

/// How landed commits are verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LandingVerification {
    /// No verification at all.
    #[default]
    Off,
    /// Watches the remote checks of the landed commit.
    RemoteChecks,
}

/// How branches reach their targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LandingMode {
    /// Forge moves the target itself, and pushes it.
    #[default]
    Direct,
    /// A pull request on GitHub is merged (M-16).
    PullRequest,
}

impl LandingSettings {
    /// The largest number of concurrent trials.
    pub fn max_window(&self) -> usize {
        let most = if self.train { self.window.unwrap_or(DEFAULT_WINDOW) } else { 1 };
        usize::try_from(most).unwrap_or(usize::MAX)
    }

    pub(crate) fn collect_problems(&self, problems: &mut Vec<SettingsProblem>) {
        if self.window.is_some_and(|most| !(1..=LARGEST_WINDOW).contains(&most)) {
            problems.push(SettingsProblem::new(
                "settings.merge.window",
                format!("must be 1 to {LARGEST_WINDOW}, or left out for {DEFAULT_WINDOW}"),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn m_11_without_a_train_one_is_tried_at_a_time() {
        let landing = |merge: Value| serde_json::from_value::<LandingSettings>(merge);
        let window = |merge| landing(merge).expect("fits").max_window();
        assert_eq!(window(json!({})), 1);
        assert_eq!(window(json!({ "window": 7 })), 1);
        assert_eq!(window(json!({ "train": true })), 16);
        assert_eq!(window(json!({ "train": true, "window": 7 })), 7);
        let verify = |merge| landing(merge).expect("fits").verify;
        assert_eq!(verify(json!({ "train": true })), LandingVerification::Off);
        assert!(landing(json!({ "verify": "maybe" })).is_err());
        let mode = |merge| landing(merge).expect("fits").mode;
        assert_eq!(mode(json!({ "train": true })), LandingMode::Direct);
        assert_eq!(mode(json!({ "mode": "pull_request" })), LandingMode::PullRequest);
        assert!(landing(json!({ "mode": "email" })).is_err());
        assert!(landing(json!({ "train": "yes" })).is_err());
        let mut problems = Vec::new();
        landing(json!({ "window": 0 })).expect("reads").collect_problems(&mut problems);
        assert_eq!(problems[0].path, "settings.merge.window");
    }
}

//! A project's dispatch settings.

use crate::project::SettingsProblem;
use serde::{Deserialize, Serialize};

const MOST_CONCURRENT: u32 = 1000;

/// The dispatch part of a project's settings. Off by default: users who assign tasks themselves or by a script must not
/// find them claimed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProjectDispatchSettings {
    /// Whether tasks are assigned to free agents.
    pub enabled: bool,
    /// The largest number of concurrent executions of agents; no limit if absent.
    pub max_concurrent: Option<u32>,
    /// Whether a task waits while its branch conflicts with one that is being worked on or about to land.
    pub hold_conflicts: bool,
}

impl ProjectDispatchSettings {
    pub(crate) fn collect_problems(&self, problems: &mut Vec<SettingsProblem>) {
        if self.max_concurrent.is_some_and(|most| !(1..=MOST_CONCURRENT).contains(&most)) {
            problems.push(SettingsProblem::new(
                "settings.dispatch.max_concurrent",
                format!("must be 1 to {MOST_CONCURRENT}, or left out for no limit"),
            ));
        }
    }
}

//! A project's dispatch settings.

use crate::command::errors::EngineError;
use forge_domain::ProjectId;
use forge_store::{StoreError, Tx, tables};
use serde::{Deserialize, Serialize};

const MOST_CONCURRENT: u32 = 1000;

/// The dispatch part of a project's settings. Off by default: users who assign tasks themselves or by a script must not
/// find them claimed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ProjectDispatchSettings {
    enabled: bool,
    max_concurrent: Option<u32>,
    hold_conflicts: bool,
}

impl ProjectDispatchSettings {
    /// Reads the settings; refuses invalid values.
    pub(crate) fn of(settings: &serde_json::Value) -> Result<Self, EngineError> {
        let said: Self = match settings.get("dispatch") {
            None | Some(serde_json::Value::Null) => Self::default(),
            Some(said) => serde_json::from_value(said.clone()).map_err(|error| {
                EngineError::InvalidField { field: "settings.dispatch", problem: error.to_string() }
            })?,
        };
        match said.max_concurrent {
            Some(most) if !(1..=MOST_CONCURRENT).contains(&most) => {
                Err(EngineError::InvalidField {
                    field: "settings.dispatch.max_concurrent",
                    problem: format!("must be 1 to {MOST_CONCURRENT}, or left out for no limit"),
                })
            }
            _ => Ok(said),
        }
    }

    /// Stores them for the scheduler.
    pub(crate) async fn put(self, tx: &mut Tx, project: ProjectId) -> Result<(), StoreError> {
        if self.enabled {
            tables::served_projects::enable_project(
                tx,
                project,
                self.max_concurrent,
                self.hold_conflicts,
            )
            .await
        } else {
            tables::served_projects::disable_project(tx, project).await
        }
    }
}

//! What a project says about having its tasks given out.

use crate::errors::EngineError;
use forge_domain::ProjectId;
use forge_store::{StoreError, Tx, tables};
use serde::{Deserialize, Serialize};

const MOST_CONCURRENT: u32 = 1000;

/// The part of a project's settings that is about dispatch. Off unless somebody says otherwise: who gives their tasks to
/// agents by hand, or by a script, does not find them taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct DispatchSettings {
    enabled: bool,
    max_concurrent: Option<u32>,
    hold_conflicts: bool,
}

impl DispatchSettings {
    /// As the settings say it; refused, where it could not be kept to.
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

    /// Writes down what it means for the scheduler.
    pub(crate) async fn put(self, tx: &mut Tx, project: ProjectId) -> Result<(), StoreError> {
        if self.enabled {
            tables::dispatch::serve(tx, project, self.max_concurrent, self.hold_conflicts).await
        } else {
            tables::dispatch::leave(tx, project).await
        }
    }
}

//! Converts the setup of a workspace (W-13).

use forge_api::{EffectState, LogPage, SetupStatus, WorkspaceSetup};
use forge_domain::Timestamp;
use forge_store::tables::effects::EffectRow;
use forge_store::tables::ports::PortLease;
use serde_json::Value;

use crate::convert::tasks::effect::effect;
use crate::convert::time::rfc3339;

/// Converts a setup at a point in time, from the last effect that ran one.
pub(crate) fn setup(
    last: Option<&EffectRow>,
    ports: &[PortLease],
    log: LogPage,
    now: Timestamp,
) -> WorkspaceSetup {
    WorkspaceSetup {
        status: last.map_or(SetupStatus::NotNeeded, |row| status(row, now)),
        ports: ports.iter().map(|lease| lease.port).collect(),
        created_at: last.map(|row| rfc3339(row.created_at)),
        finished_at: last.and_then(|row| row.finished_at).map(rfc3339),
        log,
    }
}

fn status(row: &EffectRow, now: Timestamp) -> SetupStatus {
    let noted = row.journal.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
    match effect(row, now).state {
        EffectState::Pending => SetupStatus::Pending,
        EffectState::Running => SetupStatus::Running,
        EffectState::Failed => SetupStatus::Failed,
        EffectState::Cancelled => SetupStatus::Stopped,
        EffectState::Done if noted.is_some_and(|noted| noted["stopped"] == true) => {
            SetupStatus::Stopped
        }
        EffectState::Done => SetupStatus::Finished,
    }
}

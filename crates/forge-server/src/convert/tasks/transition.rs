//! Converts the status history of a task (T-10).

use forge_api::Transition;
use forge_domain::CommandId;
use forge_store::tables::transitions;

use crate::convert::accounts::actor::actor;
use crate::convert::time::rfc3339;

/// Converts a recorded transition.
pub(crate) fn transition(row: &transitions::TransitionRow) -> Transition {
    // A row is identified by its task and its position; the identifier is derived from both and therefore stable.
    let place = u32::try_from(row.id & i64::from(u32::MAX)).unwrap_or_default();
    Transition {
        id: CommandId::new(row.task_id.uuid()).derive(place),
        from_state: row.from_state.to_string(),
        to_state: row.to_state.to_string(),
        triggered_by: actor(&row.actor),
        rejection: row.rejection,
        trigger_reason: row.reason.clone(),
        at: rfc3339(row.at),
    }
}

//! The history of a task's status (T-10).

use forge_api::Transition;
use forge_domain::CommandId;
use forge_store::tables::transitions;

use super::actor::actor;
use super::time::rfc3339;

/// A recorded move as clients see it.
pub(crate) fn transition(row: &transitions::Transition) -> Transition {
    // A row is known by its task and its place in it; the identifier is derived from both, the same each time.
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

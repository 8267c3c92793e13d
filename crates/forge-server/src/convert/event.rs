//! Conversion of stored events, for event streams and webhooks.

use forge_api::{EventType, EventView};
use forge_store::tables::counters::NO_PROJECT;
use forge_store::tables::events::EventRow;

use crate::convert::accounts::actor::actor;
use crate::convert::time::rfc3339;

/// Converts an event; `id` is its position in the stream that is read. `None` if the API lacks its type.
pub(crate) fn event_view(row: EventRow, id: String) -> Option<EventView> {
    let Some(kind) = EventType::parse(&row.kind) else {
        tracing::error!(kind = row.kind, "event type is missing in the API");
        return None;
    };
    Some(EventView {
        id,
        project_id: (row.project_id != NO_PROJECT).then(|| row.project_id.uuid()),
        seq: u64::try_from(row.seq).unwrap_or_default(),
        kind,
        task_id: row.task_id.map(|task| task.uuid()),
        actor: actor(&row.actor),
        at: rfc3339(row.at),
        data: row.data,
    })
}

/// Encodes an event for a webhook. Its id is the position in the stream of its project.
pub(crate) fn encode_event(row: EventRow) -> Option<String> {
    let id = format!("{}:{}", row.ordinal, row.seq);
    match serde_json::to_string(&event_view(row, id)?) {
        Ok(body) => Some(body),
        Err(error) => {
            tracing::error!(%error, "failed to serialize an event");
            None
        }
    }
}

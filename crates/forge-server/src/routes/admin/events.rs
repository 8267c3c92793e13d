//! The route of the event stream.

use axum::extract::State;
use axum::response::Response;
use forge_api::{EventQuery, EventView, actions};
use forge_domain::ProjectId;
use futures::StreamExt;
use http::HeaderMap;

use crate::app::AppState;
use crate::caller::Caller;
use crate::error::api_error::ApiError;
use crate::input::Query;
use crate::routes::action_route::{ActionRoute, action_routes};
use crate::stream::sse::{EventCursor, event_stream};
use crate::stream::{EventTypeFilter, ResumePoint, stream_events};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        STREAM_EVENTS => stream,
    ]
}

/// Stream events
///
/// Server-sent events whose data is an `EventView`. The stream starts with new events; send the last id as
/// `Last-Event-ID` (or `after`) to continue after it without a gap, or `after=0` for all stored events. Callers that
/// are not admins get events outside projects and the events of their projects while they are members.
#[utoipa::path(
    get, path = actions::STREAM_EVENTS.path, tag = "events",
    params(EventQuery, ("Last-Event-ID" = Option<String>, Header, description = "The id of the last received event")),
    responses((status = 200, description = "Events, until the client disconnects", body = EventView, content_type = "text/event-stream"))
)]
async fn stream(
    State(app): State<AppState>,
    caller: Caller,
    headers: HeaderMap,
    Query(query): Query<EventQuery>,
) -> Result<Response, ApiError> {
    let cursor = EventCursor::requested(&headers, query.after.as_deref())?;
    let seen = ResumePoint::parse(cursor.as_ref())?;
    let types = EventTypeFilter::parse(query.types.as_deref())?;
    let only = match query.project {
        Some(id) => {
            let id = ProjectId::new(id);
            caller.require_project(&app, id).await?;
            Some(app.engine.records().project(id).await?.id)
        }
        None => None,
    };
    let reader = caller.membership_filter();
    // A revoked credential must end the stream.
    let ended = app.credentials.wait_until_ended(caller.credential);
    let (begins, events) = stream_events(app.engine.clone(), reader, only, types, seen).await?;
    Ok(event_stream(begins, events.take_until(ended), app.stop.clone()))
}

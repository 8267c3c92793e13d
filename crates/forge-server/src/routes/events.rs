//! The event stream.

use axum::extract::State;
use axum::response::Response;
use forge_api::{Event, EventQuery};
use forge_domain::ProjectId;
use futures::StreamExt;
use http::HeaderMap;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::caller::Caller;
use crate::events::{EventCursor, event_stream};
use crate::failure::Failure;
use crate::feed::{Seen, Types, tail};
use crate::input::Query;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(stream))
}

/// Stream what happens
///
/// Server-sent events whose data is an `Event`. The stream begins now; send the last id as `Last-Event-ID` (or
/// `after`) to go on after it without a gap, or `after=0` for everything that is stored. Who is no admin gets what
/// belongs to no project and what happens in the projects they are a member of, while they are.
#[utoipa::path(
    get, path = "/events", tag = "events", operation_id = "stream_events",
    params(EventQuery, ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event that was received")),
    responses((status = 200, description = "Events, for as long as the client listens", body = Event, content_type = "text/event-stream"))
)]
async fn stream(
    State(app): State<App>,
    caller: Caller,
    headers: HeaderMap,
    Query(query): Query<EventQuery>,
) -> Result<Response, Failure> {
    let cursor = EventCursor::requested(&headers, query.after.as_deref())?;
    let seen = Seen::parse(cursor.as_ref())?;
    let types = Types::parse(query.types.as_deref())?;
    let only = match query.project {
        Some(id) => {
            let id = ProjectId::new(id);
            caller.require_project(&app, id).await?;
            Some(app.engine.project(id).await?.id)
        }
        None => None,
    };
    let reader = caller.confined();
    // Who loses the credential must not go on listening.
    let ended = app.credentials.ended(caller.credential);
    let (begins, events) = tail(app.engine.clone(), reader, only, types, seen).await?;
    Ok(event_stream(begins, events.take_until(ended), app.stop.clone()))
}

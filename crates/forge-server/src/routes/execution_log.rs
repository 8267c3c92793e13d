//! The log of a run: events by number, paged and as they come, and the output itself (E-5).

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use forge_api::{
    ErrorCode, LogEvent, LogEventPage, LogEventQuery, LogPage, LogQuery, LogStreamQuery,
};
use forge_domain::ExecutionId;
use forge_engine::EventPart;
use forge_store::tables::executions::{Execution, ExecutionStatus};
use futures::StreamExt;
use http::HeaderMap;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::executions::found;
use super::log;
use crate::app::App;
use crate::caller::Caller;
use crate::events::{EventCursor, chunk_stream};
use crate::failure::Failure;
use crate::feed::log_tail;
use crate::input::{Path, Query};
use crate::refusal::internal;

const USUAL: u32 = 200;
const MOST: u32 = 1000;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(read)).routes(routes!(read_raw)).routes(routes!(stream))
}

/// Some events of a run's log, by number. Secrets are taken out.
#[utoipa::path(get, path = "/executions/{id}/log", tag = "executions", operation_id = "get_execution_log",
    params(("id" = Uuid, Path, description = "The execution."), LogEventQuery),
    responses((status = 200, description = "A part of the log.", body = LogEventPage)))]
async fn read(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Query(query): Query<LogEventQuery>,
) -> Result<Json<LogEventPage>, Failure> {
    let row = found(&app, ExecutionId::new(id)).await?;
    let complete = is_over(&row);
    let limit = within("limit", query.limit.unwrap_or(USUAL))?;
    let part = match (query.tail, query.after) {
        (Some(tail), None) => EventPart::Last(u64::from(within("tail", tail)?)),
        (None, after) => EventPart::After(after.unwrap_or(0)),
        (Some(_), Some(_)) => {
            return Err(refused("tail", "cannot be combined with `after`; leave one of them out"));
        }
    };
    let limit = query.tail.map_or(limit, |tail| limit.max(tail));
    let page = app.engine.read_events(row.id, part, limit as usize).await?;
    let events = page.events.iter().map(|line| serde_json::from_str::<LogEvent>(line));
    let events: Result<_, _> = events.collect();
    let events = events.map_err(|error| internal(&format!("the log of {id}: {error}")))?;
    Ok(Json(LogEventPage { events, next: page.last, end: complete && !page.more }))
}

/// A part of a run's output, by bytes; pages end between characters. Secrets are taken out.
#[utoipa::path(get, path = "/executions/{id}/log/raw", tag = "executions", operation_id = "get_execution_output",
    params(("id" = Uuid, Path, description = "The execution."), LogQuery),
    responses((status = 200, description = "A part of the output.", body = LogPage)))]
async fn read_raw(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Query(query): Query<LogQuery>,
) -> Result<Json<LogPage>, Failure> {
    let row = found(&app, ExecutionId::new(id)).await?;
    let (complete, from) = (is_over(&row), query.from.unwrap_or_default());
    let limit = log::limit(&query)?;
    // One byte more than wanted tells whether anything follows.
    let bytes = app.engine.read_output(row.id, from, u64::from(limit) + 1).await?;
    Ok(Json(log::cut(bytes, from, limit, complete)))
}

/// Stream a run's log
///
/// Server-sent events named `log` whose data is a `LogEvent` and whose id is its number, from the beginning or after the
/// number in `Last-Event-ID` (or `after`), as they come. When the run is over one named `end` follows, and the stream
/// ends.
#[utoipa::path(get, path = "/executions/{id}/log/stream", tag = "executions", operation_id = "stream_execution_log",
    params(("id" = Uuid, Path, description = "The execution."), LogStreamQuery,
           ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event that was received")),
    responses((status = 200, description = "Events, until the run is over", body = LogEvent, content_type = "text/event-stream")))]
async fn stream(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    headers: HeaderMap,
    Query(query): Query<LogStreamQuery>,
) -> Result<Response, Failure> {
    let row = found(&app, ExecutionId::new(id)).await?;
    let after = query.after.map(|after| after.to_string());
    let after = match EventCursor::requested(&headers, after.as_deref())? {
        Some(cursor) => {
            let number = cursor.as_str().parse();
            number.map_err(|_| refused("Last-Event-ID", "is not the number of an event"))?
        }
        None => 0,
    };
    // Who loses the credential must not go on listening.
    let ended = app.credentials.ended(caller.credential);
    let events = log_tail(app.engine.clone(), row.id, after);
    Ok(chunk_stream(None, events.take_until(ended), app.stop.clone()))
}

fn is_over(row: &Execution) -> bool {
    row.status == ExecutionStatus::Finished
}

fn within(parameter: &str, count: u32) -> Result<u32, Failure> {
    if (1..=MOST).contains(&count) {
        return Ok(count);
    }
    Err(refused(parameter, &format!("must be between 1 and {MOST}")))
}

fn refused(parameter: &str, problem: &str) -> Failure {
    let message = format!("The query parameter `{parameter}` {problem}.");
    Failure::new(ErrorCode::InvalidQuery, message).with_details(json!({ "parameter": parameter }))
}

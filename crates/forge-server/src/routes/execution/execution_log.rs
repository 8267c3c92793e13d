//! Routes for the log of an execution: numbered events, paged and streamed, and the raw output (E-5).

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use forge_api::{
    ErrorCode, LogEvent, LogEventPage, LogEventQuery, LogPage, LogQuery, LogStreamQuery, actions,
};
use forge_domain::ExecutionId;
use forge_engine::TranscriptRange;
use forge_store::tables::executions::{ExecutionRow, ExecutionRowStatus};
use futures::StreamExt;
use http::HeaderMap;
use serde_json::json;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::error::api_error::ApiError;
use crate::error::engine_error::internal_error;
use crate::input::{Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};
use crate::routes::execution::executions::load_execution;
use crate::routes::execution::log_page;
use crate::stream::sse::{EventCursor, encoded_stream};
use crate::stream::stream_log_events;

const USUAL: u32 = 200;
const MOST: u32 = 1000;

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        GET_EXECUTION_LOG => read,
        GET_EXECUTION_OUTPUT => read_raw,
        STREAM_EXECUTION_LOG => stream,
    ]
}

/// Read log events of an execution
///
/// By event number. Secrets are redacted.
#[utoipa::path(get, path = actions::GET_EXECUTION_LOG.path, tag = "executions",
    params(("id" = Uuid, Path, description = "The execution."), LogEventQuery),
    responses((status = 200, description = "A part of the log.", body = LogEventPage)))]
async fn read(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<LogEventQuery>,
) -> Result<Json<LogEventPage>, ApiError> {
    let row = load_execution(&app, ExecutionId::new(id)).await?;
    let complete = is_over(&row);
    let limit = within("limit", query.limit.unwrap_or(USUAL))?;
    let part = match (query.tail, query.after) {
        (Some(tail), None) => TranscriptRange::Last(u64::from(within("tail", tail)?)),
        (None, after) => TranscriptRange::After(after.unwrap_or(0)),
        (Some(_), Some(_)) => {
            return Err(refused("tail", "cannot be combined with `after`; leave one of them out"));
        }
    };
    let limit = query.tail.map_or(limit, |tail| limit.max(tail));
    let page = app.engine.transcripts().read_events(row.id, part, limit as usize).await?;
    let events = page.events.iter().map(|line| serde_json::from_str::<LogEvent>(line));
    let events: Result<_, _> = events.collect();
    let events =
        events.map_err(|error| internal_error(&format!("cannot read the log of {id}: {error}")))?;
    Ok(Json(LogEventPage { events, next: page.last, end: complete && !page.more }))
}

/// Read a part of an execution's output
///
/// By bytes; pages end between characters. Secrets are redacted.
#[utoipa::path(get, path = actions::GET_EXECUTION_OUTPUT.path, tag = "executions",
    params(("id" = Uuid, Path, description = "The execution."), LogQuery),
    responses((status = 200, description = "A part of the output.", body = LogPage)))]
async fn read_raw(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<LogQuery>,
) -> Result<Json<LogPage>, ApiError> {
    let row = load_execution(&app, ExecutionId::new(id)).await?;
    let (complete, from) = (is_over(&row), query.from.unwrap_or_default());
    let limit = log_page::limit(&query)?;
    // Read one more byte than requested, to know whether anything follows.
    let bytes = app.engine.transcripts().read_output(row.id, from, u64::from(limit) + 1).await?;
    Ok(Json(log_page::cut_page(bytes, from, limit, complete)))
}

/// Stream the log of an execution
///
/// Server-sent events named `log` whose data is a `LogEvent` and whose id is its number, from the beginning or after
/// the number in `Last-Event-ID` (or `after`). After the end of the execution the server sends an event named `end`
/// and closes the stream.
#[utoipa::path(get, path = actions::STREAM_EXECUTION_LOG.path, tag = "executions",
    params(("id" = Uuid, Path, description = "The execution."), LogStreamQuery,
           ("Last-Event-ID" = Option<String>, Header, description = "The id of the last received event")),
    responses((status = 200, description = "Log events until the execution ends", body = LogEvent, content_type = "text/event-stream")))]
async fn stream(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    headers: HeaderMap,
    Query(query): Query<LogStreamQuery>,
) -> Result<Response, ApiError> {
    let row = load_execution(&app, ExecutionId::new(id)).await?;
    let after = query.after.map(|after| after.to_string());
    let after = match EventCursor::requested(&headers, after.as_deref())? {
        Some(cursor) => {
            let number = cursor.as_str().parse();
            number.map_err(|_| refused("Last-Event-ID", "is not the number of an event"))?
        }
        None => 0,
    };
    // A revoked credential must end the stream.
    let ended = app.credentials.wait_until_ended(caller.credential);
    let events = stream_log_events(app.engine.clone(), row.id, after);
    Ok(encoded_stream(None, events.take_until(ended), app.stop.clone()))
}

fn is_over(row: &ExecutionRow) -> bool {
    row.status == ExecutionRowStatus::Finished
}

fn within(parameter: &str, count: u32) -> Result<u32, ApiError> {
    if (1..=MOST).contains(&count) {
        return Ok(count);
    }
    Err(refused(parameter, &format!("must be between 1 and {MOST}")))
}

fn refused(parameter: &str, problem: &str) -> ApiError {
    let message = format!("The query parameter `{parameter}` {problem}.");
    ApiError::new(ErrorCode::InvalidQuery, message).with_details(json!({ "parameter": parameter }))
}

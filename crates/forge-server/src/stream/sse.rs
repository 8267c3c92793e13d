//! Server-sent events on the wire (SPEC S-2).

use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use forge_api::{ErrorCode, EventType};
use futures::{Stream, StreamExt, stream};
use http::header::CACHE_CONTROL;
use http::{HeaderMap, HeaderName};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::error::api_error::ApiError;
use crate::stream::stream_memory::StreamMemoryGuard;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Enough for the positions of over a thousand projects, within the limit of request headers.
const LONGEST_CURSOR: usize = 16 * 1024;
/// How long a client waits before it reconnects.
const RETRY: Duration = Duration::from_secs(2);
const KEEP_ALIVE: &str = "still here";
/// Shorter than the idle limits of common proxies.
const KEEP_ALIVE_EVERY: Duration = Duration::from_secs(15);

/// A position in the stream, as clients send it back. Only visible ASCII, so that it cannot break out of its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventCursor(String);

impl EventCursor {
    /// `None` if the text is empty, too long, or has characters that no cursor has.
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        let fits = (1..=LONGEST_CURSOR).contains(&text.len());
        (fits && text.bytes().all(|byte| byte.is_ascii_graphic())).then_some(Self(text))
    }

    /// The cursor as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The requested start: the `Last-Event-ID` header that a browser sends when it reconnects, else `after`.
    pub fn requested(headers: &HeaderMap, after: Option<&str>) -> Result<Option<Self>, ApiError> {
        let refused = |parameter: &str| {
            ApiError::new(
                ErrorCode::InvalidQuery,
                format!("`{parameter}` is not the id of an event. Send the last id you received, or leave it out."),
            )
            .with_details(json!({ "parameter": parameter }))
        };
        // Browsers send an empty header before the first event.
        let header = headers.get(LAST_EVENT_ID).filter(|value| !value.is_empty());
        if let Some(value) = header {
            let text = value.to_str().ok().and_then(Self::new);
            return text.map(Some).ok_or_else(|| refused("Last-Event-ID"));
        }
        match after {
            Some(text) => Self::new(text).map(Some).ok_or_else(|| refused("after")),
            None => Ok(None),
        }
    }
}

/// One event to send.
#[derive(Debug, Clone, PartialEq)]
pub struct SentEvent {
    /// Position of the event; `None` if a client cannot resume after it.
    pub cursor: Option<EventCursor>,
    /// Type of the event.
    pub kind: EventType,
    /// The event as JSON.
    pub data: Value,
}

impl SentEvent {
    fn encode(&self) -> Event {
        let event = Event::default();
        let event = match &self.cursor {
            Some(cursor) => event.id(cursor.as_str()),
            None => event,
        };
        event.event(self.kind.as_str()).data(self.data.to_string())
    }
}

/// The answer that streams events with keep-alives in between. It ends when the events do, and at once when the
/// server stops: the client reconnects and continues from its cursor. The cursor is sent before the first event, so
/// that a client has one even without events.
pub fn event_stream<S>(begins: Option<EventCursor>, events: S, stop: CancellationToken) -> Response
where
    S: Stream<Item = SentEvent> + Send + 'static,
{
    encoded_stream(begins, events.map(|event| event.encode()), stop)
}

/// Encodes an event that a client cannot resume after.
pub(crate) fn encode_plain(event: &'static str, data: &Value) -> Event {
    Event::default().event(event).data(data.to_string())
}

/// Streams events that are already encoded.
pub(crate) fn encoded_stream<S>(
    begins: Option<EventCursor>,
    events: S,
    stop: CancellationToken,
) -> Response
where
    S: Stream<Item = Event> + Send + 'static,
{
    let first = Event::default().retry(RETRY);
    let first = match begins {
        Some(cursor) => first.id(cursor.as_str()),
        None => first,
    };
    let events = events.take_until(stop.cancelled_owned());
    // A closure is dropped after the stream that it maps, when the memory of the stream is already free.
    let memory = StreamMemoryGuard;
    let events = stream::iter([first]).chain(events).map(move |event| {
        let _open = &memory;
        Ok::<_, Infallible>(event)
    });
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE_EVERY).text(KEEP_ALIVE);
    ([(CACHE_CONTROL, "no-store")], Sse::new(events).keep_alive(keep_alive)).into_response()
}

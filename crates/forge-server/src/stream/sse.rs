//! Server-sent events on the wire (SPEC S-2).

use std::convert::Infallible;
use std::pin::Pin;
use std::time::Duration;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use forge_api::{ErrorCode, EventType};
use futures::{Stream, StreamExt, stream};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderName};
use serde_json::{Value, json};
use tokio::time::{Interval, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use crate::error::api_error::ApiError;
use crate::stream::stream_memory::StreamMemoryGuard;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Enough for the positions of over a thousand projects, within the limit of request headers.
const LONGEST_CURSOR: usize = 16 * 1024;
/// How long a client waits before it reconnects, in milliseconds.
const RETRY: &str = "retry: 2000\n";
const KEEP_ALIVE: &str = ": still here\n\n";
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
    fn encode(&self) -> Bytes {
        let id = match &self.cursor {
            Some(cursor) => format!("id: {}\n", cursor.as_str()),
            None => String::new(),
        };
        // Compact JSON has no line breaks, so one data line is enough.
        Bytes::from(format!("{id}event: {}\ndata: {}\n\n", self.kind, self.data))
    }
}

/// The answer that streams events with keep-alives in between. It ends when the events do, and at once when the
/// server stops: the client reconnects and continues from its cursor. The cursor is sent before the first event, so
/// that a client has one even without events.
pub fn event_stream<S>(begins: Option<EventCursor>, events: S, stop: CancellationToken) -> Response
where
    S: Stream<Item = SentEvent> + Send + 'static,
{
    chunk_stream(begins, events.map(|event| event.encode()), stop)
}

/// Encodes an event that a client cannot resume after; its data is a single line of JSON.
pub(crate) fn encode_plain(event: &'static str, data: &Value) -> Bytes {
    Bytes::from(format!("event: {event}\ndata: {data}\n\n"))
}

/// Streams events that are already encoded.
pub(crate) fn chunk_stream<S>(
    begins: Option<EventCursor>,
    events: S,
    stop: CancellationToken,
) -> Response
where
    S: Stream<Item = Bytes> + Send + 'static,
{
    let mut quiet = tokio::time::interval(KEEP_ALIVE_EVERY);
    quiet.set_missed_tick_behavior(MissedTickBehavior::Delay);
    quiet.reset();
    let sending =
        OpenEventStream { events: Box::pin(events), quiet, stop, _memory: StreamMemoryGuard };
    let cursor = begins.map(|cursor| format!("id: {}\n", cursor.as_str())).unwrap_or_default();
    let first = stream::once(async move { Bytes::from(format!("{RETRY}{cursor}\n")) });
    let rest = stream::unfold(sending, |mut sending| async move {
        let chunk = sending.next().await?;
        Some((chunk, sending))
    });
    let body = Body::from_stream(first.chain(rest).map(Ok::<_, Infallible>));
    let headers = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-store")];
    (headers, body).into_response()
}

struct OpenEventStream {
    events: Pin<Box<dyn Stream<Item = Bytes> + Send>>,
    quiet: Interval,
    stop: CancellationToken,
    // Dropped last, when the memory of the stream is already free.
    _memory: StreamMemoryGuard,
}

impl OpenEventStream {
    async fn next(&mut self) -> Option<Bytes> {
        tokio::select! {
            biased;
            () = self.stop.cancelled() => None,
            event = self.events.next() => {
                let event = event?;
                self.quiet.reset();
                Some(event)
            }
            _ = self.quiet.tick() => Some(Bytes::from_static(KEEP_ALIVE.as_bytes())),
        }
    }
}

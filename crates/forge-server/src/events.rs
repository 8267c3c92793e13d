//! Server-sent events: how a stream of events looks on the wire (SPEC S-2).

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

use crate::failure::Failure;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Room for the places of over a thousand projects, within what the headers of a request may take.
const LONGEST_CURSOR: usize = 16 * 1024;
/// How long a client waits before it connects again, in milliseconds.
const RETRY: &str = "retry: 2000\n";
const KEEP_ALIVE: &str = ": still here\n\n";
/// Shorter than the idle limits of common proxies.
const KEEP_ALIVE_EVERY: Duration = Duration::from_secs(15);

/// A place in the stream, as clients give it back. Only visible ASCII, so that it cannot break out of its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventCursor(String);

impl EventCursor {
    /// `None` if it is empty, too long or has characters that no cursor of ours has.
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        let fits = (1..=LONGEST_CURSOR).contains(&text.len());
        (fits && text.bytes().all(|byte| byte.is_ascii_graphic())).then_some(Self(text))
    }

    /// The cursor as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Where to go on: the `Last-Event-ID` header that a browser sends when it connects again, else `after`.
    pub fn requested(headers: &HeaderMap, after: Option<&str>) -> Result<Option<Self>, Failure> {
        let refused = |parameter: &str| {
            Failure::new(
                ErrorCode::InvalidQuery,
                format!("`{parameter}` is not the id of an event. Send the last id you got, or leave it out."),
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
    /// Its place; `None` for what cannot be asked for again.
    pub cursor: Option<EventCursor>,
    /// What happened.
    pub kind: EventType,
    /// The event itself.
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

/// The answer that sends events as they come, with signs of life in between. It ends when the events do, and at once
/// when the server stops: the client connects again and goes on from its cursor, which it gets before the first event
/// so that it has one even if none has come.
pub fn event_stream<S>(begins: Option<EventCursor>, events: S, stop: CancellationToken) -> Response
where
    S: Stream<Item = SentEvent> + Send + 'static,
{
    chunk_stream(begins, events.map(|event| event.encode()), stop)
}

/// One event of a stream of its own, with nothing to go on from: its data is a single line of JSON.
pub(crate) fn encode_plain(event: &'static str, data: &Value) -> Bytes {
    Bytes::from(format!("event: {event}\ndata: {data}\n\n"))
}

/// The same for events that are encoded already.
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
    let sending = Sending { events: Box::pin(events), quiet, stop };
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

struct Sending {
    events: Pin<Box<dyn Stream<Item = Bytes> + Send>>,
    quiet: Interval,
    stop: CancellationToken,
}

impl Sending {
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

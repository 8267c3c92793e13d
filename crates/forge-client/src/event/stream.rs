//! The event stream, which reconnects as often as needed.

use std::collections::VecDeque;
use std::time::Duration;

use forge_api::{EventQuery, EventType, EventView};
use http::header::{ACCEPT, HeaderName};
use http::{HeaderValue, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;
use crate::event::frame::{SseFrame, SseFrameReader};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// The server sends a keep-alive every 15 seconds; after three missed ones the connection is dead.
const LONGEST_SILENCE: Duration = Duration::from_secs(45);
const OPEN_TIME: Duration = Duration::from_secs(30);
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How many connection attempts in a row may fail before the stream gives up.
const TRIES: u32 = 8;

/// A report of a stream to a program that shows the state of its connection.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamSignal {
    /// The next event.
    Event(Box<EventView>),
    /// The connection ended; the stream reconnects.
    Lost,
    /// The stream is connected again and continues without a gap.
    Restored,
}

/// Events in order, without gaps: after a lost connection the stream reconnects, and the server continues after the
/// last event that arrived.
#[derive(Debug)]
pub struct EventStream {
    client: ApiClient,
    query: EventQuery,
    last_id: Option<String>,
    connection: Option<StreamConnection>,
    ready: VecDeque<EventView>,
    failures: u32,
    retry: Duration,
}

#[derive(Debug)]
struct StreamConnection {
    status: StatusCode,
    body: Incoming,
    frames: SseFrameReader,
}

impl EventStream {
    /// Connects to the server and returns once it has accepted.
    pub(crate) async fn open(client: ApiClient, query: EventQuery) -> Result<Self, ClientError> {
        let mut stream = Self {
            client,
            query,
            last_id: None,
            connection: None,
            ready: VecDeque::new(),
            failures: 0,
            retry: FIRST_PAUSE,
        };
        stream.connection = Some(stream.connect().await?);
        Ok(stream)
    }

    /// The next event. An error is final: the server refused the stream or stayed unreachable too long.
    pub async fn next(&mut self) -> Result<EventView, ClientError> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.last_id = Some(event.id.clone());
                return Ok(event);
            }
            match &mut self.connection {
                Some(connection) => match connection.read().await {
                    Some(bytes) => self.take(&bytes)?,
                    None => self.connection = None,
                },
                None => self.connect_again().await?,
            }
        }
    }

    /// The next event, or the loss or return of the connection. Unlike [`EventStream::next`] it reconnects as long as
    /// the server is unreachable; an error is final: the server refused the stream.
    pub async fn next_signal(&mut self) -> Result<StreamSignal, ClientError> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.last_id = Some(event.id.clone());
                return Ok(StreamSignal::Event(Box::new(event)));
            }
            match &mut self.connection {
                Some(connection) => match connection.read().await {
                    Some(bytes) => self.take(&bytes)?,
                    None => {
                        self.connection = None;
                        return Ok(StreamSignal::Lost);
                    }
                },
                None => match self.try_to_reconnect().await {
                    Ok(()) => return Ok(StreamSignal::Restored),
                    Err(error) if error.is_transient() => {}
                    Err(error) => return Err(error),
                },
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), ClientError> {
        let Some(connection) = &mut self.connection else {
            return Ok(());
        };
        let odd = |reason: String| self.client.unexpected_answer(connection.status, reason);
        let frames = connection.frames.read(bytes).map_err(|error| odd(error.to_string()))?;
        self.retry = connection.frames.retry().unwrap_or(self.retry);
        if self.last_id.is_none() {
            self.last_id = connection.frames.start_id().map(str::to_owned);
        }
        for frame in frames {
            let event = read_event(frame).map_err(|error| odd(error.to_string()))?;
            self.ready.extend(event);
            self.failures = 0;
        }
        Ok(())
    }

    async fn connect_again(&mut self) -> Result<(), ClientError> {
        match self.try_to_reconnect().await {
            Err(error) if error.is_transient() && self.failures < TRIES => Ok(()),
            tried => tried,
        }
    }

    /// Tries the first time without a pause: the server closes streams when it restarts, and is usually back by then.
    async fn try_to_reconnect(&mut self) -> Result<(), ClientError> {
        if self.failures > 0 {
            pause(self.retry, self.failures).await;
        }
        self.failures = self.failures.saturating_add(1);
        self.connection = Some(self.connect().await?);
        Ok(())
    }

    async fn connect(&self) -> Result<StreamConnection, ClientError> {
        let mut query = self.query.clone();
        if self.last_id.is_some() {
            query.after = None;
        }
        let mut call = ApiCall::get("/events")
            .query(&query)?
            .header(ACCEPT, HeaderValue::from_static("text/event-stream"));
        if let Some(id) = &self.last_id {
            let value = HeaderValue::from_str(id).map_err(|_| {
                ClientError::BadRequest(
                    "the id of the last event is not a valid header value".to_owned(),
                )
            })?;
            call = call.header(LAST_EVENT_ID, value);
        }
        let response =
            tokio::time::timeout(OPEN_TIME, self.client.send_streaming(call)).await.map_err(
                |_| ClientError::Timeout { url: self.client.url().to_string(), after: OPEN_TIME },
            )??;
        let (parts, body) = response.into_parts();
        Ok(StreamConnection { status: parts.status, body, frames: SseFrameReader::default() })
    }
}

impl StreamConnection {
    /// The next bytes; `None` when the connection ended, broke or was silent too long.
    async fn read(&mut self) -> Option<bytes::Bytes> {
        loop {
            let frame = tokio::time::timeout(LONGEST_SILENCE, self.body.frame()).await;
            // Trailers contain nothing for this client.
            if let Ok(bytes) = frame.ok()??.ok()?.into_data() {
                return Some(bytes);
            }
        }
    }
}

/// `None` for an event type that a newer server sends and this version does not know.
fn read_event(frame: SseFrame) -> Result<Option<EventView>, serde_json::Error> {
    if EventType::parse(&frame.event).is_none() {
        return Ok(None);
    }
    let mut event: EventView = serde_json::from_str(&frame.data)?;
    if let Some(id) = frame.id {
        event.id = id;
    }
    Ok(Some(event))
}

#[expect(
    clippy::disallowed_methods,
    reason = "an unreachable server sends no event to wait for; the pause limits the reconnect rate"
)]
async fn pause(retry: Duration, failures: u32) {
    let doubled = retry.saturating_mul(1 << failures.saturating_sub(1).min(10));
    tokio::time::sleep(doubled.min(LONGEST_PAUSE.max(retry))).await;
}

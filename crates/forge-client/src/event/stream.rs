//! The event stream, over as many connections as it takes.

use std::collections::VecDeque;
use std::time::Duration;

use forge_api::{Event, EventQuery, EventType};
use http::header::{ACCEPT, HeaderName};
use http::{HeaderValue, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;

use super::frame::{Frame, FrameReader};
use crate::call::Call;
use crate::client::Client;
use crate::error::ClientError;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// The server gives a sign of life every 15 seconds; after three of them missed the connection is dead.
const LONGEST_SILENCE: Duration = Duration::from_secs(45);
const OPEN_TIME: Duration = Duration::from_secs(30);
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How often in a row a connection may fail before the stream gives up.
const TRIES: u32 = 8;

/// Events in order, without gaps: when the connection breaks it is made again, and the server goes on after the last
/// event that arrived.
#[derive(Debug)]
pub struct EventStream {
    client: Client,
    query: EventQuery,
    last_id: Option<String>,
    connection: Option<Connection>,
    ready: VecDeque<Event>,
    failures: u32,
    retry: Duration,
}

#[derive(Debug)]
struct Connection {
    status: StatusCode,
    body: Incoming,
    frames: FrameReader,
}

impl Client {
    /// Streams events, beginning with those after `query.after`, or with new ones. Answers once the server accepted,
    /// so that nothing that happens afterwards is missed.
    pub async fn follow_events(&self, query: EventQuery) -> Result<EventStream, ClientError> {
        let mut stream = EventStream {
            client: self.clone(),
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
}

impl EventStream {
    /// The id of the last event that arrived, or where the stream began; a later stream can begin `after` it.
    pub fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref()
    }

    /// The next event. An error is final: the server refused the stream, or stayed away too long.
    pub async fn next(&mut self) -> Result<Event, ClientError> {
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

    fn take(&mut self, bytes: &[u8]) -> Result<(), ClientError> {
        let Some(connection) = &mut self.connection else {
            return Ok(());
        };
        let odd = |reason: String| self.client.odd(connection.status, reason);
        let frames = connection.frames.read(bytes).map_err(|error| odd(error.to_string()))?;
        self.retry = connection.frames.retry().unwrap_or(self.retry);
        if self.last_id.is_none() {
            self.last_id = connection.frames.began().map(str::to_owned);
        }
        for frame in frames {
            let event = read_event(frame).map_err(|error| odd(error.to_string()))?;
            self.ready.extend(event);
            self.failures = 0;
        }
        Ok(())
    }

    /// The first time at once: the server closes streams when it restarts, and is most often back by then.
    async fn connect_again(&mut self) -> Result<(), ClientError> {
        if self.failures > 0 {
            pause(self.retry, self.failures).await;
        }
        self.failures += 1;
        match self.connect().await {
            Ok(connection) => self.connection = Some(connection),
            Err(error) if error.may_pass() && self.failures < TRIES => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    async fn connect(&self) -> Result<Connection, ClientError> {
        let mut query = self.query.clone();
        if self.last_id.is_some() {
            query.after = None;
        }
        let mut call = Call::get("/events")
            .query(&query)?
            .header(ACCEPT, HeaderValue::from_static("text/event-stream"));
        if let Some(id) = &self.last_id {
            let value = HeaderValue::from_str(id).map_err(|_| {
                ClientError::BadRequest("the last event's id is no header".to_owned())
            })?;
            call = call.header(LAST_EVENT_ID, value);
        }
        let response =
            tokio::time::timeout(OPEN_TIME, self.client.opened(call)).await.map_err(|_| {
                ClientError::Timeout { url: self.client.url().to_string(), after: OPEN_TIME }
            })??;
        let (parts, body) = response.into_parts();
        Ok(Connection { status: parts.status, body, frames: FrameReader::default() })
    }
}

impl Connection {
    /// The next bytes; `None` when the connection ended, broke or fell silent.
    async fn read(&mut self) -> Option<bytes::Bytes> {
        loop {
            let frame = tokio::time::timeout(LONGEST_SILENCE, self.body.frame()).await;
            // Trailers carry nothing for us.
            if let Ok(bytes) = frame.ok()??.ok()?.into_data() {
                return Some(bytes);
            }
        }
    }
}

/// `None` for what a newer server may send and this version has no name for.
fn read_event(frame: Frame) -> Result<Option<Event>, serde_json::Error> {
    if EventType::parse(&frame.event).is_none() {
        return Ok(None);
    }
    let mut event: Event = serde_json::from_str(&frame.data)?;
    if let Some(id) = frame.id {
        event.id = id;
    }
    Ok(Some(event))
}

#[expect(
    clippy::disallowed_methods,
    reason = "a server that is away sends no event to wait for; the pause keeps clients from storming it"
)]
async fn pause(retry: Duration, failures: u32) {
    let doubled = retry.saturating_mul(1 << failures.saturating_sub(1).min(10));
    tokio::time::sleep(doubled.min(LONGEST_PAUSE.max(retry))).await;
}

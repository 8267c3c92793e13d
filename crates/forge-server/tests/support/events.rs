//! The event stream, as a client reads it.

use http_body_util::BodyExt;
use hyper::body::Incoming;
use serde_json::Value;

/// One received event.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedEvent {
    pub id: String,
    pub kind: String,
    pub data: Value,
}

/// An open event stream.
#[derive(Debug)]
pub struct EventReader {
    body: Incoming,
    unread: String,
}

impl EventReader {
    pub fn new(body: Incoming) -> Self {
        Self { body, unread: String::new() }
    }

    /// The id that the server sends before every event.
    pub async fn began(mut self) -> String {
        loop {
            let id = self.unread.lines().find_map(|line| line.strip_prefix("id: "));
            if let Some(id) = id {
                return id.to_owned();
            }
            let frame = self.body.frame().await.expect("the stream goes on").expect("readable");
            let bytes = frame.into_data().unwrap_or_default();
            self.unread.push_str(std::str::from_utf8(&bytes).expect("events are UTF-8"));
        }
    }

    /// The next event; `None` once the server ended the stream.
    pub async fn next(&mut self) -> Option<ReceivedEvent> {
        loop {
            if let Some((block, rest)) = self.unread.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.unread = rest;
                match parse(&block) {
                    Some(event) => return Some(event),
                    None => continue,
                }
            }
            let frame = self.body.frame().await?.ok()?;
            let bytes = frame.into_data().unwrap_or_default();
            let text = String::from_utf8(bytes.to_vec()).expect("events are UTF-8");
            self.unread.push_str(&text);
        }
    }

    /// The next `count` events.
    pub async fn take(&mut self, count: usize) -> Vec<ReceivedEvent> {
        let mut seen = Vec::new();
        while seen.len() < count {
            seen.push(self.next().await.expect("the stream goes on"));
        }
        seen
    }

    /// Reads until an event fulfils the condition, and returns it.
    pub async fn until(&mut self, condition: impl Fn(&ReceivedEvent) -> bool) -> ReceivedEvent {
        loop {
            let event = self.next().await.expect("the stream goes on");
            if condition(&event) {
                return event;
            }
        }
    }
}

/// `None` for comments and the retry line.
fn parse(block: &str) -> Option<ReceivedEvent> {
    let field = |name: &str| {
        let mut lines = block.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    };
    Some(ReceivedEvent {
        id: field("id").unwrap_or_default().to_owned(),
        kind: field("event")?.to_owned(),
        data: serde_json::from_str(field("data")?).expect("data is JSON"),
    })
}

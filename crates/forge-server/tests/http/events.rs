//! SPEC S-2: the wire format of events.

use forge_api::EventType;
use forge_server::{EventCursor, SentEvent, event_stream};
use futures::{StreamExt, stream};
use http::HeaderMap;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

fn event(cursor: &str, data: Value) -> SentEvent {
    SentEvent { cursor: EventCursor::new(cursor), kind: EventType::TaskCreated, data }
}

#[tokio::test]
async fn s_2_events_have_their_cursor_type_and_one_line_of_json() {
    let events = [event("p1.7", json!({ "title": "two\nlines" })), event("p1.8", Value::Null)];
    let response =
        event_stream(EventCursor::new("p1.6"), stream::iter(events), CancellationToken::new());
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    assert_eq!(response.headers()["cache-control"], "no-store");
    let bytes = response.into_body().collect().await.expect("a whole body").to_bytes();
    assert_eq!(
        bytes,
        "retry: 2000\nid: p1.6\n\n\
         id: p1.7\nevent: task.created\ndata: {\"title\":\"two\\nlines\"}\n\n\
         id: p1.8\nevent: task.created\ndata: null\n\n"
    );
}

#[tokio::test(start_paused = true)]
async fn s_2_an_idle_stream_sends_keep_alives() {
    let response = event_stream(None, stream::pending(), CancellationToken::new());
    let mut chunks = response.into_body().into_data_stream();
    let mut next = async || chunks.next().await.expect("a chunk").expect("readable");
    assert_eq!(next().await, "retry: 2000\n\n");
    assert_eq!(next().await, ": still here\n\n");
    assert_eq!(next().await, ": still here\n\n");
}

#[tokio::test]
async fn s_2_a_stopping_server_ends_the_stream() {
    let stop = CancellationToken::new();
    let response = event_stream(None, stream::pending(), stop.clone());
    stop.cancel();
    let bytes = response.into_body().collect().await.expect("it ends").to_bytes();
    assert_eq!(bytes, "retry: 2000\n\n");
}

#[test]
fn s_2_replay_starts_after_the_header_else_after_the_parameter() {
    let mut headers = HeaderMap::new();
    let requested = |headers: &HeaderMap, after| {
        let cursor = EventCursor::requested(headers, after);
        cursor.map(|cursor| cursor.map(|cursor| cursor.as_str().to_owned()))
    };
    assert_eq!(requested(&headers, None), Ok(None));
    assert_eq!(requested(&headers, Some("a.1")), Ok(Some("a.1".to_owned())));
    headers.insert("last-event-id", "".parse().expect("a value"));
    assert_eq!(requested(&headers, None), Ok(None));
    headers.insert("last-event-id", "a.2".parse().expect("a value"));
    assert_eq!(requested(&headers, Some("a.1")), Ok(Some("a.2".to_owned())));
    headers.insert("last-event-id", "a 2".parse().expect("a value"));
    let refused = requested(&headers, None).expect_err("a space is in no cursor");
    assert_eq!(refused.details()["parameter"], "Last-Event-ID");
    let refused = requested(&HeaderMap::new(), Some("a\ndata: forged")).expect_err("a line break");
    assert_eq!(refused.details()["parameter"], "after");
}

//! The event stream over good and bad connections (SPEC S-2).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use forge_api::{ErrorBody, ErrorCode, EventQuery, EventType};
use forge_client::{ClientError, StreamSignal};
use futures::stream;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::server::{TOKEN, serve};

fn message(seq: u64, kind: &str) -> String {
    let event = json!({
        "id": format!("1:{seq}"), "project_id": Uuid::nil(), "seq": seq, "type": kind, "task_id": null,
        "actor": { "kind": "system", "component": "tëst" }, "at": "2026-01-02T03:04:05Z", "data": Value::Null,
    });
    format!("id: 1:{seq}\nevent: {kind}\ndata: {event}\n\n")
}

/// An answer that sends a text in pieces of a few bytes and then ends.
fn in_pieces(text: &str, size: usize) -> Response {
    let pieces: Vec<_> = text.as_bytes().chunks(size).map(Bytes::copy_from_slice).collect();
    let body = Body::from_stream(stream::iter(pieces.into_iter().map(Ok::<_, std::io::Error>)));
    ([(CONTENT_TYPE, "text/event-stream")], body).into_response()
}

/// The n-th connection gets the n-th answer; after the last one, 503.
fn answers(texts: Vec<String>) -> Router {
    let count = Arc::new(AtomicUsize::new(0));
    let texts = Arc::new(texts);
    Router::new().route(
        "/api/v1/events",
        get(move || {
            let text = texts.get(count.fetch_add(1, Ordering::SeqCst)).cloned();
            async move {
                match text {
                    Some(text) => in_pieces(&text, 3),
                    None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
                }
            }
        }),
    )
}

#[tokio::test]
async fn s_2_a_broken_stream_continues_after_the_last_event() {
    let first = format!(
        "retry: 1\n\n: hello\n\n{}{}{}",
        message(1, "task.created"),
        message(2, "from.the.future"),
        message(3, "task.updated"),
    );
    // Cut inside an event: it does not count as received and is sent again.
    let cut = message(4, "task.updated");
    let half = cut.get(..cut.len() / 2).expect("ASCII up to there");
    let second = message(4, "task.transitioned");
    let served = serve(answers(vec![format!("{first}{half}"), second])).await;
    let query =
        EventQuery { project: Some(Uuid::nil()), after: Some("1:0".to_owned()), types: None };
    let mut stream = served.client.events().follow(query).await.expect("a stream");
    let mut seen = Vec::new();
    for _ in 0..3 {
        let event = stream.next().await.expect("an event");
        seen.push((event.seq, event.kind));
    }
    let expected = [
        (1, EventType::TaskCreated),
        (3, EventType::TaskUpdated),
        (4, EventType::TaskTransitioned),
    ];
    assert_eq!(seen, expected);
    let project = Uuid::nil();
    assert_eq!(
        served.requests(),
        [
            format!(
                "GET /api/v1/events?project={project}&after=1%3A0 authorization=Bearer {TOKEN}"
            ),
            format!(
                "GET /api/v1/events?project={project} authorization=Bearer {TOKEN} last-event-id=1:3"
            ),
        ]
    );
}

#[tokio::test]
async fn a_server_that_stays_unreachable_ends_the_stream_with_its_last_error() {
    let served = serve(answers(vec![format!("retry: 1\n\n{}", message(1, "task.created"))])).await;
    let mut stream = served.client.events().follow(EventQuery::default()).await.expect("a stream");
    assert_eq!(stream.next().await.expect("an event").seq, 1);
    let error = stream.next().await.expect_err("it stays away");
    assert!(matches!(error, ClientError::BadAnswer { status: 503, .. }), "{error:?}");
    assert_eq!(served.requests().len(), 1 + 8);
}

#[tokio::test]
async fn s_2_a_program_sees_the_loss_and_the_return_of_the_connection() {
    let first = format!("retry: 1\n\n{}", message(1, "task.created"));
    let served = serve(answers(vec![first, message(2, "task.updated")])).await;
    let mut stream = served.client.events().follow(EventQuery::default()).await.expect("a stream");
    let mut seen = Vec::new();
    for _ in 0..5 {
        seen.push(match stream.next_signal().await.expect("a signal") {
            StreamSignal::Event(event) => event.id,
            StreamSignal::Lost => "lost".to_owned(),
            StreamSignal::Restored => "restored".to_owned(),
        });
    }
    assert_eq!(seen, ["1:1", "lost", "restored", "1:2", "lost"]);
    let reconnect = served.requests().pop().expect("requests");
    assert!(reconnect.ends_with("last-event-id=1:1"), "{reconnect}");
}

#[tokio::test]
async fn a_refused_stream_is_not_retried() {
    let refused = || async {
        let body = ErrorBody {
            code: ErrorCode::Unauthorized,
            message: "Sign in.".to_owned(),
            details: Value::Null,
            request_id: "r-1".to_owned(),
        };
        (StatusCode::UNAUTHORIZED, axum::Json(body))
    };
    let served = serve(Router::new().route("/api/v1/events", get(refused))).await;
    let error = served.client.events().follow(EventQuery::default()).await.expect_err("refused");
    assert!(matches!(error, ClientError::Api { status: 401, .. }), "{error:?}");
    assert_eq!(served.requests().len(), 1);
}

#[tokio::test]
async fn a_message_that_is_not_an_event_is_an_error() {
    let served = serve(answers(vec!["event: task.created\ndata: {}\n\n".to_owned()])).await;
    let mut stream = served.client.events().follow(EventQuery::default()).await.expect("a stream");
    let error = stream.next().await.expect_err("no event");
    assert!(matches!(error, ClientError::BadAnswer { status: 200, .. }), "{error:?}");
}

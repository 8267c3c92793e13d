//! SPEC S-1, T-1: bodies that are too large, malformed or misspelt are refused with their own code.

use std::time::Duration;

use axum::body::Body as RawBody;
use axum::routing::post;
use axum::{Json, Router};
use bytes::Bytes;
use forge_server::{BodyLimits, JsonBody, OptionalJsonBody};
use futures::StreamExt;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::answer::{Answer, dressed, request, send};

#[derive(Debug, Serialize, Deserialize)]
struct Order {
    title: String,
    #[serde(default)]
    lines: Vec<Line>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gift: Option<Line>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    count: u32,
}

#[derive(Debug, Serialize, Deserialize)]
struct Note {
    #[serde(default)]
    reason: Option<String>,
}

fn routes() -> Router {
    let limits = BodyLimits {
        body_bytes: 1000,
        body_time: Duration::from_millis(50),
        ..BodyLimits::default()
    };
    let routes = Router::new()
        .route("/orders", post(async |JsonBody(order): JsonBody<Order>| Json(order)))
        .route("/notes", post(async |OptionalJsonBody(note): OptionalJsonBody<Note>| Json(note)))
        .with_state(limits);
    dressed(routes)
}

async fn order(body: impl Into<RawBody>) -> Answer {
    let request = request("POST", "/orders").header("content-type", "application/json");
    send(&routes(), request.body(body.into()).expect("a request")).await
}

#[tokio::test]
async fn a_valid_body_is_accepted() {
    let sent = json!({ "title": "a [[[ \" title", "lines": [{ "count": 1 }] });
    assert_eq!(order(sent.to_string()).await.json(), sent);
}

#[tokio::test]
async fn t_1_all_unknown_fields_are_named() {
    let body = json!({ "title": "a", "titel": 1, "lines": [{ "count": 1, "x": { "y": 1 } }, { "count": 2, "z": 0 }],
        "gift": { "count": 1, "bow": true } });
    let details = order(body.to_string()).await.failed_with(422, "unknown_field");
    let mut fields: Vec<_> = details["fields"].as_array().expect("a list").clone();
    fields.sort_by_key(ToString::to_string);
    assert_eq!(fields, ["gift.bow", "lines.0.x", "lines.1.z", "titel"]);
}

#[tokio::test]
async fn s_1_a_wrong_field_is_named_by_its_path() {
    for (body, path) in [
        (r#"{"title": 1}"#, "title"),
        (r#"{"title": "a", "lines": [{"count": 1}, {"count": -1}]}"#, "lines.1.count"),
        (r#"{"title": "a", "lines": [{}]}"#, "lines.0.count"),
        (r#"{"lines": []}"#, "title"),
        (r#"{"title": "a", "title": "b"}"#, "title"),
        (r#"7"#, "."),
    ] {
        let details = order(body).await.failed_with(422, "invalid_field");
        assert_eq!(details["path"], path, "{body}");
    }
}

#[tokio::test]
async fn s_1_a_misspelt_required_field_is_reported_with_the_written_name() {
    let details = order(r#"{"titel": "a"}"#).await.failed_with(422, "invalid_field");
    assert_eq!(details, json!({ "path": "title", "unknown_fields": ["titel"] }));
}

#[tokio::test]
async fn s_1_invalid_json_is_reported_with_its_position() {
    for (body, line, column) in
        [("{\n  \"title\": nope}", 2, 13), ("", 1, 0), (r#"{"title": "a"} {}"#, 1, 16)]
    {
        let details = order(body).await.failed_with(400, "body_not_json");
        assert_eq!(
            (&details["line"], &details["column"]),
            (&json!(line), &json!(column)),
            "{body}"
        );
    }
}

#[tokio::test]
async fn s_1_bytes_that_are_not_utf_8_are_refused() {
    let body = b"{\"title\": \"\xff\"}".to_vec();
    let details = order(body).await.failed_with(400, "body_not_utf8");
    assert_eq!(details["valid_up_to"], 11);
}

#[tokio::test]
async fn s_1_depth_is_bounded_also_inside_unknown_fields() {
    let nested = |depth: usize| {
        format!(r#"{{"title": "a", "x": {}{}}}"#, "[".repeat(depth), "]".repeat(depth))
    };
    order(nested(31)).await.failed_with(422, "unknown_field");
    let details = order(nested(32)).await.failed_with(400, "body_too_deep");
    assert_eq!(details["limit"], 32);
}

#[tokio::test]
async fn s_1_size_is_bounded_with_and_without_an_announced_length() {
    let large = format!(r#"{{"title": "{}"}}"#, "x".repeat(1000));
    let details = order(large.clone()).await.failed_with(413, "body_too_large");
    assert_eq!(details["limit"], 1000);
    let chunks = futures::stream::iter([Ok::<_, std::io::Error>(Bytes::from(large))]);
    order(RawBody::from_stream(chunks)).await.failed_with(413, "body_too_large");
}

#[tokio::test]
async fn s_1_a_body_that_never_ends_times_out() {
    let first = futures::stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(b"{"))]);
    let endless = first.chain(futures::stream::pending());
    order(RawBody::from_stream(endless)).await.failed_with(408, "request_timeout");
}

#[tokio::test]
async fn s_1_the_content_type_must_be_json() {
    let routes = routes();
    for (content_type, accepted) in [
        (None, false),
        (Some("text/plain"), false),
        (Some("application/x-www-form-urlencoded"), false),
        (Some("application/jsonx"), false),
        (Some("Application/JSON; charset=utf-8"), true),
    ] {
        let mut request = request("POST", "/orders");
        if let Some(content_type) = content_type {
            request = request.header("content-type", content_type);
        }
        let request = request.body(RawBody::from(r#"{"title": "a"}"#));
        let answer = send(&routes, request.expect("a request")).await;
        if accepted {
            assert_eq!(answer.status, 200);
        } else {
            answer.failed_with(415, "unsupported_media_type");
        }
    }
}

#[tokio::test]
async fn an_optional_body_may_be_left_out_but_not_malformed() {
    let routes = routes();
    let note = async |content_type: Option<&str>, body: &'static str| {
        let mut request = request("POST", "/notes");
        if let Some(content_type) = content_type {
            request = request.header("content-type", content_type);
        }
        send(&routes, request.body(RawBody::from(body)).expect("a request")).await
    };
    assert_eq!(note(None, "").await.json(), json!({ "reason": Value::Null }));
    let said = note(Some("application/json"), r#"{"reason": "x"}"#).await;
    assert_eq!(said.json(), json!({ "reason": "x" }));
    note(None, r#"{"reason": "x"}"#).await.failed_with(415, "unsupported_media_type");
    let unknown = note(Some("application/json"), r#"{"reasn": "x"}"#).await;
    unknown.failed_with(422, "unknown_field");
}

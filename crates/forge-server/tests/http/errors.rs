//! SPEC S-1: errors are always `{code, message, details, request_id}`, whether a handler or a library makes them.

use std::io::Write;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::routing::{get as on_get, post};
use axum::{Json, Router};
use forge_api::{ErrorCode, PageQuery};
use forge_server::{ApiError, Path, Query, unknown_path};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::answer::{dressed, get, request, send};

fn routes() -> Router {
    let routes = Router::new()
        .route("/things", on_get(async || "things"))
        .route("/things/{id}", on_get(async |Path(id): Path<Uuid>| id.to_string()))
        .route("/page", on_get(async |Query(page): Query<PageQuery>| Json(page)))
        .route("/library", post(async |Json(_): Json<Value>| "taken"))
        .route("/broken", on_get(async || -> &'static str { panic!("on purpose") }))
        .route("/busy", on_get(async || ApiError::from_code(ErrorCode::Throttled).retry_after(7)))
        .route(
            "/foreign",
            on_get(async || (http::StatusCode::BAD_REQUEST, Json(json!({ "jsonrpc": "2.0" })))),
        )
        .fallback(unknown_path);
    dressed(routes)
}

#[tokio::test]
async fn s_1_an_unknown_path_is_not_found() {
    let details = get(&routes(), "/nothing").await.failed_with(404, "not_found");
    assert_eq!(details["path"], "/nothing");
}

#[tokio::test]
async fn s_1_a_wrong_method_names_the_right_ones() {
    let request = request("DELETE", "/things").body(Body::empty());
    let answer = send(&routes(), request.expect("a request")).await;
    answer.failed_with(405, "method_not_allowed");
    assert_eq!(answer.header("allow"), "GET,HEAD");
}

#[tokio::test]
async fn s_1_a_bad_identifier_in_the_path_is_not_found() {
    let routes = routes();
    for id in ["17", "--help", "%ff", "..%2f..", "00000000-0000-0000-0000-00000000000g"] {
        let answer = get(&routes, &format!("/things/{id}")).await;
        let details = answer.failed_with(404, "not_found");
        assert_eq!(details["parameter"], "id", "{id}");
    }
    let id = "018f4e6a-0000-7000-8000-000000000001";
    assert_eq!(get(&routes, &format!("/things/{id}")).await.text, id);
}

#[tokio::test]
async fn s_1_query_parameters_are_known_and_well_formed() {
    let routes = routes();
    let refused = async |query: &str| {
        let answer = get(&routes, &format!("/page?{query}")).await;
        answer.failed_with(400, "invalid_query")
    };
    assert_eq!(refused("limit=many").await["parameter"], "limit");
    assert_eq!(refused("limit=-1").await["parameter"], "limit");
    assert_eq!(refused("limit=1&limit=2").await["parameter"], "limit");
    let unknown = refused("limit=1&limt=2&ofset=3").await;
    assert_eq!(unknown["unknown"], json!(["limt", "ofset"]));
    assert_eq!(refused("cursor=%ff%fe").await, Value::Null);
    let good = get(&routes, "/page?limit=3&cursor=%C3%A4+b%").await;
    assert_eq!(good.json(), json!({ "limit": 3, "cursor": "ä b%" }));
}

#[tokio::test]
async fn s_1_a_refusal_by_a_library_gets_the_same_shape() {
    let request = request("POST", "/library").body(Body::from("{}"));
    let answer = send(&routes(), request.expect("a request")).await;
    answer.failed_with(415, "unsupported_media_type");
}

#[tokio::test]
async fn s_1_an_error_of_another_protocol_is_not_changed() {
    let answer = get(&routes(), "/foreign").await;
    assert_eq!(answer.json(), json!({ "jsonrpc": "2.0" }));
}

#[tokio::test]
async fn s_1_a_panic_is_an_internal_error_without_details() {
    let answer = get(&routes(), "/broken").await;
    answer.failed_with(500, "internal");
    assert!(!answer.text.contains("on purpose"));
}

#[tokio::test]
async fn s_1_retry_after_is_a_header() {
    let answer = get(&routes(), "/busy").await;
    answer.failed_with(429, "throttled");
    assert_eq!(answer.header("retry-after"), "7");
}

#[tokio::test]
async fn s_1_the_server_creates_a_new_request_id_each_time() {
    let routes = routes();
    let ask = async || {
        let request = request("GET", "/things").header("x-request-id", "mine");
        let answer = send(&routes, request.body(Body::empty()).expect("a request")).await;
        let id: Uuid = answer.header("x-request-id").parse().expect("a UUID");
        assert_eq!(id.get_version_num(), 7);
        id
    };
    let (first, second) = (ask().await, ask().await);
    assert!(first < second);
}

/// The log output of one request, as JSON lines.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("not poisoned").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn s_7_the_log_names_request_and_route_but_never_the_path() {
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .json()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone());
    let _logging = tracing::subscriber::set_default(subscriber.finish());
    let answer = get(&routes(), "/things/secret?code=secret").await;
    let logged = lines.0.lock().expect("not poisoned").clone();
    let logged = String::from_utf8(logged).expect("UTF-8");
    let line = logged.lines().find(|line| line.contains("answered"));
    let line: Value = serde_json::from_str(line.expect("a line")).expect("JSON");
    assert_eq!(line["span"]["request_id"], answer.header("x-request-id"));
    assert_eq!(line["span"]["route"], "/things/{id}");
    assert_eq!(line["fields"]["status"], 404);
    assert!(!logged.contains("secret"), "{logged}");
}

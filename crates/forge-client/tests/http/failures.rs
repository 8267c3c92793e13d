//! The errors that a caller gets when a call fails.

use std::time::Duration;

use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use forge_api::{ErrorCode, SecretString};
use forge_client::{ApiClient, ClientError};
use serde_json::json;
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::server::{TOKEN, serve};

#[tokio::test]
async fn s_1_an_error_body_arrives_whole() {
    let refused = || async {
        let body = json!({
            "code": "version_conflict", "message": "The task has changed. Fetch it again.",
            "details": { "expected": 3, "actual": 4 }, "request_id": "r-1",
        });
        (StatusCode::CONFLICT, Json(body))
    };
    let served = serve(Router::new().route("/api/v1/tasks/{id}", get(refused))).await;
    let error = served.client.tasks().fetch(Uuid::nil()).await.expect_err("refused");
    assert_eq!(error.to_string(), "The task has changed. Fetch it again.");
    let ClientError::Api { status, body } = error else {
        panic!("{error:?}");
    };
    assert_eq!((status, body.code), (409, ErrorCode::VersionConflict));
    assert_eq!(body.details["actual"], 4);
    assert_eq!(body.request_id, "r-1");
}

#[tokio::test]
async fn an_answer_of_another_program_is_reported_as_such() {
    let proxy = || async { (StatusCode::BAD_GATEWAY, "<h1>Bad\n\u{1b}[31m gateway</h1>") };
    let page = || async { "<html>hello</html>" };
    let routes =
        Router::new().route("/api/v1/tasks/{id}", get(proxy)).route("/api/v1/auth/me", get(page));
    let served = serve(routes).await;
    let error = served.client.tasks().fetch(Uuid::nil()).await.expect_err("a proxy");
    let text = error.to_string();
    assert!(
        text.contains("answered 502") && text.contains("`<h1>Bad [31m gateway</h1>`"),
        "{text}"
    );
    let error = served.client.accounts().fetch_me().await.expect_err("a page");
    assert!(matches!(error, ClientError::BadAnswer { status: 200, .. }), "{error:?}");
}

#[tokio::test]
async fn a_missing_server_error_says_how_to_start_one() {
    let socket = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = socket.local_addr().expect("an address");
    drop(socket);
    let url = format!("http://{address}").parse().expect("an address");
    let client = ApiClient::new(url, None).expect("a client");
    let error = client.accounts().fetch_me().await.expect_err("no server listens");
    let expected = ClientError::Refused { url: format!("http://{address}") };
    assert_eq!(error, expected);
    assert!(error.to_string().contains("`forge serve`"), "{error}");
}

#[tokio::test]
async fn a_server_that_disconnects_is_unreachable() {
    let socket = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = socket.local_addr().expect("an address");
    let hangs_up = tokio::spawn(async move { while socket.accept().await.is_ok() {} });
    let url = format!("http://{address}").parse().expect("an address");
    let client = ApiClient::new(url, None).expect("a client");
    let error = client.accounts().fetch_me().await.expect_err("it hung up");
    assert!(matches!(error, ClientError::Unreachable { .. }), "{error:?}");
    hangs_up.abort();
}

#[tokio::test]
async fn a_silent_server_times_out() {
    let silent = || async { std::future::pending::<()>().await };
    let served = serve(Router::new().route("/api/v1/auth/me", get(silent))).await;
    let client = served.client.clone().with_answer_time(Duration::from_millis(20));
    let error = client.accounts().fetch_me().await.expect_err("silence");
    assert!(matches!(error, ClientError::Timeout { .. }), "{error:?}");
}

#[tokio::test]
async fn s_6_the_token_is_in_no_address_error_or_debug_output() {
    let served = serve(Router::new()).await;
    let error = served.client.accounts().fetch_me().await.expect_err("no such route");
    let shown = format!("{:?} {error:?} {error}", served.client);
    assert!(!shown.contains(TOKEN), "{shown}");
    let requests = served.requests();
    assert_eq!(requests, [format!("GET /api/v1/auth/me authorization=Bearer {TOKEN}")]);
}

#[tokio::test]
async fn an_invalid_token_is_refused_before_a_request_is_sent() {
    for token in ["", "two words", "line\nbreak", "ü"] {
        let url = "http://127.0.0.1:1".parse().expect("an address");
        let error = ApiClient::new(url, Some(&SecretString::new(token))).expect_err(token);
        assert_eq!(error, ClientError::UnusableToken);
    }
}

#[tokio::test]
async fn an_https_address_is_never_contacted_unencrypted() {
    let served = serve(Router::new()).await;
    let plain = served.client.url().to_string();
    let url = plain.replace("http://", "https://").parse().expect("an address");
    let error = match ApiClient::new(url, Some(&SecretString::new(TOKEN))) {
        Ok(client) => client.accounts().fetch_me().await.expect_err("no TLS there"),
        Err(error) => error,
    };
    let expected = matches!(error, ClientError::NotTls { .. } | ClientError::NoCertificates(_));
    assert!(expected, "{error:?}");
    assert_eq!(served.requests(), [""; 0]);
}

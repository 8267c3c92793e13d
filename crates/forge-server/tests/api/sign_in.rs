//! Passwords, sessions and the throttle (S-6).

use http::Method;
use serde_json::json;

use crate::support::{HttpAnswer, TestServer};

async fn login(server: &TestServer, name: &str, password: &str) -> HttpAnswer {
    let body = json!({ "name": name, "password": password });
    let request = server.stranger(Method::POST, "/api/v1/auth/login");
    server.send(request, Some(body.to_string())).await
}

async fn with_user() -> TestServer {
    let server = TestServer::start().await;
    let body = json!({ "name": "Ada", "password": "correct horse" });
    let (status, user) = server.post("/users", body).await;
    assert_eq!(status, 201, "{user}");
    server
}

async fn as_session(server: &TestServer, cookie: &str, method: Method, path: &str) -> HttpAnswer {
    let request = server.stranger(method, path).header("cookie", cookie);
    server.send(request, None::<String>).await
}

#[tokio::test]
async fn s_6_a_password_starts_a_session_and_signing_out_ends_it() {
    let server = with_user().await;
    let answer = login(&server, "Ada", "correct horse").await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let cookie = answer.header("set-cookie");
    let cookie = cookie.split(';').next().expect("a cookie").to_owned();
    let me = as_session(&server, &cookie, Method::GET, "/api/v1/auth/me").await;
    assert_eq!(me.json()["user"]["name"], "Ada");
    let out = as_session(&server, &cookie, Method::POST, "/api/v1/auth/logout").await;
    assert_eq!(out.status, 204);
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    // The session has ended on the server too, although it was cached a moment ago.
    let me = as_session(&server, &cookie, Method::GET, "/api/v1/auth/me").await;
    me.failed_with(401, "unauthorized");
}

#[tokio::test]
async fn s_6_a_session_survives_a_restart() {
    let server = with_user().await;
    let answer = login(&server, "Ada", "correct horse").await;
    let cookie = answer.header("set-cookie").split(';').next().expect("a cookie").to_owned();
    let server = server.restart().await;
    let me = as_session(&server, &cookie, Method::GET, "/api/v1/auth/me").await;
    assert_eq!(me.status, 200);
}

#[tokio::test]
async fn s_6_wrong_names_and_wrong_passwords_look_alike() {
    let server = with_user().await;
    let mut bodies = Vec::new();
    // The bootstrap admin has no password at all.
    for (name, password) in [("Ada", "wrong"), ("Unknown", "wrong"), ("admin", "")] {
        let answer = login(&server, name, password).await;
        answer.failed_with(401, "unauthorized");
        bodies.push(answer.json()["message"].clone());
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1);
}

#[tokio::test]
async fn s_6_guessing_is_throttled_and_says_how_long() {
    let server = with_user().await;
    for _ in 0..6 {
        login(&server, "Ada", "a guess").await.failed_with(401, "unauthorized");
    }
    // The right password does not help now: otherwise an attacker would learn that it was right.
    let refused = login(&server, "Ada", "correct horse").await;
    let details = refused.failed_with(429, "throttled");
    let seconds = details["retry_after_seconds"].as_u64().expect("seconds");
    assert!(seconds >= 1);
    assert_eq!(refused.header("retry-after"), seconds.to_string());
}

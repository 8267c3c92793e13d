//! Bearer tokens: shown once, scoped, revocable at once (S-6).

use http::Method;
use serde_json::{Value, json};

use crate::support::{EventReader, HttpAnswer, TestServer};

async fn with_token(server: &TestServer, token: &str, method: Method, path: &str) -> HttpAnswer {
    let request = server.stranger(method, path).header("authorization", format!("Bearer {token}"));
    server.send(request, None::<String>).await
}

async fn made(server: &TestServer, body: Value) -> (String, String) {
    let (status, made) = server.post("/tokens", body).await;
    assert_eq!(status, 201, "{made}");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    (text(&made["token"]["id"]), text(&made["secret"]))
}

#[tokio::test]
async fn s_6_a_token_is_shown_once_and_stored_as_a_hash() {
    let server = TestServer::start().await;
    let (id, secret) = made(&server, json!({ "name": "laptop" })).await;
    assert!(secret.starts_with("fg_") && secret.len() > 40, "{secret}");
    let (_, list) = server.get("/tokens").await;
    assert_eq!(list["items"].as_array().map(Vec::len), Some(2));
    assert_eq!(list["items"][1]["id"], id);
    assert!(!list.to_string().contains(&secret));
    let directory = server.stop().await;
    for entry in std::fs::read_dir(directory.path().join("data")).expect("the data") {
        let path = entry.expect("an entry").path();
        let bytes = std::fs::read(&path).unwrap_or_default();
        let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
        assert!(!found, "{}", path.display());
    }
}

#[tokio::test]
async fn s_6_a_revoked_token_is_invalid_at_once() {
    let server = TestServer::start().await;
    let (id, secret) = made(&server, json!({ "name": "laptop" })).await;
    let me = with_token(&server, &secret, Method::GET, "/api/v1/auth/me").await;
    assert_eq!(me.json()["via"], "token");
    for _ in 0..2 {
        assert_eq!(server.delete(&format!("/tokens/{id}")).await.0, 204);
        with_token(&server, &secret, Method::GET, "/api/v1/auth/me")
            .await
            .failed_with(401, "unauthorized");
    }
}

#[tokio::test]
async fn s_6_a_read_only_token_changes_nothing() {
    let server = TestServer::start().await;
    let body = json!({ "name": "dashboard", "scope": "read_only" });
    let (_, secret) = made(&server, body).await;
    let read = with_token(&server, &secret, Method::GET, "/api/v1/projects").await;
    assert_eq!(read.status, 200);
    let document = serde_json::from_str::<Value>(&forge_server::openapi::openapi_json());
    let document = document.expect("the description");
    let mut tried = 0;
    for (path, method) in crate::guarded::operations(&document) {
        if ["get", "head"].contains(&method.as_str())
            || path.starts_with("/api/v1/auth/lo")
            || path.ends_with("/auth/link")
        {
            continue;
        }
        let method: Method = method.to_uppercase().parse().expect("a method");
        let answer = with_token(&server, &secret, method, &crate::guarded::filled(&path)).await;
        answer.failed_with(403, "forbidden");
        tried += 1;
    }
    assert!(tried > 10, "{tried}");
}

#[tokio::test]
async fn s_6_tokens_of_other_users_are_hidden() {
    let server = TestServer::start().await;
    let (id, admins) = made(&server, json!({ "name": "admin's" })).await;
    let (_, user) =
        server.post("/users", json!({ "name": "Bo", "password": "a long password" })).await;
    assert_eq!(user["role"], "member");
    let login = json!({ "name": "Bo", "password": "a long password" });
    let request = server.stranger(Method::POST, "/api/v1/auth/login");
    let signed_in = server.send(request, Some(login.to_string())).await;
    let cookie = signed_in.header("set-cookie").split(';').next().expect("a cookie").to_owned();
    let as_bo =
        |method: Method, path: &str| server.stranger(method, path).header("cookie", cookie.clone());
    let list = server.send(as_bo(Method::GET, "/api/v1/tokens"), None::<String>).await;
    assert_eq!(list.json()["items"], json!([]));
    let path = format!("/api/v1/tokens/{id}");
    let refused = server.send(as_bo(Method::DELETE, &path), None::<String>).await;
    refused.failed_with(404, "not_found");
    let still = with_token(&server, &admins, Method::GET, "/api/v1/auth/me").await;
    assert_eq!(still.status, 200);
    let asked = json!({ "name": "Mallory" }).to_string();
    let refused = server.send(as_bo(Method::POST, "/api/v1/users"), Some(asked)).await;
    refused.failed_with(403, "forbidden");
}

#[tokio::test]
async fn s_6_invalid_token_requests_are_refused() {
    let server = TestServer::start().await;
    let (status, refused) =
        server.post("/tokens", json!({ "name": "x", "expires_in_seconds": 0 })).await;
    assert_eq!((status, &refused["details"]["path"]), (422, &json!("expires_in_seconds")));
    let (status, refused) = server.post("/tokens", json!({ "name": "-x" })).await;
    assert_eq!((status, &refused["code"]), (422, &json!("invalid_name")));
    let missing = format!("/tokens/{}", uuid::Uuid::from_u128(1));
    let (status, refused) = server.delete(&missing).await;
    assert_eq!((status, &refused["details"]["kind"]), (404, &json!("token")));
}

#[tokio::test]
async fn s_6_revoking_a_token_ends_its_streams() {
    let server = TestServer::start().await;
    let (id, secret) = made(&server, json!({ "name": "laptop" })).await;
    let request = server
        .stranger(Method::GET, "/api/v1/events")
        .header("authorization", format!("Bearer {secret}"))
        .body(http_body_util::Full::default())
        .expect("a request");
    let mut listening = EventReader::new(server.open(request).await.into_body());
    let mut admins = server.events("", None).await;
    server.post("/projects", json!({ "name": "One" })).await;
    assert_eq!(listening.next().await.map(|event| event.kind).as_deref(), Some("project.created"));
    assert_eq!(server.delete(&format!("/tokens/{id}")).await.0, 204);
    assert_eq!(listening.next().await, None);
    server.post("/projects", json!({ "name": "Two" })).await;
    assert_eq!(admins.take(2).await.len(), 2);
}

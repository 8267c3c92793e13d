//! Signing in with the credential in the server's data directory (S-6, docs/LOCAL.md).

use http::Method;
use serde_json::{Value, json};

use crate::support::{HttpAnswer, TestServer};

fn credential(server: &TestServer) -> String {
    let file = server.directory().join("data/local-credential");
    std::fs::read_to_string(file).expect("a credential").trim().to_owned()
}

async fn sign_in(server: &TestServer, credential: &str, headers: &[(&str, &str)]) -> HttpAnswer {
    let mut request = server.stranger(Method::POST, "/api/v1/auth/local");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = json!({ "credential": credential, "token_name": "a test" });
    server.send(request, Some(body.to_string())).await
}

/// The caller that a new token belongs to.
async fn owner(server: &TestServer, answer: &HttpAnswer) -> Value {
    assert_eq!(answer.status, 201, "{}", answer.text);
    let secret = answer.json()["token"]["secret"].as_str().expect("a token").to_owned();
    let request = server.stranger(Method::GET, "/api/v1/auth/me");
    let request = request.header("authorization", format!("Bearer {secret}"));
    server.send(request, None::<String>).await.json()["user"].clone()
}

#[tokio::test]
async fn s_6_the_local_credential_signs_in_the_first_admin() {
    let server = TestServer::start_empty().await;
    let first = sign_in(&server, &credential(&server), &[]).await;
    assert_eq!(first.json()["is_new_user"], true);
    let admin = owner(&server, &first).await;
    assert_eq!((&admin["name"], &admin["role"]), (&json!("admin"), &json!("admin")));
    let again = sign_in(&server, &credential(&server), &[]).await;
    assert_eq!(again.json()["is_new_user"], false);
    assert_eq!(owner(&server, &again).await, admin, "the same user");
    // The one-time link is useless from now on.
    let link = server.first_run_link().expect("an empty server has a link");
    let (_, code) = link.split_once("#code=").expect("a code");
    let request = server.stranger(Method::POST, "/api/v1/auth/link");
    let used = server.send(request, Some(json!({ "code": code }).to_string())).await;
    assert_eq!(used.status, 410, "{}", used.text);
}

#[tokio::test]
async fn s_6_the_local_credential_belongs_to_the_admin_who_came_first() {
    let server = TestServer::start().await;
    let second =
        json!({ "name": "a-second", "role": "admin", "password": "correct horse battery" });
    let (status, created) = server.post("/users", second).await;
    assert_eq!(status, 201, "{created}");
    let signed_in = sign_in(&server, &credential(&server), &[]).await;
    assert_eq!(owner(&server, &signed_in).await["name"], "admin");
}

#[tokio::test]
async fn s_6_a_wrong_or_relayed_credential_is_refused() {
    let server = TestServer::start_empty().await;
    let right = credential(&server);
    for (credential, headers) in [
        ("", &[][..]),
        ("wrong", &[]),
        (&right[1..], &[]),
        (&right, &[("x-forwarded-for", "203.0.113.9")]),
        (&right, &[("forwarded", "for=203.0.113.9")]),
        (&right, &[("via", "1.1 proxy")]),
    ] {
        let refused = sign_in(&server, credential, headers).await;
        assert_eq!((refused.status, &refused.json()["code"]), (401, &json!("unauthorized")));
        assert!(!refused.text.contains(&right), "{}", refused.text);
    }
    let origin = [("origin", "https://evil.example")];
    assert_eq!(sign_in(&server, &right, &origin).await.status, 403, "a page of another site");
    let long = sign_in(&server, &"x".repeat(100_000), &[]).await;
    assert_eq!(long.status, 401);
    // None of these created the first admin.
    assert_eq!(sign_in(&server, &right, &[]).await.json()["is_new_user"], true);
}

#[tokio::test]
async fn s_6_a_credential_is_worthless_after_a_restart() {
    let server = TestServer::start().await;
    let before = credential(&server);
    let server = server.restart().await;
    assert_eq!(sign_in(&server, &before, &[]).await.status, 401);
    assert_eq!(sign_in(&server, &credential(&server), &[]).await.status, 201);
}

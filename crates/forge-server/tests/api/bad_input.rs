//! Bad input: each a 4xx with its own code and a message that says what to do; nothing changes (S-1).

use http::Method;
use serde_json::{Value, json};

use crate::support::TestServer;

/// The paths that create objects, each with a valid body.
fn creations() -> [(&'static str, Value); 4] {
    [
        ("/users", json!({ "name": "x" })),
        ("/tokens", json!({ "name": "x" })),
        ("/projects", json!({ "name": "x" })),
        ("/agents", json!({ "name": "x", "executor": { "kind": "shell", "command": ["true"] } })),
    ]
}

/// Checks that only the first admin and the admin's token exist.
async fn is_untouched(server: &TestServer) {
    for (path, count) in [("/users", 1), ("/tokens", 1), ("/projects", 0), ("/agents", 0)] {
        let (_, list) = server.get(path).await;
        assert_eq!(list["items"].as_array().map(Vec::len), Some(count), "{path}: {list}");
    }
}

async fn raw(
    server: &TestServer,
    path: &str,
    body: impl Into<bytes::Bytes>,
    kind: &str,
) -> crate::support::HttpAnswer {
    let request = server.request(Method::POST, path).header("content-type", kind);
    server.send(request, Some(body)).await
}

#[tokio::test]
async fn s_1_unknown_fields_are_all_named() {
    let server = TestServer::start().await;
    for (path, mut body) in creations() {
        body["nmae"] = json!("x");
        body["colour"] = json!({ "r": 1 });
        let (status, refused) = server.post(path, body).await;
        assert_eq!((status, &refused["code"]), (422, &json!("unknown_field")), "{path}: {refused}");
        let mut fields: Vec<_> = refused["details"]["fields"].as_array().expect("fields").clone();
        fields.sort_by_key(Value::to_string);
        assert_eq!(fields, ["colour", "nmae"]);
    }
    let nested = json!({ "name": "x", "settings": { "default_review_config": { "ci_step": [] }, "metdata": {} } });
    let (_, refused) = server.post("/projects", nested).await;
    let fields = refused["details"]["fields"].to_string();
    for field in ["settings.default_review_config.ci_step", "settings.metdata"] {
        assert!(fields.contains(field), "{refused}");
    }
    is_untouched(&server).await;
}

#[tokio::test]
async fn s_1_wrong_types_are_named_by_their_path() {
    let server = TestServer::start().await;
    for (path, mut body) in creations() {
        for wrong in [json!(7), json!(null), json!(["x"]), json!({})] {
            body["name"] = wrong;
            let (status, refused) = server.post(path, body.clone()).await;
            assert_eq!(
                (status, &refused["code"]),
                (422, &json!("invalid_field")),
                "{path}: {refused}"
            );
            assert_eq!(refused["details"]["path"], "name");
        }
        for wrong in [json!([]), json!("x"), json!(null), json!(1)] {
            let (status, refused) = server.post(path, wrong).await;
            assert_eq!(
                (status, &refused["code"]),
                (422, &json!("invalid_field")),
                "{path}: {refused}"
            );
        }
    }
    is_untouched(&server).await;
}

#[tokio::test]
async fn s_1_names_that_would_be_options_or_paths_are_refused() {
    let server = TestServer::start().await;
    let long = "x".repeat(101);
    let names =
        ["", " ", " x", "-x", "--help", ".", "..", "../x", "a/b", "a\\b", "a\nb", "a\0b", &long];
    for (path, mut body) in creations() {
        for name in names {
            body["name"] = json!(name);
            let (status, refused) = server.post(path, body.clone()).await;
            assert_eq!(
                (status, &refused["code"]),
                (422, &json!("invalid_name")),
                "{path} {name:?}: {refused}"
            );
            assert_eq!(refused["details"]["path"], "name");
        }
    }
    is_untouched(&server).await;
}

#[tokio::test]
async fn s_1_bodies_that_are_too_large_too_deep_or_not_json_are_refused() {
    let server = TestServer::start().await;
    for (path, body) in creations() {
        let huge = json!({ "name": "x".repeat(1024 * 1024) }).to_string();
        let details =
            raw(&server, path, huge, "application/json").await.failed_with(413, "body_too_large");
        assert_eq!(details["limit"], 1024 * 1024);
        let deep = format!("{{\"name\": {}{}}}", "[".repeat(100), "]".repeat(100));
        let details =
            raw(&server, path, deep, "application/json").await.failed_with(400, "body_too_deep");
        assert!(details["limit"].is_u64());
        let bytes: Vec<u8> = b"{\"name\": \"\xff\xfe\"}".to_vec();
        raw(&server, path, bytes, "application/json").await.failed_with(400, "body_not_utf8");
        let twice = format!("{body} {{}}");
        for broken in ["{", "{\"name\": }", "name=x", &twice] {
            let details = raw(&server, path, broken.to_owned(), "application/json")
                .await
                .failed_with(400, "body_not_json");
            assert_eq!(details["line"], 1);
        }
        raw(&server, path, body.to_string(), "text/plain")
            .await
            .failed_with(415, "unsupported_media_type");
    }
    is_untouched(&server).await;
}

#[tokio::test]
async fn s_1_missing_rows_name_their_kind() {
    let server = TestServer::start().await;
    let id = uuid::Uuid::from_u128(1);
    for (method, path, body, kind) in [
        (Method::GET, format!("/projects/{id}"), None, "project"),
        (Method::PATCH, format!("/projects/{id}"), Some(json!({ "version": 1 })), "project"),
        (Method::POST, format!("/projects/{id}/pause"), None, "project"),
        (Method::POST, format!("/projects/{id}/resume"), None, "project"),
        (Method::GET, format!("/projects/{id}/workflow"), None, "project"),
        (Method::GET, format!("/projects/{id}/repos"), None, "project"),
        (Method::GET, format!("/agents/{id}"), None, "agent"),
        (Method::POST, format!("/agents/{id}/pause"), None, "agent"),
        (Method::POST, format!("/agents/{id}/resume"), None, "agent"),
        (Method::GET, format!("/users/{id}"), None, "user"),
        (Method::DELETE, format!("/tokens/{id}"), None, "token"),
        (Method::GET, "/projects/shop".to_owned(), None, "path"),
        (Method::GET, "/agents/..%2f..%2fetc".to_owned(), None, "path"),
    ] {
        let request = server.request(method, &path);
        let answer = server.send(request, body.map(|body: Value| body.to_string())).await;
        let details = answer.failed_with(404, "not_found");
        assert_eq!(details["kind"], kind, "{path}");
    }
}

#[tokio::test]
async fn s_1_wrong_methods_and_queries_are_refused() {
    let server = TestServer::start().await;
    let request = server.request(Method::PUT, "/agents");
    let answer = server.send(request, None::<String>).await;
    answer.failed_with(405, "method_not_allowed");
    for path in ["/projects", "/agents", "/users", "/tokens", "/workflows"] {
        for (query, parameter) in
            [("limit=0", "limit"), ("limit=x", "limit"), ("cursor=x", "cursor"), ("page=2", "page")]
        {
            let (status, refused) = server.get(&format!("{path}?{query}")).await;
            assert_eq!(
                (status, &refused["code"]),
                (400, &json!("invalid_query")),
                "{path}?{query}: {refused}"
            );
            assert_eq!(refused["details"]["parameter"], parameter);
        }
    }
}

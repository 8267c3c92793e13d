//! No access without a credential, an allowed host and an allowed origin (S-6).

use http::Method;
use serde_json::{Value, json};

use crate::support::TestServer;

/// Every path and method of the document.
pub(crate) fn operations(document: &Value) -> Vec<(String, String)> {
    let paths = document["paths"].as_object().expect("paths");
    let mut all = Vec::new();
    for (path, item) in paths {
        let methods = item.as_object().expect("an item");
        for method in methods.keys().filter(|key| *key != "parameters") {
            all.push((path.clone(), method.clone()));
        }
    }
    all
}

/// The path with values for its parameters.
pub(crate) fn filled(path: &str) -> String {
    let mut filled = String::new();
    for part in path.split('/').skip(1) {
        filled.push('/');
        filled.push_str(if part.starts_with('{') {
            "00000000-0000-7000-8000-000000000000"
        } else {
            part
        });
    }
    filled
}

#[tokio::test]
async fn s_6_every_route_requires_a_credential_except_sign_in() {
    let server = TestServer::start().await;
    let (_, document) = server.get("/openapi.json").await;
    let mut public = Vec::new();
    let all = operations(&document);
    assert!(all.len() > 25, "{}", all.len());
    for (path, method) in all {
        let operation = &document["paths"][&path][&method];
        if operation["security"] == json!([{}]) {
            public.push(path);
            continue;
        }
        let called: Method = method.to_uppercase().parse().expect("a method");
        for wrong in [None, Some("Bearer fg_nonsense"), Some("Basic eDp5")] {
            let mut request = server.stranger(called.clone(), &filled(&path));
            if let Some(wrong) = wrong {
                request = request.header("authorization", wrong);
            }
            let answer = server.send(request, None::<String>).await;
            assert_eq!(answer.status, 401, "{method} {path}");
            answer.failed_with(401, "unauthorized");
            assert_eq!(answer.header("www-authenticate"), "Bearer");
        }
    }
    public.sort();
    assert_eq!(public, ["/api/v1/auth/link", "/api/v1/auth/local", "/api/v1/auth/login"]);
    for path in ["/api/v1/openapi.json", "/metrics"] {
        let request = server.stranger(Method::GET, path);
        let answer = server.send(request, None::<String>).await;
        answer.failed_with(401, "unauthorized");
    }
}

#[tokio::test]
async fn s_7_probes_and_pages_need_no_credential() {
    let server = TestServer::start().await;
    for path in ["/healthz", "/readyz", "/docs", "/docs/docs.js", "/"] {
        let request = server.stranger(Method::GET, path);
        let answer = server.send(request, None::<String>).await;
        assert_eq!(answer.status, 200, "{path}");
    }
    let unknown = server.stranger(Method::GET, "/api/v1/nonsense");
    let answer = server.send(unknown, None::<String>).await;
    answer.failed_with(404, "not_found");
}

#[tokio::test]
async fn s_6_a_bad_token_beside_a_good_cookie_is_refused() {
    let server = TestServer::start().await;
    server.post("/users", json!({ "name": "Ada", "password": "correct horse" })).await;
    let login = json!({ "name": "Ada", "password": "correct horse" });
    let request = server.stranger(Method::POST, "/api/v1/auth/login");
    let signed_in = server.send(request, Some(login.to_string())).await;
    let cookie = signed_in.header("set-cookie").split(';').next().expect("a cookie").to_owned();
    let request = server
        .stranger(Method::GET, "/api/v1/auth/me")
        .header("cookie", cookie)
        .header("authorization", "Bearer fg_revoked");
    let answer = server.send(request, None::<String>).await;
    answer.failed_with(401, "unauthorized");
}

#[tokio::test]
async fn s_6_other_hosts_and_origins_are_refused_before_any_handler() {
    let server = TestServer::start().await;
    let body = json!({ "name": "Evil" }).to_string();
    let rebound = http::Request::builder()
        .method(Method::POST)
        .uri("/api/v1/projects")
        .header("host", "evil.example")
        .header("authorization", format!("Bearer {}", crate::support::server::TOKEN));
    let answer = server.send(rebound, Some(body.clone())).await;
    assert_eq!(answer.failed_with(403, "host_refused")["host"], "evil.example");
    let foreign =
        server.request(Method::POST, "/projects").header("origin", "https://evil.example");
    let answer = server.send(foreign, Some(body.clone())).await;
    answer.failed_with(403, "origin_refused");
    let embedded = server.request(Method::POST, "/projects").header("sec-fetch-site", "cross-site");
    let answer = server.send(embedded, Some(body.clone())).await;
    answer.failed_with(403, "origin_refused");
    let (_, projects) = server.get("/projects").await;
    assert_eq!(projects["items"], json!([]));
    let own = server
        .request(Method::POST, "/projects")
        .header("origin", format!("http://{}", server.address()));
    assert_eq!(server.send(own, Some(body)).await.status, 201);
}

//! SPEC S-6: Host and Origin are checked before any handler runs; every answer has the security headers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::routing::post;
use forge_server::unknown_path;
use http::Request;

use crate::answer::{dressed, get, request, send};

fn counting() -> (Router, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let routes = Router::new()
        .route(
            "/act",
            post(async move || {
                counted.fetch_add(1, Ordering::Relaxed);
                "done"
            }),
        )
        .fallback(unknown_path);
    (dressed(routes), calls)
}

#[tokio::test]
async fn s_6_a_rebound_host_name_is_refused_before_the_handler() {
    let (routes, calls) = counting();
    for host in ["evil.example", "evil.example:8080", "127.0.0.1.evil.example"] {
        let request = Request::post("/act").header("host", host).body(Body::empty());
        let answer = send(&routes, request.expect("a request")).await;
        let details = answer.failed_with(403, "host_refused");
        assert_eq!(details["host"], host);
    }
    let none = Request::post("/act").body(Body::empty()).expect("a request");
    send(&routes, none).await.failed_with(403, "host_refused");
    let two = request("POST", "/act").header("host", "evil.example");
    let two = two.body(Body::empty()).expect("a request");
    send(&routes, two).await.failed_with(403, "host_refused");
    let overridden = request("POST", "http://evil.example/act");
    let overridden = overridden.body(Body::empty()).expect("a request");
    send(&routes, overridden).await.failed_with(403, "host_refused");
    assert_eq!(calls.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn s_6_a_page_of_another_site_cannot_change_anything() {
    let (routes, calls) = counting();
    let act = async |headers: &[(&str, &str)]| {
        let request = headers
            .iter()
            .fold(request("POST", "/act"), |request, (name, value)| request.header(*name, *value));
        let request = request.header("cookie", "forge_session=abc").body(Body::empty());
        send(&routes, request.expect("a request")).await
    };
    for headers in [
        [("origin", "http://evil.example")],
        [("origin", "null")],
        [("origin", "http://127.0.0.1:3000")],
        [("sec-fetch-site", "cross-site")],
        [("sec-fetch-site", "same-site")],
    ] {
        act(&headers).await.failed_with(403, "origin_refused");
    }
    assert_eq!(calls.load(Ordering::Relaxed), 0);
    let own = [("origin", "http://127.0.0.1:8080"), ("sec-fetch-site", "same-origin")];
    assert_eq!(act(&own).await.text, "done");
    assert_eq!(act(&[]).await.text, "done");
}

#[tokio::test]
async fn s_6_every_answer_has_the_security_headers() {
    let (routes, _) = counting();
    let refused = Request::get("/act").body(Body::empty()).expect("a request");
    for answer in [get(&routes, "/nothing").await, send(&routes, refused).await] {
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'self';"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("x-frame-options", "DENY"),
            ("cache-control", "no-store"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), value, "{name}");
        }
    }
}

//! SPEC S-7: health, readiness and metrics.

use axum::Router;
use axum::routing::get as on_get;
use forge_api::ReadinessReport;
use forge_server::health::{ReadinessState, healthz, readyz};
use forge_server::{ServerMetrics, unknown_path};

use crate::answer::{dressed, get, request, send};

#[tokio::test]
async fn s_7_requests_are_counted_by_route_and_never_by_client_input() {
    let metrics = ServerMetrics::install().expect("metrics");
    let shown = ServerMetrics::install().expect("a second server in the same process");
    let routes = Router::new()
        .route("/things/{id}", on_get(async || "thing"))
        .route("/metrics", on_get(async move || shown.to_response()))
        .fallback(unknown_path);
    let routes = dressed(routes);
    for path in ["/things/secret-1", "/things/secret-2", "/secret-3"] {
        get(&routes, path).await;
    }
    let odd = request("SECRET4", "/things/1").body(axum::body::Body::empty());
    send(&routes, odd.expect("a request")).await;
    let answer = get(&routes, "/metrics").await;
    assert!(answer.header("content-type").starts_with("text/plain; version=0.0.4"));
    for line in [
        r#"forge_http_requests_total{route="/things/{id}",method="GET",status="200"} 2"#,
        r#"forge_http_requests_total{route="unmatched",method="GET",status="404"} 1"#,
        r#"forge_http_requests_total{route="/things/{id}",method="other",status="405"} 1"#,
        r#"forge_http_request_duration_seconds_count{route="/things/{id}",method="GET"} 2"#,
        r#"forge_http_request_duration_seconds_bucket{route="/things/{id}",method="GET",le="+Inf"} 2"#,
    ] {
        assert!(answer.text.lines().any(|found| found == line), "{line}\n{}", answer.text);
    }
    assert!(!answer.text.to_lowercase().contains("secret"));
    assert!(metrics.render().contains("# TYPE forge_http_requests_total counter"));
}

#[tokio::test]
async fn s_7_the_server_is_alive_at_once_and_ready_when_reported() {
    let (sender, readiness) = ReadinessState::new();
    let routes = Router::new()
        .route("/healthz", on_get(healthz))
        .route("/readyz", on_get(readyz))
        .with_state(readiness);
    let routes = dressed(routes);
    assert_eq!(get(&routes, "/healthz").await.status, 200);
    let starting = get(&routes, "/readyz").await;
    assert_eq!(starting.status, 503);
    assert_eq!(starting.json()["checks"][0]["name"], "start");
    sender.send_replace(ReadinessReport { ready: true, checks: Vec::new() });
    assert_eq!(get(&routes, "/readyz").await.status, 200);
}

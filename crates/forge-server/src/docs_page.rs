//! The HTML page about the API (SPEC S-1): static files that render `/api/v1/openapi.json`.

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};

const PAGE: &str = include_str!("../assets/docs.html");
const SCRIPT: &str = include_str!("../assets/docs.js");
const STYLE: &str = include_str!("../assets/docs.css");

/// Serves `/docs` and its two files.
pub fn docs_page<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route("/docs", get(async || file("text/html", PAGE)))
        .route("/docs/docs.js", get(async || file("text/javascript", SCRIPT)))
        .route("/docs/docs.css", get(async || file("text/css", STYLE)))
}

fn file(kind: &str, content: &'static str) -> Response {
    let headers =
        [(CONTENT_TYPE, format!("{kind}; charset=utf-8")), (CACHE_CONTROL, "no-cache".to_owned())];
    (headers, content).into_response()
}

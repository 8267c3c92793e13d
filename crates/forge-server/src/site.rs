//! The whole site: the API, its OpenAPI document, the pages, and the endpoints for operators.

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use http::header::CONTENT_TYPE;

use crate::app::AppState;
use crate::assets;
use crate::caller::protect;
use crate::docs_page::docs_page;
use crate::guard::AllowedHosts;
use crate::health::{healthz, readyz};
use crate::openapi;
use crate::routes;
use crate::transport::middleware::with_middleware;

/// Builds the finished router.
pub(crate) fn site(app: AppState, hosts: AllowedHosts) -> Router {
    let description: Bytes = openapi::json(&routes::document()).into();
    let operators = Router::new().route("/metrics", get(metrics_page)).route(
        &format!("{}/openapi.json", routes::API),
        get(move || async move { openapi_page(description.clone()) }),
    );
    let probes = Router::new().route("/healthz", get(healthz)).route("/readyz", get(readyz));
    let routes = protect(operators, &app)
        .merge(probes)
        .merge(docs_page())
        .with_state(app.clone())
        .merge(routes::router(app))
        .fallback(assets::page);
    with_middleware(routes, hosts)
}

async fn metrics_page(State(app): State<AppState>) -> Response {
    app.metrics.to_response()
}

fn openapi_page(document: Bytes) -> Response {
    ([(CONTENT_TYPE, "application/json")], document).into_response()
}

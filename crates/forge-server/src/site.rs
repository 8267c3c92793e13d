//! Everything the server answers: the API, its description, the pages, and what operators ask.

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use http::header::CONTENT_TYPE;

use crate::app::App;
use crate::assets;
use crate::caller::protect;
use crate::docs_page::docs_page;
use crate::dress::dress;
use crate::guard::Hosts;
use crate::health::{healthz, readyz};
use crate::openapi;
use crate::routes;

/// The finished router.
pub(crate) fn site(app: App, hosts: Hosts) -> Router {
    let description: Bytes = openapi::json(&routes::document()).into();
    let operators = Router::new().route("/metrics", get(numbers)).route(
        &format!("{}/openapi.json", routes::API),
        get(move || async move { described(description.clone()) }),
    );
    let probes = Router::new().route("/healthz", get(healthz)).route("/readyz", get(readyz));
    let routes = protect(operators, &app)
        .merge(probes)
        .merge(docs_page())
        .with_state(app.clone())
        .merge(routes::router(app))
        .fallback(assets::page);
    dress(routes, hosts)
}

async fn numbers(State(app): State<App>) -> Response {
    app.metrics.answer()
}

fn described(document: Bytes) -> Response {
    ([(CONTENT_TYPE, "application/json")], document).into_response()
}

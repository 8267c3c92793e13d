//! The whole site: the API, its OpenAPI document, the pages, and the endpoints for operators.

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use forge_api::actions::{ActionScope, AllowedCallers, ScopeObject};
use http::header::CONTENT_TYPE;

use crate::app::AppState;
use crate::assets;
use crate::caller::{require_caller, require_scope};
use crate::docs_page::docs_page;
use crate::guard::AllowedHosts;
use crate::health::{healthz, readyz};
use crate::mcp::mcp_routes;
use crate::openapi;
use crate::routes;
use crate::transport::middleware::with_middleware;

/// The pages for operators are open to users, not to executions.
const OPERATOR_SCOPE: ActionScope =
    ActionScope { object: ScopeObject::Server, callers: AllowedCallers::Users };

/// Builds the finished router.
pub(crate) fn site(app: AppState, hosts: AllowedHosts) -> Router {
    let description: Bytes = openapi::json(&routes::document()).into();
    let operator_page = |page| require_scope(page, OPERATOR_SCOPE, &app);
    let description_page = get(move || async move { openapi_page(description.clone()) });
    let operators = Router::new()
        .route("/metrics", operator_page(get(metrics_page)))
        .route(&format!("{}/openapi.json", routes::API), operator_page(description_page));
    let probes = Router::new().route("/healthz", get(healthz)).route("/readyz", get(readyz));
    let api = routes::router(app.clone());
    let routes = require_caller(operators, &app)
        .merge(probes)
        .merge(docs_page())
        .with_state(app.clone())
        .merge(mcp_routes(&app, &api))
        .merge(api)
        .fallback(assets::page);
    with_middleware(routes, hosts)
}

async fn metrics_page(State(app): State<AppState>) -> Response {
    app.metrics.to_response()
}

fn openapi_page(document: Bytes) -> Response {
    ([(CONTENT_TYPE, "application/json")], document).into_response()
}

//! The workflows that come with Forge.

use axum::Json;
use forge_api::{Page, PageQuery, WorkflowView};
use forge_domain::workflow::{TEMPLATES, Workflow, template};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::Query;
use crate::paging;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list))
}

/// List workflow templates
///
/// A project can name any of them as its workflow.
#[utoipa::path(
    get, path = "/workflows", tag = "projects", operation_id = "list_workflows", params(PageQuery),
    responses((status = 200, body = Page<WorkflowView>))
)]
async fn list(
    _: Caller,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<WorkflowView>>, Failure> {
    let all: Result<Vec<_>, _> =
        TEMPLATES.iter().filter_map(|(name, _)| template(name)).map(Workflow::compile).collect();
    let all = all?.iter().map(convert::workflow::workflow).collect();
    Ok(Json(paging::cut(all, &query)?))
}

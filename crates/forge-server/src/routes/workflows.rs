//! The workflows that come with Forge, and those of projects.

use axum::Json;
use axum::extract::State;
use forge_api::{Page, PageQuery, Project, ReplaceWorkflow, WorkflowView};
use forge_domain::ProjectId;
use forge_domain::workflow::{TEMPLATES, Workflow, template};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{Body, Path, Query};
use crate::paging;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(show, replace))
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

/// Show a project's workflow
#[utoipa::path(
    get, path = "/projects/{id}/workflow", tag = "projects", operation_id = "get_project_workflow",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = WorkflowView))
)]
async fn show(
    State(app): State<App>,
    _: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<WorkflowView>, Failure> {
    let project = app.engine.project(ProjectId::new(id)).await?;
    let workflow = app.engine.workflow(&project.workflow).await?;
    Ok(Json(convert::workflow::workflow(&workflow)))
}

/// Replace a project's workflow
///
/// Its tasks that have not ended go on in the new one, at once and all together: each in the state that `mapping` gives
/// for its own, else in the one of the same name. Both must be of the same kind, so nothing is begun or ended by it: a
/// running agent goes on. States that hold tasks and have no such successor are refused with `workflow_in_use`, and
/// nothing is changed. Ended tasks keep the workflow they ended in.
#[utoipa::path(
    put, path = "/projects/{id}/workflow", tag = "projects", operation_id = "replace_project_workflow",
    params(("id" = Uuid, Path)), request_body = ReplaceWorkflow,
    responses((status = 200, body = Project))
)]
async fn replace(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Body(asked): Body<ReplaceWorkflow>,
) -> Result<Json<Project>, Failure> {
    caller.writer()?;
    let asked = convert::workflow_request::replacement(asked)?;
    let id = ProjectId::new(id);
    let row = app.engine.replace_workflow(caller.actor, id, asked).await?;
    Ok(Json(convert::project::project(&app.engine, row).await?))
}

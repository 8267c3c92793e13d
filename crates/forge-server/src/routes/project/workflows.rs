//! Routes for the built-in workflows and those of projects.

use axum::Json;
use axum::extract::State;
use forge_api::{Page, PageQuery, Project, ReplaceWorkflow, WorkflowView, actions};
use forge_domain::ProjectId;
use forge_domain::workflow::{TEMPLATES, Workflow, template};
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{JsonBody, Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_WORKFLOWS => list,
        GET_PROJECT_WORKFLOW => show,
        REPLACE_PROJECT_WORKFLOW => replace,
    ]
}

/// List workflow templates
///
/// A project can use any of them as its workflow.
#[utoipa::path(
    get, path = actions::LIST_WORKFLOWS.path, tag = "projects", params(PageQuery),
    responses((status = 200, body = Page<WorkflowView>))
)]
async fn list(
    _: Caller,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<WorkflowView>>, ApiError> {
    let all: Result<Vec<_>, _> =
        TEMPLATES.iter().filter_map(|(name, _)| template(name)).map(Workflow::compile).collect();
    let all = all?.iter().map(convert::projects::workflow::workflow).collect();
    Ok(Json(paging::page_of_list(all, &query)?))
}

/// Show a project's workflow
#[utoipa::path(
    get, path = actions::GET_PROJECT_WORKFLOW.path, tag = "projects",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = WorkflowView))
)]
async fn show(
    State(app): State<AppState>,
    _: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<WorkflowView>, ApiError> {
    let project = app.engine.records().project(ProjectId::new(id)).await?;
    let workflow = app.engine.records().workflow(&project.workflow).await?;
    Ok(Json(convert::projects::workflow::workflow(&workflow)))
}

/// Replace a project's workflow
///
/// All its tasks that have not ended move to the new workflow at once: each to the state that `mapping` gives for its
/// own, else to the state of the same name. Both states must be of the same kind, so nothing starts or stops: a
/// running agent continues. States that contain tasks and have no such successor are refused with `workflow_in_use`,
/// and nothing changes. Ended tasks keep their workflow.
#[utoipa::path(
    put, path = actions::REPLACE_PROJECT_WORKFLOW.path, tag = "projects",
    params(("id" = Uuid, Path)), request_body = ReplaceWorkflow,
    responses((status = 200, body = Project))
)]
async fn replace(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<ReplaceWorkflow>,
) -> Result<Json<Project>, ApiError> {
    let asked = convert::projects::workflow_request::replacement(asked)?;
    let id = ProjectId::new(id);
    let row = app.engine.projects().replace_workflow(caller.actor, id, asked).await?;
    Ok(Json(convert::projects::project::project(&app.engine, row).await?))
}

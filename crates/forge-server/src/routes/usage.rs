//! What agents used (E-8).

use axum::Json;
use axum::extract::State;
use forge_api::UsageSum;
use forge_domain::{AgentId, Budget, ProjectId, TaskId};
use forge_store::tables::{budgets, usage};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::Path;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(of_task))
        .routes(routes!(of_project))
        .routes(routes!(of_agent))
}

/// Tokens and cost of a task's runs, where their programs told.
#[utoipa::path(get, path = "/tasks/{id}/usage", tag = "tasks", operation_id = "get_task_usage",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The sums.", body = UsageSum)))]
async fn of_task(State(app): State<App>, Path(id): Path<Uuid>) -> Result<Json<UsageSum>, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let used = usage::of_task(app.engine.db(), task.id).await?;
    Ok(Json(convert::usage::sum(used, task.budget)))
}

/// The same of all runs in a project.
#[utoipa::path(get, path = "/projects/{id}/usage", tag = "projects", operation_id = "get_project_usage",
    params(("id" = Uuid, Path, description = "The project.")),
    responses((status = 200, description = "The sums.", body = UsageSum)))]
async fn of_project(
    State(app): State<App>,
    Path(id): Path<Uuid>,
) -> Result<Json<UsageSum>, Failure> {
    let project = app.engine.project(ProjectId::new(id)).await?;
    let used = usage::of_project(app.engine.db(), project.id).await?;
    let budget = budgets::load(app.engine.db(), project.id).await?;
    Ok(Json(convert::usage::sum(used, budget)))
}

/// The same of all runs of an agent, in the projects that the caller may see.
#[utoipa::path(get, path = "/agents/{id}/usage", tag = "agents", operation_id = "get_agent_usage",
    params(("id" = Uuid, Path, description = "The agent.")),
    responses((status = 200, description = "The sums.", body = UsageSum)))]
async fn of_agent(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<UsageSum>, Failure> {
    let agent = app.engine.agent(AgentId::new(id)).await?;
    let used = usage::of_agent(app.engine.db(), agent.id, caller.confined()).await?;
    Ok(Json(convert::usage::sum(used, Budget::default())))
}

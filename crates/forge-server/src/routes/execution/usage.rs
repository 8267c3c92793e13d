//! Routes for token usage and cost (E-8).

use axum::Json;
use axum::extract::State;
use forge_api::{UsageSum, actions};
use forge_domain::{AgentId, Budget, ProjectId, TaskId};
use forge_store::tables::{budgets, usage};
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::Path;
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        GET_TASK_USAGE => of_task,
        GET_PROJECT_USAGE => of_project,
        GET_AGENT_USAGE => of_agent,
    ]
}

/// Show tokens and cost of a task's executions
///
/// As far as their programs report them.
#[utoipa::path(get, path = actions::GET_TASK_USAGE.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The summed usage.", body = UsageSum)))]
async fn of_task(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
) -> Result<Json<UsageSum>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let used = usage::of_task(app.engine.db(), task.id).await?;
    let runs = usage::runs_of_task(app.engine.db(), task.id).await?;
    Ok(Json(convert::executions::usage::usage_sum(used, runs, task.budget)))
}

/// Show tokens and cost of all executions in a project
#[utoipa::path(get, path = actions::GET_PROJECT_USAGE.path, tag = "projects",
    params(("id" = Uuid, Path, description = "The project.")),
    responses((status = 200, description = "The summed usage.", body = UsageSum)))]
async fn of_project(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
) -> Result<Json<UsageSum>, ApiError> {
    let project = app.engine.records().project(ProjectId::new(id)).await?;
    let used = usage::of_project(app.engine.db(), project.id).await?;
    let runs = usage::runs_of_project(app.engine.db(), project.id).await?;
    let budget = budgets::load(app.engine.db(), project.id).await?;
    Ok(Json(convert::executions::usage::usage_sum(used, runs, budget)))
}

/// Show tokens and cost of all executions of an agent
///
/// In the projects that the caller may see.
#[utoipa::path(get, path = actions::GET_AGENT_USAGE.path, tag = "agents",
    params(("id" = Uuid, Path, description = "The agent.")),
    responses((status = 200, description = "The summed usage.", body = UsageSum)))]
async fn of_agent(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<UsageSum>, ApiError> {
    let agent = caller.visible_agent(&app, AgentId::new(id)).await?;
    let member = caller.membership_filter();
    let used = usage::of_agent(app.engine.db(), agent.id, member).await?;
    let runs = usage::runs_of_agent(app.engine.db(), agent.id, member).await?;
    Ok(Json(convert::executions::usage::usage_sum(used, runs, Budget::default())))
}

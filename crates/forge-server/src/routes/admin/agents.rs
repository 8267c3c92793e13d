//! Routes for agents.

use axum::Json;
use axum::extract::State;
use forge_api::{
    Agent, AgentEnvironment, AgentPatch, AgentProbe, AgentProgram, NewAgent, Page, PageQuery,
    actions,
};
use forge_domain::{AgentId, ProjectId};
use forge_store::tables::{agent_waits, agents};
use http::StatusCode;
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
        LIST_AGENTS => list,
        CREATE_AGENT => create,
        LIST_AGENT_PROGRAMS => programs,
        GET_AGENT => show,
        GET_AGENT_ENVIRONMENT => environment,
        UPDATE_AGENT => change,
        REMOVE_AGENT => remove,
        PAUSE_AGENT => pause,
        RESUME_AGENT => resume,
        PROBE_AGENT => probe,
    ]
}

/// List agents
///
/// Ordered by name: agents of the server and of the caller's projects; all agents for admins.
#[utoipa::path(
    get, path = actions::LIST_AGENTS.path, tag = "agents", params(PageQuery),
    responses((status = 200, body = Page<Agent>))
)]
async fn list(
    State(app): State<AppState>,
    caller: Caller,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Agent>>, ApiError> {
    let page = paging::page_request(agents::ORDER, query.limit, query.cursor.as_deref())?;
    let db = app.engine.db();
    let (rows, next) = match caller.membership_filter().filter(|_| caller.user.is_some()) {
        None => agents::list(db, &page).await?,
        Some(user) => agents::list_for_member(db, user, &page).await?,
    };
    let waits = agent_waits::list_waits(db, app.engine.now()).await?;
    // A planner sees the agents to which it can give its subtasks.
    let project = caller.execution().map(|owner| owner.project_id);
    let rows = rows.into_iter().filter(|row| project.is_none_or(|own| row.works_for(own)));
    let items = rows.map(|row| {
        let wait = waits.iter().find(|wait| wait.agent_id == row.id);
        convert::admin::agent::agent(row, wait)
    });
    let items: Result<Vec<_>, _> = items.collect();
    Ok(Json(Page { items: items?, next_cursor: next.map(|cursor| cursor.encode()) }))
}

/// Create an agent
///
/// With `project_id` the agent belongs to that project, and a user who may define commands there may create it.
/// Without it the agent belongs to the server and works for every project, which needs an admin.
#[utoipa::path(
    post, path = actions::CREATE_AGENT.path, tag = "agents", request_body = NewAgent,
    responses((status = 201, body = Agent))
)]
async fn create(
    State(app): State<AppState>,
    caller: Caller,
    JsonBody(asked): JsonBody<NewAgent>,
) -> Result<(StatusCode, Json<Agent>), ApiError> {
    let project = asked.project_id.map(ProjectId::new);
    if let Some(project) = project {
        caller.require_project(&app, project).await?;
    }
    caller.require_programs(&app, project).await?;
    let asked = convert::admin::agent::new_agent(asked)?;
    if let Some(fallback) = asked.fallback {
        caller.visible_agent(&app, fallback).await?;
    }
    let row = match project {
        Some(project) => {
            app.engine.agents().create_project_agent(caller.actor, project, asked).await?
        }
        None => app.engine.agents().create_agent(caller.actor, asked).await?,
    };
    Ok((StatusCode::CREATED, Json(convert::admin::agent::agent(row, None)?)))
}

/// List the agent programs of the server
///
/// One entry for each kind that has a program of its own, in a fixed order: whether this server finds it, its version
/// and its login state.
#[utoipa::path(
    get, path = actions::LIST_AGENT_PROGRAMS.path, tag = "agents",
    responses((status = 200, body = Page<AgentProgram>))
)]
async fn programs(
    State(app): State<AppState>,
    _caller: Caller,
) -> Result<Json<Page<AgentProgram>>, ApiError> {
    let found = app.engine.agents().probe_programs().await?;
    let items = found.into_iter().map(convert::admin::agent::agent_program).collect();
    Ok(Json(Page { items, next_cursor: None }))
}

/// Show an agent
#[utoipa::path(
    get, path = actions::GET_AGENT.path, tag = "agents",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Agent))
)]
async fn show(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Agent>, ApiError> {
    let row = caller.visible_agent(&app, AgentId::new(id)).await?;
    agent_response(&app, row).await
}

/// Show the environment of an agent
///
/// Variable names only, grouped by source, and whether an API key is charged instead of a subscription.
#[utoipa::path(
    get, path = actions::GET_AGENT_ENVIRONMENT.path, tag = "agents",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = AgentEnvironment))
)]
async fn environment(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<AgentEnvironment>, ApiError> {
    let row = caller.visible_agent(&app, AgentId::new(id)).await?;
    Ok(Json(convert::admin::agent::environment(app.engine.agents().environment_of(&row)?)))
}

/// Change an agent
///
/// Fields that are left out stay as they are; a stale `version` is refused. Running executions continue unchanged.
/// Admins change agents of the server; users who may define commands in a project change the program of its agents.
#[utoipa::path(
    patch, path = actions::UPDATE_AGENT.path, tag = "agents",
    params(("id" = Uuid, Path)), request_body = AgentPatch,
    responses((status = 200, body = Agent))
)]
async fn change(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<AgentPatch>,
) -> Result<Json<Agent>, ApiError> {
    let agent = caller.changeable_agent(&app, AgentId::new(id)).await?;
    let patch = convert::admin::agent::agent_patch(asked)?;
    if patch.executor.is_some() {
        caller.require_programs(&app, agent.project_id).await?;
    }
    if let Some(Some(fallback)) = patch.fallback {
        caller.visible_agent(&app, fallback).await?;
    }
    let row = app.engine.agents().update_agent(caller.actor, AgentId::new(id), patch).await?;
    agent_response(&app, row).await
}

/// Remove an agent
///
/// Refused while executions of it are open. It loses its roles in open tasks, and no agent falls back on it. Its history
/// stays and shows its name, which can be given to another agent.
#[utoipa::path(
    delete, path = actions::REMOVE_AGENT.path, tag = "agents",
    params(("id" = Uuid, Path)),
    responses((status = 204, description = "It was removed"))
)]
async fn remove(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<StatusCode, ApiError> {
    let id = AgentId::new(id);
    caller.changeable_agent(&app, id).await?;
    app.engine.agents().remove_agent(caller.actor, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Pause an agent
///
/// It gets no new work; running executions continue. Pausing a paused agent changes nothing.
#[utoipa::path(
    post, path = actions::PAUSE_AGENT.path, tag = "agents",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Agent))
)]
async fn pause(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Agent>, ApiError> {
    set_paused(&app, caller, id, true).await
}

/// Resume an agent
#[utoipa::path(
    post, path = actions::RESUME_AGENT.path, tag = "agents",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Agent))
)]
async fn resume(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Agent>, ApiError> {
    set_paused(&app, caller, id, false).await
}

/// Check an agent's program
///
/// Whether the server finds it, its version and its login state. An agent that waits for a login continues if its
/// program is signed in.
#[utoipa::path(
    post, path = actions::PROBE_AGENT.path, tag = "agents",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = AgentProbe))
)]
async fn probe(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<AgentProbe>, ApiError> {
    let id = caller.changeable_agent(&app, AgentId::new(id)).await?.id;
    let (row, found) = app.engine.agents().probe_agent(caller.actor, id).await?;
    let wait = agent_waits::of_agent(app.engine.db(), row.id, app.engine.now()).await?;
    let agent = convert::admin::agent::agent(row, wait.as_ref())?;
    Ok(Json(convert::admin::agent::agent_probe(agent, found)))
}

async fn set_paused(
    app: &AppState,
    caller: Caller,
    id: Uuid,
    paused: bool,
) -> Result<Json<Agent>, ApiError> {
    let id = caller.changeable_agent(app, AgentId::new(id)).await?.id;
    let row = app.engine.agents().pause_agent(caller.actor, id, paused).await?;
    agent_response(app, row).await
}

/// The agent with the reason for which it waits.
async fn agent_response(app: &AppState, row: agents::AgentRow) -> Result<Json<Agent>, ApiError> {
    let wait = agent_waits::of_agent(app.engine.db(), row.id, app.engine.now()).await?;
    Ok(Json(convert::admin::agent::agent(row, wait.as_ref())?))
}

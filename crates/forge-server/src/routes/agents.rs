//! Agents.

use axum::Json;
use axum::extract::State;
use forge_api::{Agent, AgentPatch, NewAgent, Page, PageQuery};
use forge_domain::AgentId;
use forge_store::tables::agents;
use http::StatusCode;
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
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(show, change))
        .routes(routes!(pause))
        .routes(routes!(resume))
}

/// List agents
///
/// By name.
#[utoipa::path(
    get, path = "/agents", tag = "agents", operation_id = "list_agents", params(PageQuery),
    responses((status = 200, body = Page<Agent>))
)]
async fn list(
    State(app): State<App>,
    _: Caller,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Agent>>, Failure> {
    let page = paging::asked(agents::ORDER, query.limit, query.cursor.as_deref())?;
    let (rows, next) = agents::list(app.engine.db(), &page).await?;
    let items: Result<Vec<_>, _> = rows.into_iter().map(convert::agent::agent).collect();
    Ok(Json(Page { items: items?, next_cursor: next.map(|cursor| cursor.encode()) }))
}

/// Create an agent
#[utoipa::path(
    post, path = "/agents", tag = "agents", operation_id = "create_agent", request_body = NewAgent,
    responses((status = 201, body = Agent))
)]
async fn create(
    State(app): State<App>,
    caller: Caller,
    Body(asked): Body<NewAgent>,
) -> Result<(StatusCode, Json<Agent>), Failure> {
    caller.writer()?;
    let asked = convert::agent::asked(asked)?;
    let row = app.engine.create_agent(caller.actor, asked).await?;
    Ok((StatusCode::CREATED, Json(convert::agent::agent(row)?)))
}

/// Show an agent
#[utoipa::path(
    get, path = "/agents/{id}", tag = "agents", operation_id = "get_agent",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Agent))
)]
async fn show(
    State(app): State<App>,
    _: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Agent>, Failure> {
    let row = app.engine.agent(AgentId::new(id)).await?;
    Ok(Json(convert::agent::agent(row)?))
}

/// Change an agent
///
/// What is left out stays; a stale `version` is refused. What it runs goes on as it was begun.
#[utoipa::path(
    patch, path = "/agents/{id}", tag = "agents", operation_id = "update_agent",
    params(("id" = Uuid, Path)), request_body = AgentPatch,
    responses((status = 200, body = Agent))
)]
async fn change(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Body(asked): Body<AgentPatch>,
) -> Result<Json<Agent>, Failure> {
    caller.writer()?;
    let patch = convert::agent::asked_patch(asked)?;
    let row = app.engine.update_agent(caller.actor, AgentId::new(id), patch).await?;
    Ok(Json(convert::agent::agent(row)?))
}

/// Pause an agent
///
/// It takes no new work; what it runs goes on. Pausing it again changes nothing.
#[utoipa::path(
    post, path = "/agents/{id}/pause", tag = "agents", operation_id = "pause_agent",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Agent))
)]
async fn pause(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Agent>, Failure> {
    set_paused(&app, caller, id, true).await
}

/// Resume an agent
#[utoipa::path(
    post, path = "/agents/{id}/resume", tag = "agents", operation_id = "resume_agent",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Agent))
)]
async fn resume(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Agent>, Failure> {
    set_paused(&app, caller, id, false).await
}

async fn set_paused(
    app: &App,
    caller: Caller,
    id: Uuid,
    paused: bool,
) -> Result<Json<Agent>, Failure> {
    caller.writer()?;
    let id = AgentId::new(id);
    let row = app.engine.pause_agent(caller.actor, id, paused).await?;
    Ok(Json(convert::agent::agent(row)?))
}

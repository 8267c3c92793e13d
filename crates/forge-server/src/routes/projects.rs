//! Projects.

use axum::Json;
use axum::extract::State;
use forge_api::{NewProject, Page, PageQuery, Project, ProjectPatch};
use forge_domain::ProjectId;
use forge_store::tables::projects;
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

/// List projects
///
/// All for admins, else those the caller is a member of.
#[utoipa::path(
    get, path = "/projects", tag = "projects", operation_id = "list_projects", params(PageQuery),
    responses((status = 200, body = Page<Project>))
)]
async fn list(
    State(app): State<App>,
    caller: Caller,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Project>>, Failure> {
    let page = paging::asked(projects::ORDER, query.limit, query.cursor.as_deref())?;
    let db = app.engine.db();
    let (rows, next) = match caller.confined() {
        None => projects::list(db, &page).await?,
        Some(user) => projects::list_of_member(db, user, &page).await?,
    };
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        items.push(convert::project::project(&app.engine, row).await?);
    }
    Ok(Json(Page { items, next_cursor: next.map(|cursor| cursor.encode()) }))
}

/// Create a project
///
/// Its workflow is a template's name or a whole definition; a definition with mistakes is refused with all of them.
/// Whoever creates it is its first member. With `repo_path` it gets its first repository in the same moment: both are
/// made, or neither is.
#[utoipa::path(
    post, path = "/projects", tag = "projects", operation_id = "create_project",
    request_body = NewProject,
    responses((status = 201, body = Project))
)]
async fn create(
    State(app): State<App>,
    caller: Caller,
    Body(asked): Body<NewProject>,
) -> Result<(StatusCode, Json<Project>), Failure> {
    caller.writer()?;
    let repo = asked.repo_path.as_deref().map(convert::repo::first_path).transpose()?;
    let asked = convert::project::asked(asked)?;
    let made = match repo {
        Some(repo) => app.engine.create_project_with_repo(caller.actor, asked, repo).await?,
        None => app.engine.create_project(caller.actor, asked).await?,
    };
    let project = convert::project::project(&app.engine, made).await?;
    Ok((StatusCode::CREATED, Json(project)))
}

/// Show a project
#[utoipa::path(
    get, path = "/projects/{id}", tag = "projects", operation_id = "get_project",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Project))
)]
async fn show(
    State(app): State<App>,
    _: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Project>, Failure> {
    let row = app.engine.project(ProjectId::new(id)).await?;
    Ok(Json(convert::project::project(&app.engine, row).await?))
}

/// Change a project
///
/// What is left out stays; a stale `version` is refused.
#[utoipa::path(
    patch, path = "/projects/{id}", tag = "projects", operation_id = "update_project",
    params(("id" = Uuid, Path)), request_body = ProjectPatch,
    responses((status = 200, body = Project))
)]
async fn change(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Body(asked): Body<ProjectPatch>,
) -> Result<Json<Project>, Failure> {
    caller.writer()?;
    let patch = convert::project::asked_patch(asked)?;
    let id = ProjectId::new(id);
    let row = app.engine.update_project(caller.actor, id, patch).await?;
    Ok(Json(convert::project::project(&app.engine, row).await?))
}

/// Pause a project
///
/// Agents may not claim while it is paused; people may. Pausing it again changes nothing.
#[utoipa::path(
    post, path = "/projects/{id}/pause", tag = "projects", operation_id = "pause_project",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Project))
)]
async fn pause(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Project>, Failure> {
    set_paused(&app, caller, id, true).await
}

/// Resume a project
#[utoipa::path(
    post, path = "/projects/{id}/resume", tag = "projects", operation_id = "resume_project",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Project))
)]
async fn resume(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Project>, Failure> {
    set_paused(&app, caller, id, false).await
}

async fn set_paused(
    app: &App,
    caller: Caller,
    id: Uuid,
    paused: bool,
) -> Result<Json<Project>, Failure> {
    caller.writer()?;
    let id = ProjectId::new(id);
    let row = app.engine.pause_project(caller.actor, id, paused).await?;
    Ok(Json(convert::project::project(&app.engine, row).await?))
}

//! Routes for projects.

use axum::Json;
use axum::extract::State;
use forge_api::{
    NewProject, Page, PageQuery, Project, ProjectPatch, ProjectSettings, RemovedProject, actions,
};
use forge_domain::ProjectId;
use forge_store::tables::projects;
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::convert::projects::project_settings::project_settings;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{JsonBody, Path, Query};
use crate::permission::CommandSet;
use crate::routes::action_route::{ActionRoute, action_routes};
use crate::routes::task::role_holder;

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_PROJECTS => list,
        CREATE_PROJECT => create,
        GET_PROJECT => show,
        UPDATE_PROJECT => change,
        REMOVE_PROJECT => remove,
        PAUSE_PROJECT => pause,
        RESUME_PROJECT => resume,
    ]
}

/// List projects
///
/// All projects for admins, else those the caller is a member of.
#[utoipa::path(
    get, path = actions::LIST_PROJECTS.path, tag = "projects", params(PageQuery),
    responses((status = 200, body = Page<Project>))
)]
async fn list(
    State(app): State<AppState>,
    caller: Caller,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Project>>, ApiError> {
    let page = paging::page_request(projects::ORDER, query.limit, query.cursor.as_deref())?;
    let db = app.engine.db();
    let (rows, next) = match caller.membership_filter() {
        None => projects::list(db, &page).await?,
        Some(user) => projects::list_of_member(db, user, &page).await?,
    };
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        items.push(convert::projects::project::project(&app.engine, row).await?);
    }
    Ok(Json(Page { items, next_cursor: next.map(|cursor| cursor.encode()) }))
}

/// Create a project
///
/// Its workflow is a template's name or a whole definition; a definition with mistakes is refused with all of them.
/// The caller becomes its first member. With `repo_path` it gets its first repository: either both are created, or
/// neither.
#[utoipa::path(
    post, path = actions::CREATE_PROJECT.path, tag = "projects",
    request_body = NewProject,
    responses((status = 201, body = Project))
)]
async fn create(
    State(app): State<AppState>,
    caller: Caller,
    JsonBody(asked): JsonBody<NewProject>,
) -> Result<(StatusCode, Json<Project>), ApiError> {
    if let Some(settings) = &asked.settings {
        caller.require_same_permission(None, settings)?;
        caller.require_same_installation(None, settings)?;
        caller.require_first_commands(&app, &CommandSet::of_settings(settings))?;
        caller.require_plain_directory(&app, None, settings).await?;
    }
    if let Some(path) = &asked.repo_path {
        caller.require_directory(&app, std::path::Path::new(path)).await?;
    }
    require_reviewer(&app, &caller, None, asked.settings.as_ref()).await?;
    let repo = asked.repo_path.as_deref().map(convert::projects::repo::first_repo).transpose()?;
    let branch = asked.repo_default_branch.clone();
    let asked = convert::projects::project::new_project(asked)?;
    let made = match repo {
        Some(repo) => {
            app.engine
                .projects()
                .create_project_with_repo(caller.actor, asked, repo, branch)
                .await?
        }
        None => app.engine.projects().create_project(caller.actor, asked).await?,
    };
    let project = convert::projects::project::project(&app.engine, made).await?;
    Ok((StatusCode::CREATED, Json(project)))
}

/// Refuses a default reviewer that does not exist, or that works only for other projects; a project that is being
/// created has no agents of its own.
async fn require_reviewer(
    app: &AppState,
    caller: &Caller,
    project: Option<ProjectId>,
    settings: Option<&ProjectSettings>,
) -> Result<(), ApiError> {
    if let Some(reviewer) = settings.and_then(|settings| settings.default_reviewer) {
        role_holder::load_assignee(app, caller, project, reviewer).await?;
    }
    Ok(())
}

/// Show a project
#[utoipa::path(
    get, path = actions::GET_PROJECT.path, tag = "projects",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Project))
)]
async fn show(
    State(app): State<AppState>,
    _: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Project>, ApiError> {
    let row = app.engine.records().project(ProjectId::new(id)).await?;
    Ok(Json(convert::projects::project::project(&app.engine, row).await?))
}

/// Change a project
///
/// Fields that are left out stay as they are; a stale `version` is refused.
#[utoipa::path(
    patch, path = actions::UPDATE_PROJECT.path, tag = "projects",
    params(("id" = Uuid, Path)), request_body = ProjectPatch,
    responses((status = 200, body = Project))
)]
async fn change(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<ProjectPatch>,
) -> Result<Json<Project>, ApiError> {
    let id = ProjectId::new(id);
    require_reviewer(&app, &caller, Some(id), asked.settings.as_ref()).await?;
    if let Some(asked) = &asked.settings {
        let before =
            project_settings(app.engine.records().project(id).await?.settings.or_defaults());
        caller.require_same_permission(Some(&before), asked)?;
        caller.require_same_installation(Some(&before), asked)?;
        let commands = CommandSet::of_settings(asked);
        caller.require_commands(&app, id, &commands, CommandSet::default()).await?;
        caller.require_plain_directory(&app, Some(&before), asked).await?;
    }
    let patch = convert::projects::project::project_patch(asked);
    let row = app.engine.projects().update_project(caller.actor, id, patch).await?;
    Ok(Json(convert::projects::project::project(&app.engine, row).await?))
}

/// Remove a project
///
/// Only for admins. Refused while a task is open or a workspace is left. Its tasks and events stay as history; the answer
/// lists what stays in its repositories: no branch and no saved state is deleted.
#[utoipa::path(
    delete, path = actions::REMOVE_PROJECT.path, tag = "projects",
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "It was removed", body = RemovedProject))
)]
async fn remove(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<RemovedProject>, ApiError> {
    let kept = app.engine.projects().remove_project(caller.actor, ProjectId::new(id)).await?;
    Ok(Json(convert::projects::project::removed_project(kept)))
}

/// Pause a project
///
/// While it is paused agents cannot claim its tasks; people can. Pausing it again changes nothing.
#[utoipa::path(
    post, path = actions::PAUSE_PROJECT.path, tag = "projects",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Project))
)]
async fn pause(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Project>, ApiError> {
    set_paused(&app, caller, id, true).await
}

/// Resume a project
#[utoipa::path(
    post, path = actions::RESUME_PROJECT.path, tag = "projects",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Project))
)]
async fn resume(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Project>, ApiError> {
    set_paused(&app, caller, id, false).await
}

async fn set_paused(
    app: &AppState,
    caller: Caller,
    id: Uuid,
    paused: bool,
) -> Result<Json<Project>, ApiError> {
    let id = ProjectId::new(id);
    let row = app.engine.projects().pause_project(caller.actor, id, paused).await?;
    Ok(Json(convert::projects::project::project(&app.engine, row).await?))
}

//! Routes for the members of a project (S-6). For admins and for the project's members, like all routes below a
//! project.

use axum::Json;
use axum::extract::State;
use forge_api::{NewMember, Page, PageQuery, ProjectMember, actions};
use forge_domain::{ProjectId, UserId};
use forge_store::tables::members;
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert::accounts::user::member;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{JsonBody, Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_MEMBERS => list,
        ADD_MEMBER => add,
        REMOVE_MEMBER => remove,
    ]
}

/// List a project's members
///
/// Ordered by name. Admins see every project and need not be members.
#[utoipa::path(
    get, path = actions::LIST_MEMBERS.path, tag = "projects",
    params(("id" = Uuid, Path), PageQuery),
    responses((status = 200, body = Page<ProjectMember>))
)]
async fn list(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<ProjectMember>>, ApiError> {
    let project = app.engine.records().project(ProjectId::new(id)).await?.id;
    let page = paging::page_request(members::ORDER, query.limit, query.cursor.as_deref())?;
    let found = members::list_of_project(app.engine.db(), project, &page).await?;
    Ok(Json(paging::page_response(found, member)))
}

/// Add a member to a project
///
/// From then on the user sees and changes the project, and gets its events. Adding a member again changes nothing.
#[utoipa::path(
    post, path = actions::ADD_MEMBER.path, tag = "projects",
    params(("id" = Uuid, Path)), request_body = NewMember,
    responses((status = 201, body = ProjectMember))
)]
async fn add(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<NewMember>,
) -> Result<(StatusCode, Json<ProjectMember>), ApiError> {
    let (project, user) = (ProjectId::new(id), UserId::new(asked.user_id));
    let added = app.engine.accounts().add_member(caller.actor, project, user).await?;
    Ok((StatusCode::CREATED, Json(member(added))))
}

/// Remove a member from a project
///
/// Members may also remove themselves. From then on the user does not see the project or its events. Roles that the
/// user holds on its tasks stay until they are assigned to another user or agent.
#[utoipa::path(
    delete, path = actions::REMOVE_MEMBER.path, tag = "projects",
    params(("id" = Uuid, Path), ("user_id" = Uuid, Path)),
    responses((status = 204, description = "The user is not a member"))
)]
async fn remove(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, user_id)): Path<(Uuid, Uuid)>,
) -> Result<StatusCode, ApiError> {
    let (project, user) = (ProjectId::new(id), UserId::new(user_id));
    app.engine.accounts().remove_member(caller.actor, project, user).await?;
    Ok(StatusCode::NO_CONTENT)
}

//! Who works in a project (S-6). For admins and for the project's members, like all that is below a project.

use axum::Json;
use axum::extract::State;
use forge_api::{Member, NewMember, Page, PageQuery};
use forge_domain::{ProjectId, UserId};
use forge_store::tables::members;
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert::user::member;
use crate::failure::Failure;
use crate::input::{Body, Path, Query};
use crate::paging;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, add)).routes(routes!(remove))
}

/// List a project's members
///
/// By name. Admins see every project and need not be members.
#[utoipa::path(
    get, path = "/projects/{id}/members", tag = "projects", operation_id = "list_members",
    params(("id" = Uuid, Path), PageQuery),
    responses((status = 200, body = Page<Member>))
)]
async fn list(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Member>>, Failure> {
    let project = app.engine.project(ProjectId::new(id)).await?.id;
    let page = paging::asked(members::ORDER, query.limit, query.cursor.as_deref())?;
    let found = members::list_of_project(app.engine.db(), project, &page).await?;
    Ok(Json(paging::page(found, member)))
}

/// Add a member to a project
///
/// From then on they see and change it, and get its events. Adding somebody again changes nothing.
#[utoipa::path(
    post, path = "/projects/{id}/members", tag = "projects", operation_id = "add_member",
    params(("id" = Uuid, Path)), request_body = NewMember,
    responses((status = 201, body = Member))
)]
async fn add(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Body(asked): Body<NewMember>,
) -> Result<(StatusCode, Json<Member>), Failure> {
    let (project, user) = (ProjectId::new(id), UserId::new(asked.user_id));
    let added = app.engine.add_member(caller.actor, project, user).await?;
    Ok((StatusCode::CREATED, Json(member(added))))
}

/// Remove a member from a project
///
/// Oneself too. From then on the project is not there for them, and their event streams say nothing of it. Roles they
/// hold on its tasks stay until they are given to somebody else.
#[utoipa::path(
    delete, path = "/projects/{id}/members/{user_id}", tag = "projects", operation_id = "remove_member",
    params(("id" = Uuid, Path), ("user_id" = Uuid, Path)),
    responses((status = 204, description = "The person is not a member"))
)]
async fn remove(
    State(app): State<App>,
    caller: Caller,
    Path((id, user_id)): Path<(Uuid, Uuid)>,
) -> Result<StatusCode, Failure> {
    let (project, user) = (ProjectId::new(id), UserId::new(user_id));
    app.engine.remove_member(caller.actor, project, user).await?;
    Ok(StatusCode::NO_CONTENT)
}

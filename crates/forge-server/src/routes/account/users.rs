//! Routes for users.

use axum::Json;
use axum::extract::State;
use forge_api::{NewUser, Page, PageQuery, User, UserRole, actions};
use forge_domain::UserId;
use forge_engine::{EngineError, UserSpec, check_name};
use forge_store::tables::users;
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{JsonBody, Path, Query};
use crate::routes::account::password;
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_USERS => list,
        CREATE_USER => create,
        GET_USER => show,
    ]
}

/// List users
///
/// In the order of creation. Every user may see all users: their names appear beside actions, and a user must be able
/// to find an admin.
#[utoipa::path(
    get, path = actions::LIST_USERS.path, tag = "auth", params(PageQuery),
    responses((status = 200, body = Page<User>))
)]
async fn list(
    State(app): State<AppState>,
    _: Caller,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<User>>, ApiError> {
    let mut rows = users::list(app.engine.db()).await?;
    rows.sort_by_key(|user| user.id);
    let all = rows.iter().map(convert::accounts::user::user).collect();
    Ok(Json(paging::page_of_list(all, &query)?))
}

/// Create a user
///
/// Only for admins.
#[utoipa::path(
    post, path = actions::CREATE_USER.path, tag = "auth", request_body = NewUser,
    responses((status = 201, body = User))
)]
async fn create(
    State(app): State<AppState>,
    JsonBody(asked): JsonBody<NewUser>,
) -> Result<(StatusCode, Json<User>), ApiError> {
    check_name(&asked.name)?;
    let spec = UserSpec {
        password: password::hash(&app, asked.password).await?,
        name: asked.name,
        role: convert::accounts::user::account_role(asked.role.unwrap_or(UserRole::Member)),
    };
    let user = app.engine.accounts().create_user(spec).await?;
    Ok((StatusCode::CREATED, Json(convert::accounts::user::user(&user))))
}

/// Show a user
///
/// Open to every user, like the list.
#[utoipa::path(
    get, path = actions::GET_USER.path, tag = "auth",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = User))
)]
async fn show(
    State(app): State<AppState>,
    _: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<User>, ApiError> {
    let found = users::load(app.engine.db(), UserId::new(id)).await?;
    let user = found.ok_or_else(|| EngineError::NotFound { noun: "user", id: id.to_string() })?;
    Ok(Json(convert::accounts::user::user(&user)))
}

//! Routes for users.

use axum::Json;
use axum::extract::State;
use forge_api::{NewUser, Page, PageQuery, SecretString, User, UserLink, UserRole, actions};
use forge_domain::UserId;
use forge_engine::{EngineError, UserSpec, check_name};
use forge_store::tables::users;
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::{Caller, CallerCredential};
use crate::convert;
use crate::convert::time::rfc3339;
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
        REMOVE_USER => remove,
        CREATE_USER_LINK => link,
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

/// Remove a user
///
/// Only for admins, and not for the own account. Sessions and tokens end before the answer. The history stays and shows
/// the name, which can be given to another user.
#[utoipa::path(
    delete, path = actions::REMOVE_USER.path, tag = "auth",
    params(("id" = Uuid, Path)),
    responses((status = 204, description = "The user was removed"))
)]
async fn remove(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<StatusCode, ApiError> {
    let by = caller.require_user()?.id;
    let ended = app.engine.accounts().remove_user(by, UserId::new(id)).await?;
    let sessions = ended.sessions.into_iter().map(CallerCredential::Session);
    let tokens = ended.tokens.into_iter().map(CallerCredential::Token);
    for credential in sessions.chain(tokens) {
        app.credentials.invalidate(credential);
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Make a link with which a user sets a password
///
/// Only for admins. The link works once, for three days; it ends the user's earlier links. When the user sets the
/// password, the user's sessions end; tokens stay valid.
#[utoipa::path(
    post, path = actions::CREATE_USER_LINK.path, tag = "auth",
    params(("id" = Uuid, Path)),
    responses((status = 201, body = UserLink))
)]
async fn link(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
) -> Result<(StatusCode, Json<UserLink>), ApiError> {
    let id = UserId::new(id);
    let (code, expires_at) = app.engine.accounts().issue_user_link(id).await?;
    let found = users::load(app.engine.db(), id).await?;
    let user = found.ok_or_else(|| EngineError::NotFound { noun: "user", id: id.to_string() })?;
    let link = UserLink {
        user: convert::accounts::user::user(&user),
        code: SecretString::new(code.expose()),
        expires_at: rfc3339(expires_at),
    };
    Ok((StatusCode::CREATED, Json(link)))
}

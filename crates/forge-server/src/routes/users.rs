//! People.

use axum::Json;
use axum::extract::State;
use forge_api::{ErrorCode, NewUser, Page, PageQuery, User, UserRole};
use forge_domain::UserId;
use forge_engine::{EngineError, Ids, check_name};
use forge_store::StoreError;
use forge_store::tables::users;
use http::StatusCode;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::password;
use crate::app::App;
use crate::caller::Caller;
use crate::convert::{self, word};
use crate::failure::Failure;
use crate::input::{Body, Path, Query};
use crate::paging;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(show))
}

/// List users
///
/// In the order in which they were added. Everybody may see who there is: names stand beside what somebody did, and who
/// an admin is must be known to be asked.
#[utoipa::path(
    get, path = "/users", tag = "auth", operation_id = "list_users", params(PageQuery),
    responses((status = 200, body = Page<User>))
)]
async fn list(
    State(app): State<App>,
    _: Caller,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<User>>, Failure> {
    let mut rows = users::list(app.engine.db()).await?;
    rows.sort_by_key(|user| user.id);
    let all: Result<Vec<_>, _> = rows.iter().map(convert::user::user).collect();
    Ok(Json(paging::cut(all?, &query)?))
}

/// Create a user
///
/// For admins.
#[utoipa::path(
    post, path = "/users", tag = "auth", operation_id = "create_user", request_body = NewUser,
    responses((status = 201, body = User))
)]
async fn create(
    State(app): State<App>,
    caller: Caller,
    Body(asked): Body<NewUser>,
) -> Result<(StatusCode, Json<User>), Failure> {
    caller.admin()?.writer()?;
    check_name(&asked.name)?;
    let password_hash = password::hash(&app, asked.password).await?;
    let now = app.engine.now();
    let user = users::User {
        id: UserId::new(Ids::Random.next(now)),
        name: asked.name,
        password_hash,
        role: word::of_role(asked.role.unwrap_or(UserRole::Member)).to_owned(),
        created_at: now,
    };
    let row = user.clone();
    let write = app.engine.db().write(move |tx| {
        let row = row.clone();
        Box::pin(async move { users::insert(tx, &row).await })
    });
    let written: Result<(), StoreError> = write.await;
    written.map_err(|error| taken(error, &user.name))?;
    Ok((StatusCode::CREATED, Json(convert::user::user(&user)?)))
}

fn taken(error: StoreError, name: &str) -> Failure {
    if !error.is_duplicate() {
        return error.into();
    }
    let message = format!("There is already a user \"{name}\". Choose another name.");
    let details = json!({ "kind": "user", "field": "name", "value": name });
    Failure::new(ErrorCode::Duplicate, message).with_details(details)
}

/// Show a user
///
/// Everybody may, as with the list.
#[utoipa::path(
    get, path = "/users/{id}", tag = "auth", operation_id = "get_user",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = User))
)]
async fn show(
    State(app): State<App>,
    _: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<User>, Failure> {
    let found = users::load(app.engine.db(), UserId::new(id)).await?;
    let user = found.ok_or_else(|| EngineError::NotFound { noun: "user", id: id.to_string() })?;
    Ok(Json(convert::user::user(&user)?))
}

//! Routes for bearer tokens.

use axum::Json;
use axum::extract::State;
use forge_api::{
    ApiToken, CreatedToken, NewToken, Page, PageQuery, SecretString, TokenScope, actions,
};
use forge_domain::{AccountRole, TokenId};
use forge_engine::{AccessTokenSpec, EngineError, check_name};
use forge_store::tables::tokens;
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::{Caller, CallerCredential};
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{JsonBody, Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_TOKENS => list,
        CREATE_TOKEN => create,
        REVOKE_TOKEN => revoke,
    ]
}

/// List the caller's tokens
#[utoipa::path(
    get, path = actions::LIST_TOKENS.path, tag = "auth", params(PageQuery),
    responses((status = 200, body = Page<ApiToken>))
)]
async fn list(
    State(app): State<AppState>,
    caller: Caller,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<ApiToken>>, ApiError> {
    let rows = tokens::list_of_user(app.engine.db(), caller.require_user()?.id).await?;
    let all = rows.iter().map(convert::accounts::user::token).collect();
    Ok(Json(paging::page_of_list(all, &query)?))
}

/// Create a token for the caller
///
/// Only this answer contains the secret.
#[utoipa::path(
    post, path = actions::CREATE_TOKEN.path, tag = "auth", request_body = NewToken,
    responses((status = 201, body = CreatedToken))
)]
async fn create(
    State(app): State<AppState>,
    caller: Caller,
    JsonBody(asked): JsonBody<NewToken>,
) -> Result<(StatusCode, Json<CreatedToken>), ApiError> {
    check_name(&asked.name)?;
    if asked.expires_in_seconds == Some(0) {
        let problem = "must be at least 1; leave it out for a token that works until it is revoked";
        return Err(convert::text::invalid_field_value("expires_in_seconds", problem));
    }
    let spec = AccessTokenSpec {
        user: caller.require_user()?.id,
        name: asked.name,
        access: convert::accounts::user::token_access(asked.scope.unwrap_or(TokenScope::Full)),
        expires_in_seconds: asked.expires_in_seconds,
    };
    let issued = app.engine.accounts().create_token(spec).await?;
    let secret = SecretString::new(issued.secret.expose());
    let token = convert::accounts::user::token(&issued.token);
    Ok((StatusCode::CREATED, Json(CreatedToken { token, secret })))
}

/// Revoke a token
///
/// Your own token, or any token for an admin. From then on it is invalid; revoking it again changes nothing.
#[utoipa::path(
    delete, path = actions::REVOKE_TOKEN.path, tag = "auth",
    params(("id" = Uuid, Path)),
    responses((status = 204, description = "The token was revoked"))
)]
async fn revoke(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<StatusCode, ApiError> {
    let id = TokenId::new(id);
    let own = tokens::list_of_user(app.engine.db(), caller.require_user()?.id).await?;
    let is_own = own.iter().any(|token| token.id == id);
    let revoked = if is_own || caller.role == AccountRole::Admin {
        app.engine.accounts().revoke_token(id).await?
    } else {
        false
    };
    app.credentials.invalidate(CallerCredential::Token(id));
    if is_own || revoked {
        return Ok(StatusCode::NO_CONTENT);
    }
    let noun = "token";
    let id = id.to_string();
    Err(EngineError::NotFound { noun, id }.into())
}

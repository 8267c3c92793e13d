//! Bearer tokens.

use axum::Json;
use axum::extract::State;
use forge_api::{CreatedToken, NewToken, Page, PageQuery, Token, TokenScope, UserRole};
use forge_domain::TokenId;
use forge_engine::{EngineError, Ids, check_name};
use forge_store::StoreError;
use forge_store::tables::tokens;
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::auth::{SecretHash, fresh_token};
use crate::caller::{Caller, Credential};
use crate::convert::{self, word};
use crate::failure::Failure;
use crate::input::{Body, Path, Query};
use crate::paging;
use crate::refusal::internal;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, create)).routes(routes!(revoke))
}

/// List the caller's tokens
#[utoipa::path(
    get, path = "/tokens", tag = "auth", operation_id = "list_tokens", params(PageQuery),
    responses((status = 200, body = Page<Token>))
)]
async fn list(
    State(app): State<App>,
    caller: Caller,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Token>>, Failure> {
    let rows = tokens::list_of_user(app.engine.db(), caller.person()?.id).await?;
    let all: Result<Vec<_>, _> = rows.iter().map(convert::user::token).collect();
    Ok(Json(paging::cut(all?, &query)?))
}

/// Create a token for the caller
///
/// The answer is the only place that ever shows the secret.
#[utoipa::path(
    post, path = "/tokens", tag = "auth", operation_id = "create_token", request_body = NewToken,
    responses((status = 201, body = CreatedToken))
)]
async fn create(
    State(app): State<App>,
    caller: Caller,
    Body(asked): Body<NewToken>,
) -> Result<(StatusCode, Json<CreatedToken>), Failure> {
    caller.writer()?;
    check_name(&asked.name)?;
    if asked.expires_in_seconds == Some(0) {
        let problem = "must be at least 1; leave it out for a token that works until it is revoked";
        return Err(convert::text::invalid("expires_in_seconds", problem));
    }
    let secret = fresh_token().map_err(|error| internal(&error.to_string()))?;
    let now = app.engine.now();
    let token = tokens::Token {
        id: TokenId::new(Ids::Random.next(now)),
        user_id: caller.person()?.id,
        name: asked.name,
        hash: SecretHash::of(&secret).to_text(),
        scope: word::of_scope(asked.scope.unwrap_or(TokenScope::Full)).to_owned(),
        created_at: now,
        last_used_at: None,
        expires_at: asked.expires_in_seconds.map(|seconds| now.plus_seconds(seconds)),
        revoked_at: None,
    };
    let row = token.clone();
    let write = app.engine.db().write(move |tx| {
        let row = row.clone();
        Box::pin(async move { tokens::insert(tx, &row).await })
    });
    let written: Result<(), StoreError> = write.await;
    written?;
    let token = convert::user::token(&token)?;
    Ok((StatusCode::CREATED, Json(CreatedToken { token, secret })))
}

/// Revoke a token
///
/// One's own, or anybody's for an admin. From then on it opens nothing; revoking it again changes nothing.
#[utoipa::path(
    delete, path = "/tokens/{id}", tag = "auth", operation_id = "revoke_token",
    params(("id" = Uuid, Path)),
    responses((status = 204, description = "Revoked"))
)]
async fn revoke(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<StatusCode, Failure> {
    caller.writer()?;
    let (id, now) = (TokenId::new(id), app.engine.now());
    let own = tokens::list_of_user(app.engine.db(), caller.person()?.id).await?;
    let is_own = own.iter().any(|token| token.id == id);
    let revoked = if is_own || caller.role == UserRole::Admin {
        let write = app
            .engine
            .db()
            .write(move |tx| Box::pin(async move { tokens::revoke(tx, id, now).await }));
        let written: Result<bool, StoreError> = write.await;
        written?
    } else {
        false
    };
    app.credentials.forget(Credential::Token(id));
    if is_own || revoked {
        return Ok(StatusCode::NO_CONTENT);
    }
    let noun = "token";
    let id = id.to_string();
    Err(EngineError::NotFound { noun, id }.into())
}

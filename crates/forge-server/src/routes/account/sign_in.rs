//! Routes for signing in and out (SPEC S-6).

use std::net::SocketAddr;
use std::time::Duration;

use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::response::{IntoResponse, Response};
use forge_api::{CallerInfo, ErrorCode, LoginRequest, SignInResponse, UseLink, UserRole};
use forge_domain::UserId;
use forge_engine::{IdSource, check_name};
use forge_store::tables::links;
use forge_store::tables::sessions::{self, SessionRow};
use forge_store::tables::users::{self, UserRow};
use http::header::SET_COOKIE;
use http::{HeaderMap, StatusCode};
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;
use crate::auth::{PasswordHash, SecretHash, SessionCookie, ThrottleError, fresh_code};
use crate::caller::{Caller, CallerCredential};
use crate::convert;
use crate::convert::stored_word;
use crate::error::api_error::ApiError;
use crate::error::engine_error::internal_error;
use crate::input::JsonBody;
use crate::routes::account::password;
use crate::start::FIRST_ADMIN;

const SESSION_LASTS: Duration = Duration::from_secs(30 * 24 * 3600);

pub(crate) fn public_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(link)).routes(routes!(login))
}

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(logout)).routes(routes!(me))
}

/// Sign in with the one-time link of the first start
///
/// Creates the first admin. The link works once; a used or expired one answers `link_used`.
#[utoipa::path(
    post, path = "/auth/link", tag = "auth", operation_id = "use_link", security(()),
    request_body = UseLink,
    responses((status = 200, description = "Signed in; the session is a cookie", body = SignInResponse))
)]
async fn link(
    State(app): State<AppState>,
    JsonBody(asked): JsonBody<UseLink>,
) -> Result<Response, ApiError> {
    let now = app.engine.now();
    let hash = SecretHash::of(&asked.code).to_text();
    let name = asked.name.unwrap_or_else(|| FIRST_ADMIN.to_owned());
    check_name(&name)?;
    let admin = UserRow {
        id: UserId::new(IdSource::Random.next(now)),
        name,
        password_hash: password::hash(&app, asked.password).await?,
        role: stored_word::stored_role(UserRole::Admin).to_owned(),
        created_at: now,
    };
    let made = admin.clone();
    let used = app.engine.db().write(move |tx| {
        let (hash, admin) = (hash.clone(), made.clone());
        Box::pin(async move {
            // A link works only while there is no user: an older one may still be in a terminal's history.
            if users::count_in(tx).await? > 0 || links::use_once(tx, &hash, now).await?.is_none() {
                return Ok::<_, ApiError>(false);
            }
            users::insert(tx, &admin).await?;
            Ok(true)
        })
    });
    if !used.await? {
        return Err(ApiError::from_code(ErrorCode::LinkUsed));
    }
    sign_in(&app, admin).await
}

/// Sign in with a password
#[utoipa::path(
    post, path = "/auth/login", tag = "auth", operation_id = "login", security(()),
    request_body = LoginRequest,
    responses((status = 200, description = "Signed in; the session is a cookie", body = SignInResponse))
)]
async fn login(
    State(app): State<AppState>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    JsonBody(asked): JsonBody<LoginRequest>,
) -> Result<Response, ApiError> {
    let attempt = app.throttle.begin(&asked.name, peer.ip(), app.engine.now());
    let attempt = attempt.map_err(throttled)?;
    let user = users::by_name(app.engine.db(), &asked.name).await?;
    let stored =
        user.as_ref().and_then(|user| user.password_hash.as_deref()).map(PasswordHash::from_text);
    let right = app.passwords.verify(asked.password, stored).await;
    match user {
        Some(user) if right.map_err(|error| internal_error(&error.to_string()))? => {
            app.throttle.succeeded(attempt);
            sign_in(&app, user).await
        }
        Some(_) | None => Err(ApiError::new(
            ErrorCode::Unauthorized,
            "The name or the password is wrong. Check both, or ask an admin for a new password.",
        )),
    }
}

/// The error for too many attempts, with the time to wait.
pub(crate) fn throttled(throttled: ThrottleError) -> ApiError {
    let seconds = throttled.retry_after_seconds;
    ApiError::new(ErrorCode::Throttled, throttled.to_string())
        .with_details(json!({ "retry_after_seconds": seconds }))
        .retry_after(seconds)
}

/// Sign out
///
/// Ends the browser session; a token stays valid until it is revoked.
#[utoipa::path(
    post, path = "/auth/logout", tag = "auth", operation_id = "logout",
    responses((status = 204, description = "Signed out"))
)]
async fn logout(State(app): State<AppState>, headers: HeaderMap) -> Result<Response, ApiError> {
    if let Some(cookie) = SessionCookie::read(&headers) {
        let hash = SecretHash::of(&cookie).to_text();
        let ended = hash.clone();
        let delete = app.engine.db().write(move |tx| {
            let hash = ended.clone();
            Box::pin(async move { Ok::<_, ApiError>(sessions::delete(tx, &hash).await?) })
        });
        delete.await?;
        app.credentials.invalidate(CallerCredential::Session(hash));
    }
    let mut response = StatusCode::NO_CONTENT.into_response();
    if let Some(cookie) = app.cookie().end() {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Show the caller
#[utoipa::path(
    get, path = "/auth/me", tag = "auth", operation_id = "me",
    responses((status = 200, body = CallerInfo))
)]
async fn me(caller: Caller) -> Result<Json<CallerInfo>, ApiError> {
    Ok(Json(CallerInfo {
        actor: match &caller.user {
            Some(user) => {
                forge_api::ActorView::User { id: user.id.uuid(), name: Some(user.name.clone()) }
            }
            None => convert::accounts::actor::actor(&caller.actor),
        },
        user: caller.user.as_ref().map(convert::accounts::user::user).transpose()?,
        via: caller.auth_method(),
    }))
}

async fn sign_in(app: &AppState, user: UserRow) -> Result<Response, ApiError> {
    let secret = fresh_code().map_err(|error| internal_error(&error.to_string()))?;
    let now = app.engine.now();
    let session = SessionRow {
        hash: SecretHash::of(&secret).to_text(),
        user_id: user.id,
        created_at: now,
        expires_at: now.plus_seconds(SESSION_LASTS.as_secs()),
    };
    let write = app.engine.db().write(move |tx| {
        let session = session.clone();
        Box::pin(async move {
            sessions::delete_expired(tx, now).await?;
            Ok::<_, ApiError>(sessions::insert(tx, &session).await?)
        })
    });
    write.await?;
    let user = convert::accounts::user::user(&user)?;
    let mut response = Json(SignInResponse { user }).into_response();
    let cookie = app.cookie().start(&secret, SESSION_LASTS);
    let cookie =
        cookie.ok_or_else(|| internal_error("the session secret cannot be written as a cookie"))?;
    response.headers_mut().insert(SET_COOKIE, cookie);
    Ok(response)
}

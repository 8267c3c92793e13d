//! Routes for signing in and out (SPEC S-6).

use std::net::SocketAddr;

use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::response::{IntoResponse, Response};
use forge_api::{
    CallerInfo, ErrorCode, LoginRequest, SecretString, SignInResponse, UseLink, actions,
};
use forge_engine::{Accounts, PasswordHash, PlainSecret, SecretHash, check_name};
use forge_store::tables::users::{self, UserRow};
use http::header::SET_COOKIE;
use http::{HeaderMap, StatusCode};
use serde_json::json;

use crate::app::AppState;
use crate::auth::{SessionCookie, ThrottleError};
use crate::caller::{Caller, CallerCredential};
use crate::convert;
use crate::convert::text::invalid_field_value;
use crate::error::api_error::ApiError;
use crate::error::engine_error::internal_error;
use crate::input::JsonBody;
use crate::routes::account::password;
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        USE_LINK => link,
        LOGIN => login,
        LOGOUT => logout,
        ME => me,
    ]
}

/// Sign in with a one-time link
///
/// The link of the first start creates the first admin; the link of a user sets that user's password. A link works once;
/// a used or expired one answers `link_used`.
#[utoipa::path(
    post, path = actions::USE_LINK.path, tag = "auth",
    request_body = UseLink,
    responses((status = 200, description = "Signed in; the session is a cookie", body = SignInResponse))
)]
async fn link(
    State(app): State<AppState>,
    JsonBody(asked): JsonBody<UseLink>,
) -> Result<Response, ApiError> {
    let code = PlainSecret::new(asked.code.expose());
    if app.engine.accounts().load_link_owner(&code).await?.is_some() {
        return set_password(&app, &code, asked).await;
    }
    let name = asked.name.unwrap_or_else(|| Accounts::FIRST_ADMIN.to_owned());
    check_name(&name)?;
    let password = password::hash(&app, asked.password).await?;
    let admin = app.engine.accounts().use_first_run_link(&code, name, password).await?;
    sign_in(&app, admin).await
}

/// Signs a user in with the own link and the password to set.
async fn set_password(
    app: &AppState,
    code: &PlainSecret,
    asked: UseLink,
) -> Result<Response, ApiError> {
    let missing =
        || invalid_field_value("password", "this link sets your password; choose one and send it");
    let password = password::hash(app, asked.password).await?.ok_or_else(missing)?;
    let (user, ended) = app.engine.accounts().use_user_link(code, asked.name, password).await?;
    for hash in ended {
        app.credentials.invalidate(CallerCredential::Session(hash));
    }
    sign_in(app, user).await
}

/// Sign in with a password
#[utoipa::path(
    post, path = actions::LOGIN.path, tag = "auth",
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
    let right = app.passwords.verify(PlainSecret::new(asked.password.expose()), stored).await;
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
    post, path = actions::LOGOUT.path, tag = "auth",
    responses((status = 204, description = "Signed out"))
)]
async fn logout(State(app): State<AppState>, headers: HeaderMap) -> Result<Response, ApiError> {
    if let Some(cookie) = SessionCookie::read(&headers) {
        let hash = SecretHash::of(cookie.expose()).to_text();
        app.engine.accounts().end_session(hash.clone()).await?;
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
    get, path = actions::ME.path, tag = "auth",
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
        user: caller.user.as_ref().map(convert::accounts::user::user),
        via: caller.auth_method(),
    }))
}

async fn sign_in(app: &AppState, user: UserRow) -> Result<Response, ApiError> {
    let session = app.engine.accounts().open_session(user.id).await?;
    let user = convert::accounts::user::user(&user);
    let mut response = Json(SignInResponse { user }).into_response();
    let cookie = app.cookie().start(&SecretString::new(session.secret.expose()), session.lasts);
    let cookie =
        cookie.ok_or_else(|| internal_error("the session secret cannot be written as a cookie"))?;
    response.headers_mut().insert(SET_COOKIE, cookie);
    Ok(response)
}

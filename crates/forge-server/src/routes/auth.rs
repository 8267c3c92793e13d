//! Signing in and out (SPEC S-6).

use std::net::SocketAddr;
use std::time::Duration;

use axum::Json;
use axum::extract::{ConnectInfo, State};
use axum::response::{IntoResponse, Response};
use forge_api::{ErrorCode, Login, Me, SignedIn, UseLink, UserRole};
use forge_domain::UserId;
use forge_engine::{Ids, check_name};
use forge_store::tables::links;
use forge_store::tables::sessions::{self, Session};
use forge_store::tables::users::{self, User};
use http::header::SET_COOKIE;
use http::{HeaderMap, StatusCode};
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::password;
use crate::app::App;
use crate::auth::{PasswordHash, SecretHash, SessionCookie, Throttled, fresh_code};
use crate::caller::{Caller, Credential};
use crate::convert::{self, word};
use crate::failure::Failure;
use crate::input::Body;
use crate::refusal::internal;
use crate::start::FIRST_ADMIN;

const SESSION_LASTS: Duration = Duration::from_secs(30 * 24 * 3600);

pub(crate) fn public_routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(link)).routes(routes!(login))
}

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(logout)).routes(routes!(me))
}

/// Sign in with the one-time link of the first start
///
/// Makes the first admin. The link works once; a used or expired one answers `link_used`.
#[utoipa::path(
    post, path = "/auth/link", tag = "auth", operation_id = "use_link", security(()),
    request_body = UseLink,
    responses((status = 200, description = "Signed in; the session is a cookie", body = SignedIn))
)]
async fn link(State(app): State<App>, Body(asked): Body<UseLink>) -> Result<Response, Failure> {
    let now = app.engine.now();
    let hash = SecretHash::of(&asked.code).to_text();
    let name = asked.name.unwrap_or_else(|| FIRST_ADMIN.to_owned());
    check_name(&name)?;
    let admin = User {
        id: UserId::new(Ids::Random.next(now)),
        name,
        password_hash: password::hash(&app, asked.password).await?,
        role: word::of_role(UserRole::Admin).to_owned(),
        created_at: now,
    };
    let made = admin.clone();
    let used = app.engine.db().write(move |tx| {
        let (hash, admin) = (hash.clone(), made.clone());
        Box::pin(async move {
            // A link counts only while there is nobody: an older one may still lie in a terminal's history.
            if users::count_in(tx).await? > 0 || links::use_once(tx, &hash, now).await?.is_none() {
                return Ok::<_, Failure>(false);
            }
            users::insert(tx, &admin).await?;
            Ok(true)
        })
    });
    if !used.await? {
        return Err(Failure::plain(ErrorCode::LinkUsed));
    }
    sign_in(&app, admin).await
}

/// Sign in with a password
#[utoipa::path(
    post, path = "/auth/login", tag = "auth", operation_id = "login", security(()),
    request_body = Login,
    responses((status = 200, description = "Signed in; the session is a cookie", body = SignedIn))
)]
async fn login(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Body(asked): Body<Login>,
) -> Result<Response, Failure> {
    let attempt = app.throttle.begin(&asked.name, peer.ip(), app.engine.now());
    let attempt = attempt.map_err(throttled)?;
    let user = users::by_name(app.engine.db(), &asked.name).await?;
    let stored =
        user.as_ref().and_then(|user| user.password_hash.as_deref()).map(PasswordHash::from_text);
    let right = app.passwords.verify(asked.password, stored).await;
    match user {
        Some(user) if right.map_err(|error| internal(&error.to_string()))? => {
            app.throttle.succeeded(attempt);
            sign_in(&app, user).await
        }
        Some(_) | None => Err(Failure::new(
            ErrorCode::Unauthorized,
            "The name or the password is wrong. Check both, or ask an admin for a new password.",
        )),
    }
}

/// When to come back, for who tries too often.
pub(super) fn throttled(throttled: Throttled) -> Failure {
    let seconds = throttled.retry_after_seconds;
    Failure::new(ErrorCode::Throttled, throttled.to_string())
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
async fn logout(State(app): State<App>, headers: HeaderMap) -> Result<Response, Failure> {
    if let Some(cookie) = SessionCookie::read(&headers) {
        let hash = SecretHash::of(&cookie).to_text();
        let ended = hash.clone();
        let delete = app.engine.db().write(move |tx| {
            let hash = ended.clone();
            Box::pin(async move { Ok::<_, Failure>(sessions::delete(tx, &hash).await?) })
        });
        delete.await?;
        app.credentials.forget(Credential::Session(hash));
    }
    let mut response = StatusCode::NO_CONTENT.into_response();
    if let Some(cookie) = app.cookie().end() {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Who the caller is
#[utoipa::path(
    get, path = "/auth/me", tag = "auth", operation_id = "me",
    responses((status = 200, body = Me))
)]
async fn me(caller: Caller) -> Result<Json<Me>, Failure> {
    Ok(Json(Me {
        actor: match &caller.user {
            Some(user) => {
                forge_api::Actor::User { id: user.id.uuid(), name: Some(user.name.clone()) }
            }
            None => convert::actor::actor(&caller.actor),
        },
        user: caller.user.as_ref().map(convert::user::user).transpose()?,
        via: caller.via(),
    }))
}

async fn sign_in(app: &App, user: User) -> Result<Response, Failure> {
    let secret = fresh_code().map_err(|error| internal(&error.to_string()))?;
    let now = app.engine.now();
    let session = Session {
        hash: SecretHash::of(&secret).to_text(),
        user_id: user.id,
        created_at: now,
        expires_at: now.plus_seconds(SESSION_LASTS.as_secs()),
    };
    let write = app.engine.db().write(move |tx| {
        let session = session.clone();
        Box::pin(async move {
            sessions::delete_expired(tx, now).await?;
            Ok::<_, Failure>(sessions::insert(tx, &session).await?)
        })
    });
    write.await?;
    let user = convert::user::user(&user)?;
    let mut response = Json(SignedIn { user }).into_response();
    let cookie = app.cookie().start(&secret, SESSION_LASTS);
    let cookie = cookie.ok_or_else(|| internal("a session's secret does not fit a cookie"))?;
    response.headers_mut().insert(SET_COOKIE, cookie);
    Ok(response)
}

//! A person's own password, later than their first day (S-6).

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, State};
use forge_api::{ChangePassword, ErrorCode};
use forge_store::tables::{sessions, users};
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::auth::throttled;
use super::password;
use crate::app::App;
use crate::auth::PasswordHash;
use crate::caller::{Caller, Credential};
use crate::convert::text::invalid;
use crate::failure::Failure;
use crate::input::Body;
use crate::refusal::internal;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(change))
}

/// Change one's own password
///
/// With the old one, which is not needed by who has none yet. All other browsers are signed out; tokens stay valid.
#[utoipa::path(
    put, path = "/me/password", tag = "auth", operation_id = "change_password",
    request_body = ChangePassword,
    responses((status = 204, description = "Changed"))
)]
async fn change(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    caller: Caller,
    Body(asked): Body<ChangePassword>,
) -> Result<StatusCode, Failure> {
    let me = caller.person()?.id;
    caller.writer()?;
    // As it is now: what the caller brings along may be a moment old.
    let user = users::load(app.engine.db(), me).await?;
    let user = user.ok_or_else(|| Failure::plain(ErrorCode::Unauthorized))?;
    let before = user.password_hash;
    if let Some(stored) = before.as_deref() {
        let Some(old) = asked.old_password else {
            return Err(invalid("old_password", "give the password that there is"));
        };
        // Else whoever got hold of a token could try passwords here as fast as they like.
        let attempt = app.throttle.begin(&user.name, peer.ip(), app.engine.now());
        let attempt = attempt.map_err(throttled)?;
        let right = app.passwords.verify(old, Some(PasswordHash::from_text(stored))).await;
        if !right.map_err(|error| internal(&error.to_string()))? {
            let message = "The old password is wrong. Check it, or ask an admin.";
            return Err(Failure::new(ErrorCode::Forbidden, message));
        }
        app.throttle.succeeded(attempt);
    }
    let after = password::hash_of(&app, "new_password", asked.new_password).await?;
    let kept = match &caller.credential {
        Credential::Session(hash) => Some(hash.clone()),
        Credential::Token(_) | Credential::Execution(_) => None,
    };
    let write = app.engine.db().write(move |tx| {
        let (before, after, kept) = (before.clone(), after.clone(), kept.clone());
        Box::pin(async move {
            if !users::change_password(tx, me, before.as_deref(), &after).await? {
                let message = "The password was changed by somebody else just now. Sign in again.";
                return Err(Failure::new(ErrorCode::Forbidden, message));
            }
            Ok(sessions::delete_others(tx, me, kept.as_deref()).await?)
        })
    });
    for ended in write.await? {
        app.credentials.forget(Credential::Session(ended));
    }
    Ok(StatusCode::NO_CONTENT)
}

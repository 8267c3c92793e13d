//! The route to change the caller's own password (S-6).

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, State};
use forge_api::{ChangePassword, ErrorCode, actions};
use forge_engine::{PasswordHash, PlainSecret};
use forge_store::tables::users;
use http::StatusCode;

use crate::app::AppState;
use crate::caller::{Caller, CallerCredential};
use crate::convert::text::invalid_field_value;
use crate::error::api_error::ApiError;
use crate::error::engine_error::internal_error;
use crate::input::JsonBody;
use crate::routes::account::password;
use crate::routes::account::sign_in::throttled;
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        CHANGE_PASSWORD => change,
    ]
}

/// Change your own password
///
/// Needs the old password, unless the user has none yet. All other browsers are signed out; tokens stay valid.
#[utoipa::path(
    put, path = actions::CHANGE_PASSWORD.path, tag = "auth",
    request_body = ChangePassword,
    responses((status = 204, description = "The password was changed"))
)]
async fn change(
    State(app): State<AppState>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    caller: Caller,
    JsonBody(asked): JsonBody<ChangePassword>,
) -> Result<StatusCode, ApiError> {
    let me = caller.require_user()?.id;
    // Load the current row: the caller's copy may be outdated.
    let user = users::load(app.engine.db(), me).await?;
    let user = user.ok_or_else(|| ApiError::from_code(ErrorCode::Unauthorized))?;
    let before = user.password_hash.map(PasswordHash::from_text);
    if let Some(stored) = before.clone() {
        let Some(old) = asked.old_password else {
            return Err(invalid_field_value("old_password", "give the current password"));
        };
        // Without the throttle a stolen token could be used to guess passwords here.
        let attempt = app.throttle.begin(&user.name, peer.ip(), app.engine.now());
        let attempt = attempt.map_err(throttled)?;
        let right = app.passwords.verify(PlainSecret::new(old.expose()), Some(stored)).await;
        if !right.map_err(|error| internal_error(&error.to_string()))? {
            let message = "The old password is wrong. Check it, or ask an admin.";
            return Err(ApiError::new(ErrorCode::Forbidden, message));
        }
        app.throttle.succeeded(attempt);
    }
    let after = password::hash_of(&app, "new_password", asked.new_password).await?;
    let kept = match &caller.credential {
        CallerCredential::Session(hash) => Some(hash.clone()),
        CallerCredential::Token(_) | CallerCredential::Execution(_) => None,
    };
    let ended = app.engine.accounts().change_password(me, before, after, kept).await?;
    for session in ended {
        app.credentials.invalidate(CallerCredential::Session(session));
    }
    Ok(StatusCode::NO_CONTENT)
}

//! Signing in with the credential in the server's data directory (S-6).

use std::net::SocketAddr;

use axum::Json;
use axum::extract::{ConnectInfo, State};
use forge_api::{
    CreatedToken, ErrorCode, LocalSignInRequest, LocalSignInResponse, SecretString, actions,
};
use forge_engine::{Accounts, check_name};
use http::{HeaderMap, StatusCode};

use crate::app::AppState;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::JsonBody;
use crate::local_server::is_from_this_machine;
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LOCAL_SIGN_IN => local_sign_in,
    ]
}

/// Sign in with the server's local credential
///
/// For programs of the server's own user, on the same machine: the credential is a file in the data directory that only
/// that user can read, and each start of the server replaces it. The answer holds a token of the server's first admin,
/// who is created if the server has no user.
#[utoipa::path(
    post, path = actions::LOCAL_SIGN_IN.path, tag = "auth", request_body = LocalSignInRequest,
    responses((status = 201, body = LocalSignInResponse))
)]
async fn local_sign_in(
    State(app): State<AppState>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    JsonBody(asked): JsonBody<LocalSignInRequest>,
) -> Result<(StatusCode, Json<LocalSignInResponse>), ApiError> {
    // The same answer in both cases: from elsewhere the right credential is as wrong as any other.
    if !is_from_this_machine(peer.ip(), &headers)
        || !app.local_credential.accepts(asked.credential.expose())
    {
        return Err(ApiError::new(
            ErrorCode::Unauthorized,
            "This is not the local credential of this server. It works on the server's own machine only, and each start \
             of the server replaces it. Read it again, or sign in with `forge login`.",
        ));
    }
    let name = asked.user_name.unwrap_or_else(|| Accounts::FIRST_ADMIN.to_owned());
    check_name(&name)?;
    check_name(&asked.token_name)?;
    let signed_in = app.engine.accounts().sign_in_locally(name, asked.token_name).await?;
    let token = CreatedToken {
        token: convert::accounts::user::token(&signed_in.token.token),
        secret: SecretString::new(signed_in.token.secret.expose()),
    };
    let user = convert::accounts::user::user(&signed_in.user);
    let body = LocalSignInResponse { user, is_new_user: signed_in.is_new_user, token };
    Ok((StatusCode::CREATED, Json(body)))
}

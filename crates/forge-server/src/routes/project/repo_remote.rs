//! Routes for the remote of a repository: pushing and credentials (M-7, M-15).

use axum::Json;
use axum::extract::State;
use forge_api::{NewCredential, RepoRemote, RepoRemotePatch, actions};
use forge_domain::{ProjectId, RepoId};
use forge_engine::{RemoteChange, RemoteState};
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::{JsonBody, Path};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        GET_REPO_REMOTE => show,
        CHANGE_REPO_REMOTE => change,
        PUT_REPO_CREDENTIAL => give,
        DELETE_REPO_CREDENTIAL => take,
    ]
}

/// Show the remote of a repository
#[utoipa::path(
    get, path = actions::GET_REPO_REMOTE.path, tag = "projects",
    params(("id" = Uuid, Path), ("repo" = Uuid, Path)),
    responses((status = 200, body = RepoRemote))
)]
async fn show(
    State(app): State<AppState>,
    _: Caller,
    Path((id, repo)): Path<(Uuid, Uuid)>,
) -> Result<Json<RepoRemote>, ApiError> {
    let state = app.engine.repos().repo_remote(ProjectId::new(id), RepoId::new(repo)).await?;
    Ok(Json(answer(state)))
}

/// Change whether landed commits are pushed, and which installation of the GitHub App gives access
///
/// By default Forge pushes to the remote of a cloned repository, and does not push a repository on the server's disk.
#[utoipa::path(
    patch, path = actions::CHANGE_REPO_REMOTE.path, tag = "projects",
    params(("id" = Uuid, Path), ("repo" = Uuid, Path)), request_body = RepoRemotePatch,
    responses((status = 200, body = RepoRemote))
)]
async fn change(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, repo)): Path<(Uuid, Uuid)>,
    JsonBody(asked): JsonBody<RepoRemotePatch>,
) -> Result<Json<RepoRemote>, ApiError> {
    if asked.installation_id.flatten().is_some() {
        caller.require_installation()?;
    }
    if asked.push == Some(true) {
        let state = app.engine.repos().repo_remote(ProjectId::new(id), RepoId::new(repo)).await?;
        match &state.url {
            Some(url) => caller.require_own_credentials(&app, url, state.has_token)?,
            // The address is in the repository's own settings, which the project's agents can write.
            None => caller.require_admin().map(drop)?,
        }
    }
    let patch = RemoteChange { push: asked.push, installation_id: asked.installation_id };
    let (id, repo) = (ProjectId::new(id), RepoId::new(repo));
    let state = app.engine.repos().change_repo_remote(caller.actor, id, repo, patch).await?;
    Ok(Json(answer(state)))
}

/// Set the token of a repository
///
/// Replaces the previous token. The server stores it encrypted, passes it to git through a pipe, and never returns
/// it.
#[utoipa::path(
    put, path = actions::PUT_REPO_CREDENTIAL.path, tag = "projects",
    params(("id" = Uuid, Path), ("repo" = Uuid, Path)), request_body = NewCredential,
    responses((status = 204, description = "The token was stored"))
)]
async fn give(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, repo)): Path<(Uuid, Uuid)>,
    JsonBody(asked): JsonBody<NewCredential>,
) -> Result<StatusCode, ApiError> {
    let token = convert::projects::repo::token(&asked.token, asked.user_name)?;
    let (id, repo) = (ProjectId::new(id), RepoId::new(repo));
    app.engine.repos().set_repo_token(caller.actor, id, repo, Some(token)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Remove the token of a repository
#[utoipa::path(
    delete, path = actions::DELETE_REPO_CREDENTIAL.path, tag = "projects",
    params(("id" = Uuid, Path), ("repo" = Uuid, Path)),
    responses((status = 204, description = "It was removed"))
)]
async fn take(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, repo)): Path<(Uuid, Uuid)>,
) -> Result<StatusCode, ApiError> {
    let (id, repo) = (ProjectId::new(id), RepoId::new(repo));
    let state = app.engine.repos().repo_remote(id, repo).await?;
    if let Some(url) = &state.url {
        caller.require_own_credentials(&app, url, !state.has_token)?;
    }
    app.engine.repos().set_repo_token(caller.actor, id, repo, None).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn answer(state: RemoteState) -> RepoRemote {
    RepoRemote {
        url: state.url,
        push: state.push,
        installation_id: state.installation_id,
        has_token: state.has_token,
    }
}

//! A repository's other side: pushing, and what opens it (M-7, M-15).

use axum::Json;
use axum::extract::State;
use forge_api::{NewCredential, RepoRemote, RepoRemotePatch};
use forge_domain::{ProjectId, RepoId};
use forge_engine::{RemotePatch, RemoteState};
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{Body, Path};

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show, change)).routes(routes!(give, take))
}

/// How a repository is reached elsewhere
#[utoipa::path(
    get, path = "/projects/{id}/repos/{repo}/remote", tag = "projects", operation_id = "get_repo_remote",
    params(("id" = Uuid, Path), ("repo" = Uuid, Path)),
    responses((status = 200, body = RepoRemote))
)]
async fn show(
    State(app): State<App>,
    _: Caller,
    Path((id, repo)): Path<(Uuid, Uuid)>,
) -> Result<Json<RepoRemote>, Failure> {
    let state = app.engine.repo_remote(ProjectId::new(id), RepoId::new(repo)).await?;
    Ok(Json(answer(state)))
}

/// Change whether what lands is pushed, and which installation of the GitHub App opens it
///
/// What was cloned from elsewhere is pushed unless this says otherwise; a repository on the server's disk is not, until
/// this says so.
#[utoipa::path(
    patch, path = "/projects/{id}/repos/{repo}/remote", tag = "projects", operation_id = "change_repo_remote",
    params(("id" = Uuid, Path), ("repo" = Uuid, Path)), request_body = RepoRemotePatch,
    responses((status = 200, body = RepoRemote))
)]
async fn change(
    State(app): State<App>,
    caller: Caller,
    Path((id, repo)): Path<(Uuid, Uuid)>,
    Body(asked): Body<RepoRemotePatch>,
) -> Result<Json<RepoRemote>, Failure> {
    caller.writer()?;
    let patch = RemotePatch { push: asked.push, installation_id: asked.installation_id };
    let (id, repo) = (ProjectId::new(id), RepoId::new(repo));
    let state = app.engine.change_repo_remote(caller.actor, id, repo, patch).await?;
    Ok(Json(answer(state)))
}

/// Give a repository a token of its own
///
/// In place of the one it had. It is stored sealed, handed to git by a pipe, and never answered again.
#[utoipa::path(
    put, path = "/projects/{id}/repos/{repo}/credential", tag = "projects", operation_id = "put_repo_credential",
    params(("id" = Uuid, Path), ("repo" = Uuid, Path)), request_body = NewCredential,
    responses((status = 204, description = "Stored"))
)]
async fn give(
    State(app): State<App>,
    caller: Caller,
    Path((id, repo)): Path<(Uuid, Uuid)>,
    Body(asked): Body<NewCredential>,
) -> Result<StatusCode, Failure> {
    caller.writer()?;
    let token = convert::repo::token(&asked.token, asked.user_name)?;
    let (id, repo) = (ProjectId::new(id), RepoId::new(repo));
    app.engine.set_repo_token(caller.actor, id, repo, Some(token)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Take a repository's token away
#[utoipa::path(
    delete, path = "/projects/{id}/repos/{repo}/credential", tag = "projects", operation_id = "delete_repo_credential",
    params(("id" = Uuid, Path), ("repo" = Uuid, Path)),
    responses((status = 204, description = "Gone"))
)]
async fn take(
    State(app): State<App>,
    caller: Caller,
    Path((id, repo)): Path<(Uuid, Uuid)>,
) -> Result<StatusCode, Failure> {
    caller.writer()?;
    let (id, repo) = (ProjectId::new(id), RepoId::new(repo));
    app.engine.set_repo_token(caller.actor, id, repo, None).await?;
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

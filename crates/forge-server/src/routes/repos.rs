//! Repositories of a project.

use axum::Json;
use axum::extract::State;
use forge_api::{NewRepo, Page, PageQuery, Repo, RepoSource};
use forge_domain::{ProjectId, RepoId};
use forge_engine::NewRemote;
use forge_store::tables::repos;
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{Body, Path, Query};
use crate::paging;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, add)).routes(routes!(remove))
}

/// List a project's repositories
#[utoipa::path(
    get, path = "/projects/{id}/repos", tag = "projects", operation_id = "list_repos",
    params(("id" = Uuid, Path), PageQuery),
    responses((status = 200, body = Page<Repo>))
)]
async fn list(
    State(app): State<App>,
    _: Caller,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Repo>>, Failure> {
    let project = app.engine.project(ProjectId::new(id)).await?;
    let rows = repos::list_of_project(app.engine.db(), project.id).await?;
    let all = rows.into_iter().map(convert::repo::repo).collect();
    Ok(Json(paging::cut(all, &query)?))
}

/// Add a repository to a project
///
/// By its absolute path on the server's disk, or by the address (`https://`, `http://`, `ssh://`, `file://`) of a remote,
/// which is cloned before the answer. The first one is the primary one.
#[utoipa::path(
    post, path = "/projects/{id}/repos", tag = "projects", operation_id = "add_repo",
    params(("id" = Uuid, Path)), request_body = NewRepo,
    responses((status = 201, body = Repo))
)]
async fn add(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Body(asked): Body<NewRepo>,
) -> Result<(StatusCode, Json<Repo>), Failure> {
    caller.writer()?;
    let id = ProjectId::new(id);
    let row = match asked.source {
        RepoSource::Path(_) if asked.token.is_some() => {
            return Err(convert::repo::no_token("token: goes with a url; leave it out"));
        }
        RepoSource::Path(path) => {
            let asked = convert::repo::asked_path(&path, asked.name)?;
            app.engine.add_repo(caller.actor, id, asked).await?
        }
        RepoSource::Url(url) => {
            let token = asked.token.map(|token| convert::repo::token(&token, None)).transpose()?;
            let asked = NewRemote { url, name: asked.name, token };
            app.engine.add_remote(caller.actor, id, asked).await?
        }
    };
    Ok((StatusCode::CREATED, Json(convert::repo::repo(row))))
}

/// Take a repository from a project
///
/// Refused while a task needs it. The repository on the server's disk is left as it is; of one that was added by its
/// address the clone is set aside in the data directory. If it was the primary one, the one that was added first of those
/// left is.
#[utoipa::path(
    delete, path = "/projects/{id}/repos/{repo}", tag = "projects", operation_id = "remove_repo",
    params(("id" = Uuid, Path), ("repo" = Uuid, Path)),
    responses((status = 204, description = "Gone"))
)]
async fn remove(
    State(app): State<App>,
    caller: Caller,
    Path((id, repo)): Path<(Uuid, Uuid)>,
) -> Result<StatusCode, Failure> {
    caller.writer()?;
    app.engine.remove_repo(caller.actor, ProjectId::new(id), RepoId::new(repo)).await?;
    Ok(StatusCode::NO_CONTENT)
}

//! Routes for the repositories of a project.

use axum::Json;
use axum::extract::State;
use forge_api::{NewRepo, Page, PageQuery, Repo, RepoSource, actions};
use forge_domain::{ProjectId, RepoId};
use forge_engine::RemoteRepoSpec;
use forge_store::tables::repos;
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{JsonBody, Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_REPOS => list,
        ADD_REPO => add,
        REMOVE_REPO => remove,
    ]
}

/// List a project's repositories
#[utoipa::path(
    get, path = actions::LIST_REPOS.path, tag = "projects",
    params(("id" = Uuid, Path), PageQuery),
    responses((status = 200, body = Page<Repo>))
)]
async fn list(
    State(app): State<AppState>,
    _: Caller,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Repo>>, ApiError> {
    let project = app.engine.records().project(ProjectId::new(id)).await?;
    let rows = repos::list_of_project(app.engine.db(), project.id).await?;
    let all = rows.into_iter().map(convert::projects::repo::repo).collect();
    Ok(Json(paging::page_of_list(all, &query)?))
}

/// Add a repository to a project
///
/// By its absolute path on the server's disk, or by the address (`https://`, `http://`, `ssh://`, `file://`) of a
/// remote, which the server clones before it answers. The first repository becomes the primary one.
#[utoipa::path(
    post, path = actions::ADD_REPO.path, tag = "projects",
    params(("id" = Uuid, Path)), request_body = NewRepo,
    responses((status = 201, body = Repo))
)]
async fn add(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<NewRepo>,
) -> Result<(StatusCode, Json<Repo>), ApiError> {
    let id = ProjectId::new(id);
    let branch = asked.default_branch.clone();
    let row = match asked.source {
        RepoSource::Path(_) if asked.token.is_some() => {
            return Err(convert::projects::repo::token_error(
                "token: allowed only together with url; leave it out",
            ));
        }
        RepoSource::Path(path) => {
            caller.require_directory(&app, std::path::Path::new(&path)).await?;
            let asked = convert::projects::repo::new_repo_from_path(&path, asked.name)?;
            app.engine
                .repos()
                .add_repo_with_branch(caller.actor, id, asked, branch.as_deref())
                .await?
        }
        RepoSource::Url(_) if branch.is_some() => {
            return Err(convert::text::invalid_field_value(
                "default_branch",
                "allowed only together with path; for a url Forge uses the remote's default branch",
            ));
        }
        RepoSource::Url(url) => {
            caller.require_file_url(&app, &url).await?;
            caller.require_own_credentials(&app, &url, asked.token.is_some())?;
            let token = asked
                .token
                .map(|token| convert::projects::repo::token(&token, None))
                .transpose()?;
            let asked = RemoteRepoSpec { url, name: asked.name, token };
            app.engine.repos().add_remote(caller.actor, id, asked).await?
        }
    };
    Ok((StatusCode::CREATED, Json(convert::projects::repo::repo(row))))
}

/// Remove a repository from a project
///
/// Refused while a task needs it. A repository on the server's disk stays as it is; the clone of a remote moves to a
/// separate place in the data directory. If it was the primary repository, the oldest remaining one becomes primary.
#[utoipa::path(
    delete, path = actions::REMOVE_REPO.path, tag = "projects",
    params(("id" = Uuid, Path), ("repo" = Uuid, Path)),
    responses((status = 204, description = "It was removed"))
)]
async fn remove(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, repo)): Path<(Uuid, Uuid)>,
) -> Result<StatusCode, ApiError> {
    app.engine.repos().remove_repo(caller.actor, ProjectId::new(id), RepoId::new(repo)).await?;
    Ok(StatusCode::NO_CONTENT)
}

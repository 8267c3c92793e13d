//! Routes for the git settings of a repository (W-19).

use axum::Json;
use axum::extract::State;
use forge_api::{RepoConfig, RepoConfigChange, RepoConfigChangeKind, actions};
use forge_domain::{ProjectId, RepoId};
use forge_engine::{SettingsChange, SettingsChangeKind};
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::error::api_error::ApiError;
use crate::input::Path;
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        GET_REPO_CONFIG => show,
        ACCEPT_REPO_CONFIG => accept,
    ]
}

/// Show how a repository's git settings differ from the server's copy
///
/// The server works with the settings, attributes and ignore files as they were when the repository was registered.
/// While drivers, includes or attributes differ, tasks are parked at their gate or landing with
/// `repository_config_changed`.
#[utoipa::path(
    get, path = actions::GET_REPO_CONFIG.path, tag = "projects",
    params(("id" = Uuid, Path), ("repo" = Uuid, Path)),
    responses((status = 200, body = RepoConfig))
)]
async fn show(
    State(app): State<AppState>,
    _: Caller,
    Path((id, repo)): Path<(Uuid, Uuid)>,
) -> Result<Json<RepoConfig>, ApiError> {
    let changes =
        app.engine.repos().repo_config_changes(ProjectId::new(id), RepoId::new(repo)).await?;
    Ok(Json(answer(changes)))
}

/// Accept the current git settings of a repository
///
/// For admins, because the server runs the programs that the settings name. Returns the accepted changes.
#[utoipa::path(
    post, path = actions::ACCEPT_REPO_CONFIG.path, tag = "projects",
    params(("id" = Uuid, Path), ("repo" = Uuid, Path)),
    responses((status = 200, body = RepoConfig))
)]
async fn accept(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, repo)): Path<(Uuid, Uuid)>,
) -> Result<Json<RepoConfig>, ApiError> {
    let (id, repo) = (ProjectId::new(id), RepoId::new(repo));
    let accepted = app.engine.repos().accept_repo_config(caller.actor, id, repo).await?;
    Ok(Json(answer(accepted)))
}

fn answer(changes: Vec<SettingsChange>) -> RepoConfig {
    let holds = changes.iter().any(|change| change.holds);
    let changes = changes.into_iter().map(|change| RepoConfigChange {
        key: change.key,
        file: change.file.to_string_lossy().into_owned(),
        kind: match change.kind {
            SettingsChangeKind::Added => RepoConfigChangeKind::Added,
            SettingsChangeKind::Changed => RepoConfigChangeKind::Changed,
            SettingsChangeKind::Removed => RepoConfigChangeKind::Removed,
            SettingsChangeKind::Unreadable => RepoConfigChangeKind::Unreadable,
        },
        holds: change.holds,
        reason: change.reason,
    });
    RepoConfig { holds, changes: changes.collect() }
}

//! Converts repositories.

use std::path::{Component, Path, PathBuf};

use forge_api::{ErrorCode, Repo, SecretString};
use forge_engine::AccessToken;
use forge_store::tables;
use serde_json::json;

use crate::convert::time::rfc3339;
use crate::error::api_error::ApiError;

/// Converts a repository row.
pub(crate) fn repo(row: tables::repos::RepoRow) -> Repo {
    Repo {
        id: row.id.uuid(),
        project_id: row.project_id.uuid(),
        name: row.name,
        path: row.path,
        url: row.url,
        default_branch: Some(row.default_branch),
        primary: row.primary,
        created_at: rfc3339(row.created_at),
    }
}

/// Converts a request to add a repository by path.
pub(crate) fn new_repo_from_path(
    path: &str,
    name: Option<String>,
) -> Result<forge_engine::LocalRepoSpec, ApiError> {
    Ok(forge_engine::LocalRepoSpec { path: absolute_path("path", path)?, name })
}

/// Converts the path of a new project's first repository.
pub(crate) fn first_repo(path: &str) -> Result<forge_engine::LocalRepoSpec, ApiError> {
    Ok(forge_engine::LocalRepoSpec { path: absolute_path("repo_path", path)?, name: None })
}

/// Validates a token of a repository.
pub(crate) fn token(
    given: &SecretString,
    user_name: Option<String>,
) -> Result<AccessToken, ApiError> {
    AccessToken::new(given.expose(), user_name)
        .map_err(|error| token_error(format!("token: {error}")))
}

/// The error for an unusable token; it does not repeat the token.
pub(crate) fn token_error(message: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::InvalidField, message).with_details(json!({ "path": "token" }))
}

/// Accepts only absolute paths without `..`: the server's working directory means nothing to a client, and `..` hides
/// where a path leads.
fn absolute_path(field: &str, text: &str) -> Result<PathBuf, ApiError> {
    let path = Path::new(text);
    let climbs = path.components().any(|part| part == Component::ParentDir);
    if path.is_absolute() && !climbs && !text.contains('\0') {
        return Ok(path.to_owned());
    }
    let message = format!(
        "{field}: must be absolute and without `..`; give the whole path on the server's disk"
    );
    Err(ApiError::new(ErrorCode::InvalidPath, message).with_details(json!({ "path": field })))
}

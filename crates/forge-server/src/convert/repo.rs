//! Repositories.

use std::path::{Component, Path, PathBuf};

use forge_api::{ErrorCode, Repo, Secret};
use forge_engine::Token;
use forge_store::tables;
use serde_json::json;

use super::time::rfc3339;
use crate::failure::Failure;

/// A repository.
pub(crate) fn repo(row: tables::repos::Repo) -> Repo {
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

/// A path that is asked for.
pub(crate) fn asked_path(
    path: &str,
    name: Option<String>,
) -> Result<forge_engine::NewRepo, Failure> {
    Ok(forge_engine::NewRepo { path: plain("path", path)?, name })
}

/// The path of a new project's first repository.
pub(crate) fn first_path(path: &str) -> Result<forge_engine::NewRepo, Failure> {
    Ok(forge_engine::NewRepo { path: plain("repo_path", path)?, name: None })
}

/// A token that is given.
pub(crate) fn token(given: &Secret, user_name: Option<String>) -> Result<Token, Failure> {
    Token::new(given.expose(), user_name).map_err(|error| no_token(format!("token: {error}")))
}

/// That a token cannot be used, without repeating it.
pub(crate) fn no_token(message: impl Into<String>) -> Failure {
    Failure::new(ErrorCode::InvalidField, message).with_details(json!({ "path": "token" }))
}

/// The server's working directory means nothing to a client, and `..` hides where a path leads.
fn plain(field: &str, text: &str) -> Result<PathBuf, Failure> {
    let path = Path::new(text);
    let climbs = path.components().any(|part| part == Component::ParentDir);
    if path.is_absolute() && !climbs && !text.contains('\0') {
        return Ok(path.to_owned());
    }
    let message = format!(
        "{field}: must be absolute and without `..`; give the whole path on the server's disk"
    );
    Err(Failure::new(ErrorCode::InvalidPath, message).with_details(json!({ "path": field })))
}

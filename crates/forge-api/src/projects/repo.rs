//! Repositories of a project (SPEC §1, §7.1).

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use crate::SecretString;

/// A repository of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Repo {
    pub id: Uuid,
    /// The project that owns it.
    pub project_id: Uuid,
    /// Name, unique in the project.
    pub name: String,
    /// Path on the server's disk.
    #[schema(required)]
    pub path: Option<String>,
    /// Address that it was cloned from, without credentials.
    #[schema(required)]
    pub url: Option<String>,
    /// The detected default branch; `null` while the repository is empty.
    #[schema(required)]
    pub default_branch: Option<String>,
    /// Whether tasks without a repository use this one.
    pub primary: bool,
    /// When it was added.
    #[schema(format = DateTime)]
    pub created_at: String,
}

/// Where a repository comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RepoSource {
    /// Path of a repository on the server's disk.
    Path(String),
    /// Address of a remote that Forge clones.
    Url(String),
}

/// Request to add a repository to a project. On the wire the source is `path` or `url` at the top level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "NewRepoFields", into = "NewRepoFields")]
pub struct NewRepo {
    /// Where the repository comes from.
    pub source: RepoSource,
    /// Name; derived from the path or URL if left out.
    pub name: Option<String>,
    /// Token for the URL.
    pub token: Option<SecretString>,
    /// The branch that work lands on, for a path; detected if left out.
    pub default_branch: Option<String>,
}

/// Request to add a repository to a project: exactly one of `path` and `url` is given.
#[derive(Serialize, Deserialize, ToSchema)]
struct NewRepoFields {
    /// Absolute path of a repository on the server's disk.
    #[serde(default)]
    path: Option<String>,
    /// Address of a remote that Forge clones.
    #[serde(default)]
    url: Option<String>,
    /// Name; derived from the path or URL if left out.
    #[serde(default)]
    name: Option<String>,
    /// Token for the URL. The server stores it encrypted and never returns it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Password)]
    token: Option<SecretString>,
    /// The branch that work lands on, for a repository on the server's disk. If left out, Forge takes the only
    /// branch, or the branch of `origin/HEAD`, of `init.defaultBranch`, `main` or `master`; if none of these exists,
    /// the answer is `default_branch_unclear`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default_branch: Option<String>,
}

#[derive(Debug, Error)]
#[error("give exactly one of path and url")]
struct RepoSourceError;

impl TryFrom<NewRepoFields> for NewRepo {
    type Error = RepoSourceError;

    fn try_from(fields: NewRepoFields) -> Result<Self, RepoSourceError> {
        let source = match (fields.path, fields.url) {
            (Some(path), None) => RepoSource::Path(path),
            (None, Some(url)) => RepoSource::Url(url),
            (None, None) | (Some(_), Some(_)) => return Err(RepoSourceError),
        };
        Ok(Self {
            source,
            name: fields.name,
            token: fields.token,
            default_branch: fields.default_branch,
        })
    }
}

impl From<NewRepo> for NewRepoFields {
    fn from(request: NewRepo) -> Self {
        let (path, url) = match request.source {
            RepoSource::Path(path) => (Some(path), None),
            RepoSource::Url(url) => (None, Some(url)),
        };
        let (name, token) = (request.name, request.token);
        Self { path, url, name, token, default_branch: request.default_branch }
    }
}

impl PartialSchema for NewRepo {
    fn schema() -> RefOr<Schema> {
        NewRepoFields::schema()
    }
}

impl ToSchema for NewRepo {}

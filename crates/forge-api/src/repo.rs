//! Repositories of a project (SPEC §1, §7.1).

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use crate::Secret;

/// A repository of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Repo {
    /// Identifier.
    pub id: Uuid,
    /// The project.
    pub project_id: Uuid,
    /// Name, unique in the project.
    pub name: String,
    /// Where it is on the server's disk.
    #[schema(required)]
    pub path: Option<String>,
    /// Where it was cloned from, without credentials.
    #[schema(required)]
    pub url: Option<String>,
    /// The detected default branch; `null` while the repository is empty.
    #[schema(required)]
    pub default_branch: Option<String>,
    /// Tasks that name no repository use this one.
    pub primary: bool,
    /// When it was added.
    #[schema(format = DateTime)]
    pub created_at: String,
}

/// Where a repository comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RepoSource {
    /// A repository on the server's disk.
    Path(String),
    /// A remote that Forge clones.
    Url(String),
}

/// Adds a repository to a project. On the wire the source is `path` or `url` at the top level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "NewRepoFields", into = "NewRepoFields")]
pub struct NewRepo {
    /// Where it comes from.
    pub source: RepoSource,
    /// Taken from the path or URL if left out.
    pub name: Option<String>,
    /// What opens the URL.
    pub token: Option<Secret>,
}

/// Adds a repository to a project: exactly one of path and url is given.
#[derive(Serialize, Deserialize, ToSchema)]
struct NewRepoFields {
    /// A repository on the server's disk, as an absolute path.
    #[serde(default)]
    path: Option<String>,
    /// A remote that Forge clones.
    #[serde(default)]
    url: Option<String>,
    /// Taken from the path or URL if left out.
    #[serde(default)]
    name: Option<String>,
    /// A token that opens the url. It is stored sealed and never answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Password)]
    token: Option<Secret>,
}

#[derive(Debug, Error)]
#[error("give exactly one of path and url")]
struct NotOneSource;

impl TryFrom<NewRepoFields> for NewRepo {
    type Error = NotOneSource;

    fn try_from(fields: NewRepoFields) -> Result<Self, NotOneSource> {
        let source = match (fields.path, fields.url) {
            (Some(path), None) => RepoSource::Path(path),
            (None, Some(url)) => RepoSource::Url(url),
            (None, None) | (Some(_), Some(_)) => return Err(NotOneSource),
        };
        Ok(Self { source, name: fields.name, token: fields.token })
    }
}

impl From<NewRepo> for NewRepoFields {
    fn from(request: NewRepo) -> Self {
        let (path, url) = match request.source {
            RepoSource::Path(path) => (Some(path), None),
            RepoSource::Url(url) => (None, Some(url)),
        };
        Self { path, url, name: request.name, token: request.token }
    }
}

impl PartialSchema for NewRepo {
    fn schema() -> RefOr<Schema> {
        NewRepoFields::schema()
    }
}

impl ToSchema for NewRepo {}

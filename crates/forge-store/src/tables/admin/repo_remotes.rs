//! Remotes of repositories.

use forge_domain::{RepoId, Timestamp};

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tx::Tx;

/// Settings of a repository's remote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepoRemoteRow {
    pub repo_id: RepoId,
    /// Whether landings are pushed; `None` pushes those of cloned repositories.
    pub push: Option<bool>,
    /// URL of the remote, if the repository was not cloned from it.
    pub url: Option<String>,
    /// The GitHub App installation that has access.
    pub installation_id: Option<u64>,
    /// An encrypted access token.
    pub sealed_token: Option<String>,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

impl RepoRemoteRow {
    /// Settings without any value.
    pub fn new(repo_id: RepoId, updated_at: Timestamp) -> Self {
        Self {
            repo_id,
            push: None,
            url: None,
            installation_id: None,
            sealed_token: None,
            updated_at,
        }
    }
}

/// Stores the settings in place of the old ones.
pub async fn put(tx: &mut Tx, remote: &RepoRemoteRow) -> Result<(), StoreError> {
    let upsert = stmt(
        "INSERT INTO repo_remotes (repo_id, push, url, installation_id, sealed_token, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (repo_id) DO UPDATE SET
            push = excluded.push, url = excluded.url, installation_id = excluded.installation_id,
            sealed_token = excluded.sealed_token, updated_at = excluded.updated_at",
    )
    .bind(remote.repo_id)
    .bind(remote.push)
    .bind(remote.url.clone())
    .bind(remote.installation_id.map(|id| i64::try_from(id).unwrap_or(i64::MAX)))
    .bind(remote.sealed_token.clone())
    .bind(remote.updated_at);
    tx.execute(upsert).await?;
    Ok(())
}

/// The settings of a repository's remote; `None` if there are none.
pub async fn load(db: &Db, repo: RepoId) -> Result<Option<RepoRemoteRow>, StoreError> {
    db.fetch_optional(select(repo)).await?.as_ref().map(read).transpose()
}

/// Same, read inside the transaction.
pub async fn load_in(tx: &mut Tx, repo: RepoId) -> Result<Option<RepoRemoteRow>, StoreError> {
    tx.fetch_optional(select(repo)).await?.as_ref().map(read).transpose()
}

fn select(repo: RepoId) -> SqlStatement {
    stmt("SELECT * FROM repo_remotes WHERE repo_id = $1").bind(repo)
}

fn read(row: &DbRow) -> Result<RepoRemoteRow, StoreError> {
    let installation: Option<i64> = row.get("installation_id")?;
    Ok(RepoRemoteRow {
        repo_id: row.parse("repo_id")?,
        push: row.get("push")?,
        url: row.get("url")?,
        installation_id: installation.and_then(|id| u64::try_from(id).ok()),
        sealed_token: row.get("sealed_token")?,
        updated_at: row.at("updated_at")?,
    })
}

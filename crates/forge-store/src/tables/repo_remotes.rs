//! How repositories are reached elsewhere.

use forge_domain::{RepoId, Timestamp};

use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::{Stmt, stmt};
use crate::tx::Tx;

/// What was said about a repository's other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepoRemote {
    /// The repository.
    pub repo_id: RepoId,
    /// Whether what lands is pushed; if nobody said so, what was cloned is.
    pub push: Option<bool>,
    /// Where it is, for one that was not cloned from there.
    pub url: Option<String>,
    /// The installation of the GitHub App that opens it.
    pub installation_id: Option<u64>,
    /// A token, sealed.
    pub sealed_token: Option<String>,
    /// When somebody last said something.
    pub updated_at: Timestamp,
}

impl RepoRemote {
    /// Nothing said yet.
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

/// Writes it down in place of what was there.
pub async fn put(tx: &mut Tx, remote: &RepoRemote) -> Result<(), StoreError> {
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

/// What was said about a repository; none if nothing was.
pub async fn load(db: &Db, repo: RepoId) -> Result<Option<RepoRemote>, StoreError> {
    db.fetch_optional(select(repo)).await?.as_ref().map(read).transpose()
}

/// The same, as the transaction sees it.
pub async fn load_in(tx: &mut Tx, repo: RepoId) -> Result<Option<RepoRemote>, StoreError> {
    tx.fetch_optional(select(repo)).await?.as_ref().map(read).transpose()
}

fn select(repo: RepoId) -> Stmt {
    stmt("SELECT * FROM repo_remotes WHERE repo_id = $1").bind(repo)
}

fn read(row: &DbRow) -> Result<RepoRemote, StoreError> {
    let installation: Option<i64> = row.get("installation_id")?;
    Ok(RepoRemote {
        repo_id: row.parse("repo_id")?,
        push: row.get("push")?,
        url: row.get("url")?,
        installation_id: installation.and_then(|id| u64::try_from(id).ok()),
        sealed_token: row.get("sealed_token")?,
        updated_at: row.at("updated_at")?,
    })
}

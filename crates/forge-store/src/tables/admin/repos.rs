//! The table of repositories.

use forge_domain::{ProjectId, RepoId, Timestamp};

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tx::Tx;

/// A local repository, or a remote one that Forge clones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepoRow {
    pub id: RepoId,
    pub project_id: ProjectId,
    /// The name, which is unique in the project.
    pub name: String,
    /// Path on this machine.
    pub path: Option<String>,
    /// URL of the remote.
    pub url: Option<String>,
    /// The detected default branch.
    pub default_branch: String,
    /// Whether tasks use it when they name none; at most one per project.
    pub primary: bool,
    pub created_at: Timestamp,
}

/// Adds a repository.
pub async fn insert(tx: &mut Tx, repo: &RepoRow) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO repos (id, project_id, name, path, url, default_branch, is_primary, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(repo.id)
    .bind(repo.project_id)
    .bind(&repo.name)
    .bind(repo.path.clone())
    .bind(repo.url.clone())
    .bind(&repo.default_branch)
    .bind(repo.primary)
    .bind(repo.created_at);
    tx.execute(insert).await?;
    Ok(())
}

/// Deletes a repository with all its records; another one of its project becomes primary if it was.
pub async fn remove(tx: &mut Tx, repo: &RepoRow) -> Result<(), StoreError> {
    for text in [
        "DELETE FROM repo_remotes WHERE repo_id = $1",
        "DELETE FROM gate_receipts WHERE repo_id = $1",
        "DELETE FROM check_ledger WHERE repo_id = $1",
        "DELETE FROM radar_pairs WHERE repo_id = $1",
        "DELETE FROM radar_heads WHERE repo_id = $1",
        "DELETE FROM repos WHERE id = $1",
    ] {
        tx.execute(stmt(text).bind(repo.id)).await?;
    }
    if repo.primary {
        let promote = stmt(
            "UPDATE repos SET is_primary = TRUE
             WHERE id = (SELECT id FROM repos WHERE project_id = $1 ORDER BY created_at, id LIMIT 1)",
        );
        tx.execute(promote.bind(repo.project_id)).await?;
    }
    Ok(())
}

/// Loads one repository.
pub async fn load(db: &Db, id: RepoId) -> Result<Option<RepoRow>, StoreError> {
    let select = stmt("SELECT * FROM repos WHERE id = $1").bind(id);
    db.fetch_optional(select).await?.as_ref().map(read).transpose()
}

/// Loads one repository, read inside the transaction.
pub async fn load_in(tx: &mut Tx, id: RepoId) -> Result<Option<RepoRow>, StoreError> {
    let select = stmt("SELECT * FROM repos WHERE id = $1").bind(id);
    tx.fetch_optional(select).await?.as_ref().map(read).transpose()
}

/// All repositories in the order in which they were added.
pub async fn list(db: &Db) -> Result<Vec<RepoRow>, StoreError> {
    let select = stmt("SELECT * FROM repos ORDER BY created_at, id");
    db.fetch_all(select).await?.iter().map(read).collect()
}

/// A project's repositories, by name.
pub async fn list_of_project(db: &Db, project: ProjectId) -> Result<Vec<RepoRow>, StoreError> {
    let select = stmt("SELECT * FROM repos WHERE project_id = $1 ORDER BY name").bind(project);
    db.fetch_all(select).await?.iter().map(read).collect()
}

/// Same, read inside the transaction.
pub async fn list_of_project_in(
    tx: &mut Tx,
    project: ProjectId,
) -> Result<Vec<RepoRow>, StoreError> {
    let select = stmt("SELECT * FROM repos WHERE project_id = $1 ORDER BY name").bind(project);
    tx.fetch_all(select).await?.iter().map(read).collect()
}

/// The repositories of all projects.
pub async fn list_all(db: &Db) -> Result<Vec<RepoRow>, StoreError> {
    db.fetch_all(stmt("SELECT * FROM repos ORDER BY id")).await?.iter().map(read).collect()
}

/// Whether another project has the repository at this path.
pub async fn is_taken_in(tx: &mut Tx, path: &str, project: ProjectId) -> Result<bool, StoreError> {
    let select = stmt("SELECT id FROM repos WHERE path = $1 AND project_id <> $2 LIMIT 1");
    Ok(tx.fetch_optional(select.bind(path).bind(project)).await?.is_some())
}

/// The repository that a project's tasks use when they name none.
pub async fn primary_of(db: &Db, project: ProjectId) -> Result<Option<RepoRow>, StoreError> {
    db.fetch_optional(select_primary(project)).await?.as_ref().map(read).transpose()
}

/// Same, read inside the transaction.
pub async fn primary_of_in(tx: &mut Tx, project: ProjectId) -> Result<Option<RepoRow>, StoreError> {
    tx.fetch_optional(select_primary(project)).await?.as_ref().map(read).transpose()
}

fn select_primary(project: ProjectId) -> SqlStatement {
    stmt("SELECT * FROM repos WHERE project_id = $1 AND is_primary").bind(project)
}

fn read(row: &DbRow) -> Result<RepoRow, StoreError> {
    Ok(RepoRow {
        id: row.parse("id")?,
        project_id: row.parse("project_id")?,
        name: row.get("name")?,
        path: row.get("path")?,
        url: row.get("url")?,
        default_branch: row.get("default_branch")?,
        primary: row.get("is_primary")?,
        created_at: row.at("created_at")?,
    })
}

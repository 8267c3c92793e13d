//! Tasks that still use a repository or a project.

use forge_domain::task::TaskKey;
use forge_domain::workflow::TaskStanding;
use forge_domain::{ProjectId, RepoId};

use crate::store_error::StoreError;
use crate::tables::column::word;
use crate::tables::query_builder::QueryBuilder;
use crate::tx::Tx;

/// Open tasks, and ended tasks with a workspace or an open effect; at most `limit` of them, oldest first.
pub async fn tasks_using_repo(
    tx: &mut Tx,
    project: ProjectId,
    repo: RepoId,
    limit: u32,
) -> Result<Vec<TaskKey>, StoreError> {
    list_in_use(tx, project, Some(repo), limit).await
}

/// Same for all tasks of a project.
pub async fn tasks_in_use(
    tx: &mut Tx,
    project: ProjectId,
    limit: u32,
) -> Result<Vec<TaskKey>, StoreError> {
    list_in_use(tx, project, None, limit).await
}

async fn list_in_use(
    tx: &mut Tx,
    project: ProjectId,
    repo: Option<RepoId>,
    limit: u32,
) -> Result<Vec<TaskKey>, StoreError> {
    let mut query = QueryBuilder::new("SELECT number FROM tasks WHERE project_id = ");
    query.value(project).text(" AND (workspace IS NOT NULL OR standing IN ");
    query.value_group(
        true,
        [word(TaskStanding::Open)?.into(), word(TaskStanding::Submitted)?.into()],
    );
    query.text(
        " OR EXISTS (SELECT 1 FROM effects WHERE effects.task_id = tasks.id AND effects.open))",
    );
    if let Some(repo) = repo {
        query.text(" AND ").text(tx.dialect().repo_of_snapshot()).text(" = ").value(repo);
    }
    query.text(" ORDER BY number LIMIT ").value(limit);
    let rows = tx.fetch_all(query.into_stmt()).await?;
    rows.iter().map(|row| row.get("number").map(TaskKey)).collect()
}

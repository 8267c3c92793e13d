//! The tasks that still need a repository.

use forge_domain::task::TaskKey;
use forge_domain::workflow::Standing;
use forge_domain::{ProjectId, RepoId};

use crate::errors::StoreError;
use crate::tables::assembly::Assembly;
use crate::tables::column::word;
use crate::tx::Tx;

/// Those that have not ended, and those that have but of which something is still on disk or still to be done; at most
/// `limit` of them, the oldest first.
pub async fn users_of_repo(
    tx: &mut Tx,
    project: ProjectId,
    repo: RepoId,
    limit: u32,
) -> Result<Vec<TaskKey>, StoreError> {
    let mut query = Assembly::new("SELECT number FROM tasks WHERE project_id = ");
    query.value(project).text(" AND (workspace IS NOT NULL OR standing IN ");
    query.group(true, [word(Standing::Open)?.into(), word(Standing::Submitted)?.into()]);
    query.text(" OR EXISTS (SELECT 1 FROM effects WHERE effects.task_id = tasks.id AND effects.open)) AND ");
    query.text(tx.dialect().repo_of_snapshot()).text(" = ").value(repo);
    query.text(" ORDER BY number LIMIT ").value(limit);
    let rows = tx.fetch_all(query.into_stmt()?).await?;
    rows.iter().map(|row| row.get("number").map(TaskKey)).collect()
}

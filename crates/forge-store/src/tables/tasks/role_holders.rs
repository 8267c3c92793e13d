//! Open tasks in which an agent holds a role.

use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::TaskStanding;
use forge_domain::{AgentId, Assignee, TaskId};

use crate::db::Db;
use crate::store_error::StoreError;
use crate::tables::column::word;
use crate::tables::query_builder::QueryBuilder;
use crate::tables::tasks::store;

/// Open tasks of all projects in which this agent holds a role, by identifier. Reads every open task whose snapshot
/// contains the agent's identifier, so it is for rare changes such as the removal of an agent.
pub async fn open_with_role_of(db: &Db, agent: AgentId) -> Result<Vec<TaskId>, StoreError> {
    let mut query = QueryBuilder::new("SELECT snapshot FROM tasks WHERE standing IN ");
    query.value_group(
        true,
        [word(TaskStanding::Open)?.into(), word(TaskStanding::Submitted)?.into()],
    );
    query.text(" AND snapshot LIKE ").value(format!("%{agent}%")).text(" ORDER BY id");
    let rows = db.fetch_all(query.into_stmt()).await?;
    let tasks = rows.iter().map(store::read).collect::<Result<Vec<TaskSnapshot>, _>>()?;
    let holds = |task: &TaskSnapshot| {
        task.roles.values().any(|holder| *holder == Assignee::Agent { id: agent })
    };
    Ok(tasks.iter().filter(|task| holds(task)).map(|task| task.id).collect())
}

//! Numbers of tasks, by state and by phase of the board.

use std::collections::BTreeMap;

use forge_domain::ProjectId;
use forge_domain::workflow::{BoardPhase, StateName};

use crate::db::Db;
use crate::statement::stmt;
use crate::store_error::StoreError;

/// Reads only the index: a count must not cost more the longer the descriptions are.
pub(crate) const BY_STATE: &str = "SELECT state, COUNT(*) AS tasks FROM tasks
     WHERE project_id = $1 AND archived = FALSE GROUP BY state";
/// Reads only the index, like [`BY_STATE`].
pub(crate) const BY_PHASE: &str = "SELECT phase, COUNT(*) AS tasks FROM tasks
     WHERE project_id = $1 AND archived = FALSE GROUP BY phase";

/// Numbers of a project's tasks that are not archived.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskCounts {
    /// States without a task are left out.
    pub by_state: BTreeMap<StateName, u64>,
    /// Phases without a task are left out.
    pub by_phase: Vec<(BoardPhase, u64)>,
}

/// Counts a project's tasks.
pub async fn count_tasks(db: &Db, project: ProjectId) -> Result<TaskCounts, StoreError> {
    let mut counts = TaskCounts::default();
    for row in db.fetch_all(stmt(BY_STATE).bind(project)).await? {
        let state = StateName::new(row.get::<String>("state")?);
        counts.by_state.insert(state, row.count("tasks")?);
    }
    for row in db.fetch_all(stmt(BY_PHASE).bind(project)).await? {
        counts.by_phase.push((row.word("phase")?, row.count("tasks")?));
    }
    Ok(counts)
}

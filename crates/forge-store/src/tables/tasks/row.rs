//! The columns of a task's row. One function derives them all, so that lists agree about a task.

use forge_domain::Assignee;
use forge_domain::task::{TaskSnapshot, WorkspaceStatus};

use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tables::column::{json, word};
use crate::tables::tasks::related::RelatedRows;

macro_rules! insert {
    () => {
        "INSERT INTO tasks (id, project_id, number, workflow, state, phase, standing, claimable, kind, urgency, version,
                            agent_id, parent_id, archived, created_at, updated_at, related, related_stale, snapshot,
                            workspace)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, TRUE, $18, $19)"
    };
}

/// Builds the insert of a new row.
pub(crate) fn insert(
    task: &TaskSnapshot,
    related: &RelatedRows,
) -> Result<SqlStatement, StoreError> {
    bind(stmt(insert!()), task, related)
}

/// Builds the upsert of a row, which returns whether the related rows must be written.
pub(crate) fn put(task: &TaskSnapshot, related: &RelatedRows) -> Result<SqlStatement, StoreError> {
    // On the right of `SET`, a column is its value before the change.
    let text = concat!(
        insert!(),
        " ON CONFLICT (id) DO UPDATE SET
            workflow = excluded.workflow, state = excluded.state, phase = excluded.phase,
            standing = excluded.standing, claimable = excluded.claimable, kind = excluded.kind,
            urgency = excluded.urgency, version = excluded.version, agent_id = excluded.agent_id,
            parent_id = excluded.parent_id, archived = excluded.archived, updated_at = excluded.updated_at,
            related = excluded.related, related_stale = (tasks.related <> excluded.related),
            snapshot = excluded.snapshot, workspace = excluded.workspace
          RETURNING related_stale"
    );
    bind(stmt(text), task, related)
}

fn bind(
    statement: SqlStatement,
    task: &TaskSnapshot,
    related: &RelatedRows,
) -> Result<SqlStatement, StoreError> {
    let archived = task.archived_at.is_some();
    let on_disk = task.workspace.as_ref().filter(|found| found.status != WorkspaceStatus::Cleaned);
    let running = task.run.as_ref().and_then(|run| run.assignee.agent());
    let agent = running.or_else(|| task.roles.values().find_map(Assignee::agent));
    Ok(statement
        .bind(task.id)
        .bind(task.project_id)
        .bind(task.number)
        .bind(&task.workflow)
        .bind(&task.state)
        .bind(word(task.phase)?)
        .bind(word(task.standing)?)
        .bind(task.claimable && !archived)
        .bind(word(task.kind)?)
        .bind(-i64::from(task.priority))
        .bind(task.version)
        .bind(agent)
        .bind(task.parent)
        .bind(archived)
        .bind(task.created_at)
        .bind(task.updated_at)
        .bind(related.digest())
        .bind(json(task)?)
        .bind(on_disk.map(|workspace| workspace.path.clone())))
}

//! Claimable tasks in queue order (E-10). Only transactions that hold the project's counter write here, so that an
//! ending dependency and a task that starts to wait for it cannot miss each other.

use forge_domain::task::{TaskActivity, TaskSnapshot};
use forge_domain::workflow::{RoleName, TaskStanding};
use forge_domain::{AgentId, Assignee, ProjectId, TaskId};

use std::collections::BTreeSet;

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::column::word;
use crate::tables::execution::usage;
use crate::tx::Tx;
use crate::wake::WakeChannel;

/// A task that waits only for an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingTask {
    pub task_id: TaskId,
    pub project_id: ProjectId,
    /// Role that a claim gives.
    pub role: RoleName,
    /// The agent that already holds this role.
    pub agent_id: Option<AgentId>,
    /// The agent that handed it off last.
    pub avoid: Option<AgentId>,
    /// The agents that handed it off in this visit (T-20).
    pub declined_by: BTreeSet<AgentId>,
    /// The negated priority.
    pub urgency: i64,
    /// Task number on the board.
    pub number: i64,
}

macro_rules! all_in {
    ($task:literal, $succeeded:literal) => {
        concat!(
            "NOT EXISTS (SELECT 1 FROM task_dependencies JOIN tasks ON tasks.id = task_dependencies.depends_on_id
                         WHERE task_dependencies.task_id = ",
            $task,
            " AND tasks.standing <> ",
            $succeeded,
            ")"
        )
    };
}

/// Walks the index lane by lane, one step each, and returns the first tasks of each lane whose project has dispatch
/// switched on.
pub(crate) const HEADS: &str = "WITH RECURSIVE lanes (lane) AS (
        SELECT MIN(lane) FROM waiting_tasks WHERE ready
        UNION ALL
        SELECT (SELECT MIN(following.lane) FROM waiting_tasks AS following
                WHERE following.ready AND following.lane > lanes.lane)
        FROM lanes WHERE lanes.lane IS NOT NULL
    )
    SELECT waiting.* FROM lanes
    JOIN served_projects ON served_projects.project_id = SUBSTR(lanes.lane, 1, 36)
    JOIN projects ON projects.id = served_projects.project_id AND projects.paused_at IS NULL
    JOIN waiting_tasks AS waiting ON waiting.task_id IN (
        SELECT head.task_id FROM waiting_tasks AS head
        WHERE head.ready AND head.lane = lanes.lane ORDER BY head.urgency, head.number LIMIT $1)";

pub(crate) const PLACE: &str = "SELECT COUNT(*) AS place FROM (
        SELECT 1 AS one FROM waiting_tasks
        WHERE ready AND lane = $1 AND (urgency, number) <= ($2, $3) ORDER BY urgency, number LIMIT $4) AS before";

/// Highest position that is counted.
const FARTHEST: i64 = 1000;

/// Updates the queue entry of a task; `role` is the role that a claim gives. The caller must hold the project's
/// counter.
pub async fn put(
    tx: &mut Tx,
    task: &TaskSnapshot,
    role: Option<&RoleName>,
) -> Result<(), StoreError> {
    let Some(role) = role.filter(|_| task.claimable && task.archived_at.is_none()) else {
        tx.execute(stmt("DELETE FROM waiting_tasks WHERE task_id = $1").bind(task.id)).await?;
        return Ok(());
    };
    let holder = task.roles.get(role);
    let agent = holder.and_then(Assignee::agent);
    let avoid = task.handed_off_by().filter(|_| holder.is_none());
    let declined = match holder {
        Some(_) => String::new(),
        None => joined(&task.declined_by),
    };
    let free = is_free(task, holder) && !is_budget_exhausted(tx, task).await?;
    let upsert = stmt(concat!(
        "INSERT INTO waiting_tasks (task_id, project_id, role, agent_id, lane, urgency, number, free, avoid_id,
                                    declined_by, ready)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $10, $11, ($8 AND ",
        all_in!("$1", "$9"),
        "))
         ON CONFLICT (task_id) DO UPDATE SET
            role = excluded.role, agent_id = excluded.agent_id, lane = excluded.lane, urgency = excluded.urgency,
            free = excluded.free, avoid_id = excluded.avoid_id, declined_by = excluded.declined_by,
            ready = excluded.ready
         RETURNING ready"
    ))
    .bind(task.id)
    .bind(task.project_id)
    .bind(role)
    .bind(agent)
    .bind(lane(task.project_id, role, agent, avoid, &declined))
    .bind(-i64::from(task.priority))
    .bind(task.number)
    .bind(free)
    .bind(word(TaskStanding::Succeeded)?)
    .bind(avoid)
    .bind(declined);
    if tx.fetch_one(upsert).await?.get("ready")? {
        wake(tx);
    }
    Ok(())
}

/// Marks tasks as ready that waited for a task that has landed. The caller must hold the project's counter.
pub async fn release_dependents(tx: &mut Tx, task: TaskId) -> Result<(), StoreError> {
    let update = stmt(concat!(
        "UPDATE waiting_tasks SET ready = (free AND ",
        all_in!("waiting_tasks.task_id", "$2"),
        ") WHERE task_id IN (SELECT task_id FROM task_dependencies WHERE depends_on_id = $1)"
    ));
    if tx.execute(update.bind(task).bind(word(TaskStanding::Succeeded)?)).await? > 0 {
        wake(tx);
    }
    Ok(())
}

/// The first tasks of each lane of the projects with dispatch switched on, unordered.
pub async fn lane_heads(db: &Db, per_lane: u32) -> Result<Vec<WaitingTask>, StoreError> {
    db.fetch_all(stmt(HEADS).bind(per_lane)).await?.iter().map(read).collect()
}

/// Waiting tasks, in projects with dispatch switched on, that agents handed off in this visit (T-20).
pub async fn list_declined(db: &Db) -> Result<Vec<WaitingTask>, StoreError> {
    let select = stmt(
        "SELECT waiting_tasks.* FROM waiting_tasks
         JOIN served_projects ON served_projects.project_id = waiting_tasks.project_id
         JOIN projects ON projects.id = waiting_tasks.project_id AND projects.paused_at IS NULL
         WHERE waiting_tasks.declined_by <> '' AND waiting_tasks.ready
         ORDER BY waiting_tasks.task_id",
    );
    db.fetch_all(select).await?.iter().map(read).collect()
}

/// The task's position in its lane, from 1; counted up to a thousand. `None` if it waits for more than an agent.
pub async fn position(db: &Db, task: TaskId) -> Result<Option<u64>, StoreError> {
    let select = stmt("SELECT * FROM waiting_tasks WHERE task_id = $1 AND ready").bind(task);
    let Some(row) = db.fetch_optional(select).await? else { return Ok(None) };
    let count = stmt(PLACE)
        .bind(row.get::<String>("lane")?)
        .bind(row.get::<i64>("urgency")?)
        .bind(row.get::<i64>("number")?)
        .bind(FARTHEST);
    db.fetch_one(count).await?.count("place").map(Some)
}

/// The claimable tasks of a project, in queue order.
pub async fn of_project(
    db: &Db,
    project: ProjectId,
    limit: u32,
) -> Result<Vec<TaskSnapshot>, StoreError> {
    let select = stmt(
        "SELECT tasks.snapshot FROM waiting_tasks JOIN tasks ON tasks.id = waiting_tasks.task_id
         WHERE waiting_tasks.project_id = $1 ORDER BY waiting_tasks.urgency, waiting_tasks.number LIMIT $2",
    );
    let rows = db.fetch_all(select.bind(project).bind(limit)).await?;
    rows.iter().map(|row| row.json("snapshot")).collect()
}

/// Tasks older than this table, whose role is not stored yet.
pub async fn list_unknown(db: &Db, limit: u32) -> Result<Vec<TaskId>, StoreError> {
    let select =
        stmt("SELECT task_id FROM waiting_tasks WHERE role IS NULL ORDER BY task_id LIMIT $1");
    db.fetch_all(select.bind(limit)).await?.iter().map(|row| row.parse("task_id")).collect()
}

/// Whether the task itself can be assigned: no person holds it, none must look at it, and its last execution has ended.
fn is_free(task: &TaskSnapshot, holder: Option<&Assignee>) -> bool {
    let stopping = matches!(task.activity, Some(TaskActivity::Stopping { .. }));
    let by_person = holder.is_some_and(|holder| holder.user().is_some());
    task.run.is_none() && !stopping && task.annotation.is_none() && !by_person
}

/// Whether its own budget is used up. Usage changes only with the task, so the stored value stays correct.
async fn is_budget_exhausted(tx: &mut Tx, task: &TaskSnapshot) -> Result<bool, StoreError> {
    if task.budget.is_unlimited() {
        return Ok(false);
    }
    let used = usage::of_task_in(tx, task.id).await?;
    Ok(task.budget.reached_limit(used.usage).is_some())
}

fn lane(
    project: ProjectId,
    role: &RoleName,
    agent: Option<AgentId>,
    avoid: Option<AgentId>,
    declined: &str,
) -> String {
    // Parts of fixed length come first, so that no role name can look like another lane.
    let agent = match (agent, avoid) {
        (Some(agent), _) => agent.to_string(),
        // A separate lane: an agent that may not take these tasks can still take those after them.
        (None, _) if !declined.is_empty() => format!("!{declined}"),
        (None, Some(avoid)) => format!("~{avoid}"),
        (None, None) => "-".repeat(36),
    };
    format!("{project}/{agent}/{role}")
}

fn joined(agents: &BTreeSet<AgentId>) -> String {
    agents.iter().map(AgentId::to_string).collect::<Vec<_>>().join(",")
}

fn wake(tx: &mut Tx) {
    tx.wake(WakeChannel::Dispatch, "");
}

fn read(row: &DbRow) -> Result<WaitingTask, StoreError> {
    Ok(WaitingTask {
        task_id: row.parse("task_id")?,
        project_id: row.parse("project_id")?,
        role: RoleName::new(row.get::<String>("role")?),
        agent_id: row.maybe_parse("agent_id")?,
        avoid: row.maybe_parse("avoid_id")?,
        declined_by: read_agents(row)?,
        urgency: row.get("urgency")?,
        number: row.get("number")?,
    })
}

fn read_agents(row: &DbRow) -> Result<BTreeSet<AgentId>, StoreError> {
    let text = row.get::<String>("declined_by")?;
    let ids = text.split(',').filter(|id| !id.is_empty());
    ids.map(|id| id.parse().map_err(|error| StoreError::corrupt("declined_by", error))).collect()
}

//! Tasks that can be claimed, in the order in which they are (E-10). Written only by who holds the project's counter, so
//! that a dependency that ends and a task that begins to wait for it cannot miss each other.

use forge_domain::task::{Activity, Snapshot};
use forge_domain::workflow::{RoleName, Standing};
use forge_domain::{AgentId, Assignee, ProjectId, TaskId};

use super::column::word;
use super::usage;
use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::tx::Tx;
use crate::wake::Channel;

/// A task that waits for nothing but an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Which.
    pub task_id: TaskId,
    /// Its project.
    pub project_id: ProjectId,
    /// The role its claimer takes.
    pub role: RoleName,
    /// The agent that holds this role already.
    pub agent_id: Option<AgentId>,
    /// The agent that handed it off last.
    pub avoid: Option<AgentId>,
    /// The negated priority.
    pub urgency: i64,
    /// Its number on the board.
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

/// Lane by lane along the index, a step each, and then the first of those whose project is served.
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

/// How far a place in line is counted.
const FARTHEST: i64 = 1000;

/// Writes where a task stands in line; `role` is what a claim of it gives. The project's counter must be held.
pub async fn put(tx: &mut Tx, task: &Snapshot, role: Option<&RoleName>) -> Result<(), StoreError> {
    let Some(role) = role.filter(|_| task.claimable && task.archived_at.is_none()) else {
        tx.execute(stmt("DELETE FROM waiting_tasks WHERE task_id = $1").bind(task.id)).await?;
        return Ok(());
    };
    let holder = task.roles.get(role);
    let agent = holder.and_then(Assignee::agent);
    let avoid = task.handed_off_by().filter(|_| holder.is_none());
    let free = is_free(task, holder) && !is_spent(tx, task).await?;
    let upsert = stmt(concat!(
        "INSERT INTO waiting_tasks (task_id, project_id, role, agent_id, lane, urgency, number, free, avoid_id, ready)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $10, ($8 AND ",
        all_in!("$1", "$9"),
        "))
         ON CONFLICT (task_id) DO UPDATE SET
            role = excluded.role, agent_id = excluded.agent_id, lane = excluded.lane, urgency = excluded.urgency,
            free = excluded.free, avoid_id = excluded.avoid_id, ready = excluded.ready
         RETURNING ready"
    ))
    .bind(task.id)
    .bind(task.project_id)
    .bind(role)
    .bind(agent)
    .bind(lane(task.project_id, role, agent, avoid))
    .bind(-i64::from(task.priority))
    .bind(task.number)
    .bind(free)
    .bind(word(Standing::Succeeded)?)
    .bind(avoid);
    if tx.fetch_one(upsert).await?.get("ready")? {
        wake(tx);
    }
    Ok(())
}

/// Lets those go on that waited for a task that ended well. The project's counter must be held.
pub async fn release_dependents(tx: &mut Tx, task: TaskId) -> Result<(), StoreError> {
    let update = stmt(concat!(
        "UPDATE waiting_tasks SET ready = (free AND ",
        all_in!("waiting_tasks.task_id", "$2"),
        ") WHERE task_id IN (SELECT task_id FROM task_dependencies WHERE depends_on_id = $1)"
    ));
    if tx.execute(update.bind(task).bind(word(Standing::Succeeded)?)).await? > 0 {
        wake(tx);
    }
    Ok(())
}

/// The first of each lane of the projects that are served, in no order.
pub async fn heads(db: &Db, per_lane: u32) -> Result<Vec<Waiting>, StoreError> {
    db.fetch_all(stmt(HEADS).bind(per_lane)).await?.iter().map(read).collect()
}

/// The task's place in its lane, from 1; counted up to a thousand. `None` if it waits for more than an agent.
pub async fn place(db: &Db, task: TaskId) -> Result<Option<u64>, StoreError> {
    let select = stmt("SELECT * FROM waiting_tasks WHERE task_id = $1 AND ready").bind(task);
    let Some(row) = db.fetch_optional(select).await? else { return Ok(None) };
    let count = stmt(PLACE)
        .bind(row.get::<String>("lane")?)
        .bind(row.get::<i64>("urgency")?)
        .bind(row.get::<i64>("number")?)
        .bind(FARTHEST);
    db.fetch_one(count).await?.count("place").map(Some)
}

/// What can be claimed in a project, the first in line first.
pub async fn of_project(
    db: &Db,
    project: ProjectId,
    limit: u32,
) -> Result<Vec<Snapshot>, StoreError> {
    let select = stmt(
        "SELECT tasks.snapshot FROM waiting_tasks JOIN tasks ON tasks.id = waiting_tasks.task_id
         WHERE waiting_tasks.project_id = $1 ORDER BY waiting_tasks.urgency, waiting_tasks.number LIMIT $2",
    );
    let rows = db.fetch_all(select.bind(project).bind(limit)).await?;
    rows.iter().map(|row| row.json("snapshot")).collect()
}

/// Tasks from before there was a line, whose role nobody has written yet.
pub async fn unknown(db: &Db, limit: u32) -> Result<Vec<TaskId>, StoreError> {
    let select =
        stmt("SELECT task_id FROM waiting_tasks WHERE role IS NULL ORDER BY task_id LIMIT $1");
    db.fetch_all(select.bind(limit)).await?.iter().map(|row| row.parse("task_id")).collect()
}

/// Whether the task itself has nothing against being given out: no person holds it, none has to look at it, and its
/// last run has let go.
fn is_free(task: &Snapshot, holder: Option<&Assignee>) -> bool {
    let stopping = matches!(task.activity, Some(Activity::Stopping { .. }));
    let by_person = holder.is_some_and(|holder| holder.user().is_some());
    task.run.is_none() && !stopping && task.annotation.is_none() && !by_person
}

/// Whether its own budget is used up. What is used changes only with the task, so this is as true as the rest.
async fn is_spent(tx: &mut Tx, task: &Snapshot) -> Result<bool, StoreError> {
    if task.budget.is_unlimited() {
        return Ok(false);
    }
    let used = usage::of_task_in(tx, task.id).await?;
    Ok(task.budget.spent(used.usage).is_some())
}

fn lane(
    project: ProjectId,
    role: &RoleName,
    agent: Option<AgentId>,
    avoid: Option<AgentId>,
) -> String {
    // Fixed lengths first, so that no name of a role can look like another lane.
    let agent = match (agent, avoid) {
        (Some(agent), _) => agent.to_string(),
        // In a lane of their own: who may not have them is not kept from what comes after.
        (None, Some(avoid)) => format!("~{avoid}"),
        (None, None) => "-".repeat(36),
    };
    format!("{project}/{agent}/{role}")
}

fn wake(tx: &mut Tx) {
    tx.wake(Channel::Dispatch, "");
}

fn read(row: &DbRow) -> Result<Waiting, StoreError> {
    Ok(Waiting {
        task_id: row.parse("task_id")?,
        project_id: row.parse("project_id")?,
        role: RoleName::new(row.get::<String>("role")?),
        agent_id: row.maybe_parse("agent_id")?,
        avoid: row.maybe_parse("avoid_id")?,
        urgency: row.get("urgency")?,
        number: row.get("number")?,
    })
}

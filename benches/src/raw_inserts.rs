//! The baseline: the rows of a created task, written by bare statements, many per transaction, equally durable.

use forge_domain::project::ProjectSettings;
use forge_domain::workflow::template;
use forge_domain::{Actor, Timestamp, WorkspaceType};
use forge_engine::{Engine, IdSource, ProjectSpec, TaskSpec};
use forge_store::{StoreError, Tx, WakeChannel, stmt};
use forge_testkit::database::TestDatabaseEngine as Database;

use crate::bench_board::BenchBoard;
use crate::bench_error::BenchError;
use crate::stopwatch::BenchStopwatch;

/// A task's description of ordinary length.
pub(crate) const DESCRIPTION: &str = "Requests above the limit get 429 with Retry-After. The limit is a setting per \
    project; it counts by token, not by address, and a restart does not reset it.";

const GROUP: usize = 50;

/// A task's row values; only identity and number differ between tasks.
#[derive(Debug, Clone)]
struct TaskRows {
    project: String,
    workflow: String,
    state: String,
    words: String,
    actor: String,
    snapshot: String,
}

/// Rows of tasks per second.
pub(crate) async fn rate(tasks: usize) -> Result<f64, BenchError> {
    let board = BenchBoard::open(Database::Sqlite).await?;
    let engine = board.engine();
    let definition = template("default").ok_or("the default workflow ships with Forge")?;
    let asked = ProjectSpec {
        name: "Raw".to_owned(),
        workspace_type: WorkspaceType::GitWorktree,
        workflow: definition,
        settings: ProjectSettings::default(),
    };
    let actor = Actor::system("bench");
    let project = engine.projects().create_project(actor.clone(), asked).await?;
    let asked = TaskSpec {
        title: "Task 1234 of client 12".to_owned(),
        description: DESCRIPTION.to_owned(),
        ..TaskSpec::default()
    };
    let task = engine.commands().create_task(actor.clone(), project.id, asked).await?;
    let rows = TaskRows {
        project: project.id.to_string(),
        workflow: task.workflow.to_string(),
        state: task.state.to_string(),
        words: format!("{}\n{}", task.title, task.description),
        actor: serde_json::to_string(&actor)?,
        snapshot: serde_json::to_string(&task)?,
    };
    write(engine, &rows, tasks / 10).await?;
    let watch = BenchStopwatch::start();
    let written = write(engine, &rows, tasks).await?;
    let seconds = watch.elapsed().as_secs_f64();
    board.close().await;
    Ok(written as f64 / seconds)
}

/// Writes at least this many tasks; returns the actual number.
async fn write(engine: &Engine, rows: &TaskRows, tasks: usize) -> Result<usize, StoreError> {
    let mut written = 0;
    while written < tasks {
        // Time advances as for real tasks: constant ids and dates would be scattered over the indexes.
        let (rows, now) = (rows.clone(), engine.now());
        let write = engine.db().write(move |tx| {
            let rows = rows.clone();
            Box::pin(async move {
                for _ in 0..GROUP {
                    write_task(tx, &rows, now).await?;
                }
                Ok(())
            })
        });
        let done: Result<(), StoreError> = write.await;
        done?;
        written += GROUP;
    }
    Ok(written)
}

async fn write_task(tx: &mut Tx, rows: &TaskRows, now: Timestamp) -> Result<(), StoreError> {
    let id = IdSource::Random.next(now).to_string();
    let counters = stmt(
        "UPDATE project_counters SET task_number = task_number + 1, event_seq = event_seq + 1
         WHERE project_id = $1 RETURNING task_number, event_seq",
    );
    let counted = tx.fetch_one(counters.bind(&rows.project)).await?;
    let (number, seq): (i64, i64) = (counted.get("task_number")?, counted.get("event_seq")?);
    let task = stmt(
        "INSERT INTO tasks (id, project_id, number, workflow, state, phase, standing, claimable, kind, urgency,
                            version, agent_id, parent_id, archived, created_at, updated_at, related, related_stale,
                            snapshot)
         VALUES ($1, $2, $3, $4, $5, 'ready', 'open', FALSE, 'task', 0, 1, NULL, NULL, FALSE, $6, $6, $4, TRUE, $7)",
    );
    let task = task.bind(&id).bind(&rows.project).bind(number).bind(&rows.workflow);
    tx.execute(task.bind(&rows.state).bind(now).bind(&rows.snapshot)).await?;
    let words = stmt(
        "INSERT INTO task_search (rowid, words) SELECT ordinal * 4294967296 + $2, $3 FROM projects WHERE id = $1",
    );
    tx.execute(words.bind(&rows.project).bind(number).bind(&rows.words)).await?;
    let event = stmt(
        "INSERT INTO events (project_id, seq, type, version, task_id, actor, at, data)
         VALUES ($1, $2, 'task.created', 1, $3, $4, $5, $6)",
    );
    let event = event.bind(&rows.project).bind(seq).bind(&id).bind(&rows.actor);
    tx.execute(event.bind(now).bind(&rows.snapshot)).await?;
    tx.wake(WakeChannel::Events, &rows.project);
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn the_baseline_writes_rows_that_the_store_reads() {
        assert!(rate(GROUP).await.expect("the rows are written") > 0.0);
    }
}

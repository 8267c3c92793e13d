//! Fills a board with tasks like one in use: some not queued, some queued, most of them done.

use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::{StateBehaviour, Workflow, WorkflowState};
use forge_domain::{Actor, ProjectId, TaskId};
use forge_engine::{Engine, IdSource};
use forge_store::tables::events::NewEvent;
use forge_store::tables::{counters, events, tasks};
use forge_store::{StoreError, Tx, stmt};

use crate::bench_error::BenchError;

const BATCH: usize = 500;
const LOG_ROUNDS: u8 = 100;
const LOG_BYTES: usize = 256 * 1024;

/// Creates tasks like `model` until there are `count`; returns those that are not queued yet, in order of creation.
pub(crate) async fn fill(
    engine: &Engine,
    model: &TaskSnapshot,
    count: usize,
) -> Result<Vec<TaskId>, BenchError> {
    let workflow = engine.records().workflow(&model.workflow).await?;
    let mut fresh = Vec::new();
    let mut made = 1;
    while made < count {
        let batch: Vec<TaskSnapshot> = (made..count.min(made + BATCH))
            .map(|place| task_like(engine, model, &workflow, place))
            .collect();
        made += batch.len();
        let unqueued = batch.iter().filter(|task| task.state == model.state);
        fresh.extend(unqueued.map(|task| task.id));
        let project = model.project_id;
        let write = engine.db().write(move |tx| {
            let batch = batch.clone();
            Box::pin(async move { insert(tx, project, batch).await })
        });
        let written: Result<(), StoreError> = write.await;
        written?;
    }
    settle_log(engine).await?;
    if engine.db().dialect() == forge_store::SqlDialect::Postgres {
        // PostgreSQL does this automatically, some time after many inserts.
        let analyse = engine.db().write(|tx| Box::pin(async { tx.execute(stmt("ANALYZE")).await }));
        let analysed: Result<u64, StoreError> = analyse.await;
        analysed?;
    }
    Ok(fresh)
}

/// Writes until the database's log has wrapped around once. A new log still grows with every commit, which takes
/// longer than overwriting an old one: the small board would look slow, and the large one fast.
async fn settle_log(engine: &Engine) -> Result<(), BenchError> {
    for round in 0..LOG_ROUNDS {
        let filler = char::from(b'a' + round % 26).to_string().repeat(LOG_BYTES);
        let write = engine.db().write(move |tx| {
            let put = stmt(
                "INSERT INTO meta (key, value) VALUES ('bench', $1)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            );
            let put = put.bind(&filler);
            Box::pin(async move { tx.execute(put).await })
        });
        let written: Result<u64, StoreError> = write.await;
        written?;
    }
    Ok(())
}

async fn insert(
    tx: &mut Tx,
    project: ProjectId,
    batch: Vec<TaskSnapshot>,
) -> Result<(), StoreError> {
    let count = i64::try_from(batch.len()).unwrap_or(i64::MAX);
    let mut reserved = counters::advance(tx, project, count, count).await?;
    let actor = Actor::system("bench");
    for mut task in batch {
        task.number = reserved.first_number;
        tasks::insert(tx, &task).await?;
        let event = NewEvent {
            kind: "task.created".to_owned(),
            version: task.version,
            at: task.created_at,
            data: serde_json::to_value(&task).unwrap_or_default(),
        };
        events::append_at(tx, project, reserved.first_seq, &actor, Some(task.id), &[event]).await?;
        reserved.first_number += 1;
        reserved.first_seq += 1;
    }
    Ok(())
}

fn task_like(
    engine: &Engine,
    model: &TaskSnapshot,
    workflow: &Workflow,
    place: usize,
) -> TaskSnapshot {
    let mut task = model.clone();
    let now = engine.now();
    task.id = TaskId::new(IdSource::Random.next(now));
    task.title = format!(
        "Task {place} of a board with words like limit{} and retry{}",
        place % 977,
        place % 89
    );
    task.priority = i32::try_from(place % 5).unwrap_or(0);
    (task.created_at, task.updated_at) = (now, now);
    // The first tasks are all fresh: a small board must have enough of them for every measurement.
    let is = |wanted: fn(&WorkflowState) -> bool| workflow.states().find(|state| wanted(state));
    let state = match place % 10 {
        _ if place < 100 => None,
        0..5 => is(|state| state.is_terminal()),
        5..7 => is(|state| matches!(state.behaviour, StateBehaviour::Queue { claim: Some(_) })),
        _ => None,
    };
    if let Some(state) = state {
        task.state = state.name.clone();
        task.phase = state.phase;
        task.standing = state.standing();
        task.claimable = state.is_claimable();
    }
    task
}

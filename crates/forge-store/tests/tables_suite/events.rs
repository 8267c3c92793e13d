//! The sequence of events (S-2).

use std::collections::BTreeMap;
use std::sync::Arc;

use forge_domain::{ProjectId, TaskId};
use forge_store::tables::counters::NO_PROJECT;
use forge_store::tables::events::{self, EventRow, NewEvent, SequenceHead};
use forge_store::{Db, StoreError, WakeChannel};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;
use tokio::task::JoinSet;

use crate::board::{TestBoard, at, commit, id, person};

const WRITERS: i64 = 32;
const WRITES: i64 = 12;

fn event(writer: i64, n: i64) -> NewEvent {
    NewEvent {
        kind: "test.happened".to_owned(),
        version: n,
        at: at(n),
        data: serde_json::json!({ "writer": writer, "n": n }),
    }
}

async fn append(db: &Db, project: ProjectId, events: Vec<NewEvent>) -> i64 {
    commit!(db, (events), |tx| events::append(tx, project, &person(), None, &events))
}

/// Follows the project from the beginning, by wake-ups alone, until it has read this many events.
async fn tail(db: Db, project: ProjectId, wanted: usize) -> Vec<EventRow> {
    let mut wakes = db.subscribe(WakeChannel::Events);
    let mut seen: Vec<EventRow> = Vec::new();
    loop {
        let place = seen.last().map_or(0, |event| event.seq);
        let more = events::after(&db, &[(project, place)], 50).await.expect("events");
        let idle = more.is_empty();
        seen.extend(more);
        if seen.len() >= wanted {
            return seen;
        }
        if idle {
            wakes.next().await.expect("the database is open");
        }
    }
}

both_databases! {
    /// S-2: with many writers, each in its own transaction, a following reader sees every event once, in order.
    async fn s_2_a_tailing_reader_misses_nothing(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let (db, project) = (board.db.clone(), board.project);
        let wanted = usize::try_from(WRITERS * WRITES * 3 / 2).unwrap();
        let reader = tokio::spawn(tail(db.clone(), project, wanted));
        let mut writers = JoinSet::new();
        for writer in 0..WRITERS {
            let db = db.clone();
            writers.spawn(async move {
                for n in 0..WRITES {
                    // One event, then two, and sometimes a write that is rolled back.
                    let several = (0..=n % 2).map(|_| event(writer, n)).collect();
                    append(&db, project, several).await;
                    if n % 4 == 0 {
                        let given_up: Result<i64, StoreError> = db.write(move |tx| Box::pin(async move {
                            events::append(tx, project, &person(), None, &[event(writer, -1)]).await?;
                            Err(StoreError::NoRow)
                        })).await;
                        assert_eq!(given_up, Err(StoreError::NoRow));
                    }
                }
            });
        }
        writers.join_all().await;
        let seen = reader.await.expect("the reader");
        let sequence: Vec<i64> = seen.iter().map(|event| event.seq).collect();
        let expected: Vec<i64> = (1..=i64::try_from(wanted).unwrap()).collect();
        assert_eq!(sequence, expected, "no gap, nothing twice, nothing out of order");
        let mut last: BTreeMap<i64, i64> = BTreeMap::new();
        for event in &seen {
            let (writer, n) = (event.data["writer"].as_i64().unwrap(), event.data["n"].as_i64().unwrap());
            assert!(n >= 0, "what was given up is not seen");
            assert!(last.insert(writer, n).is_none_or(|before| before <= n), "a writer's own order is kept");
        }
        assert_eq!(events::latest_seq(&db, project).await.unwrap(), i64::try_from(wanted).unwrap());
    }

    /// S-2: each project has its own sequence, and so have events without a project.
    async fn s_2_each_project_has_its_sequence(database: Arc<TestDatabase>) {
        let one = TestBoard::open(&database).await;
        let db = one.db.clone();
        let two = TestBoard::add(db.clone(), 2).await;
        assert_eq!(append(&db, one.project, vec![event(0, 1), event(0, 2)]).await, 2);
        assert_eq!(append(&db, two.project, vec![event(0, 3)]).await, 1);
        assert_eq!(append(&db, NO_PROJECT, vec![event(0, 4)]).await, 1);
        assert_eq!(append(&db, two.project, vec![]).await, 1, "nothing appended, nothing counted");

        let places = [(two.project, 0), (NO_PROJECT, 0), (one.project, 0)];
        let all = events::after(&db, &places, 10).await.unwrap();
        let seen: Vec<_> = all.iter().map(|event| (event.ordinal, event.seq, event.version)).collect();
        assert_eq!(seen, [(0, 1, 4), (1, 1, 1), (1, 2, 2), (2, 1, 3)]);
        let first: Vec<_> = events::after(&db, &places, 1).await.unwrap().iter().map(|event| event.seq).collect();
        assert_eq!(first, [1, 1, 1], "the limit is each project's own");
        assert_eq!(events::after(&db, &[(one.project, 2)], 10).await.unwrap(), []);
        assert_eq!(events::after(&db, &[], 10).await.unwrap(), []);
        let many: Vec<_> = (500..900).map(|n| (ProjectId::new(id(n)), 0)).chain(places).collect();
        assert_eq!(events::after(&db, &many, 10).await.unwrap(), all);

        let heads = events::heads(&db).await.unwrap();
        let head = |project_id, ordinal, last| SequenceHead { project_id, ordinal, since: 0, last };
        assert_eq!(heads, [head(NO_PROJECT, 0, 1), head(one.project, 1, 2), head(two.project, 2, 1)]);
        assert_eq!(events::latest_seq(&db, ProjectId::new(id(77))).await.unwrap(), 0);
    }

    /// S-2: a task's events are found by the task, in order, and have their actor.
    async fn s_2_events_of_a_task(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let (db, project) = (board.db.clone(), board.project);
        let (ours, others) = (TaskId::new(id(50)), TaskId::new(id(51)));
        for (n, task) in [(1, ours), (2, others), (3, ours)] {
            commit!(db, (), |tx| async {
                events::append(tx, project, &person(), Some(task), &[event(0, n)]).await
            });
        }
        let found = events::of_task(&db, ours).await.unwrap();
        let seen: Vec<_> = found.iter().map(|event| (event.seq, event.version)).collect();
        assert_eq!(seen, [(1, 1), (3, 3)]);
        assert!(found.iter().all(|event| event.actor == person() && event.task_id == Some(ours)));
        assert_eq!(commit!(db, (), |tx| events::of_task_in(tx, ours)), found);
    }
}

//! Leased ports (W-13).

use std::sync::Arc;

use forge_store::tables::ports::{self, PortLease};
use forge_store::{Db, StoreError};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, at, commit};

fn lease(slot: u32, port: u16) -> PortLease {
    PortLease { slot, port }
}

async fn take(db: &Db, task: forge_domain::TaskId, lease: PortLease) -> bool {
    commit!(db, (), |tx| ports::take(tx, task, lease, at(5)))
}

both_databases! {
    /// W-13: a port belongs to one task, a slot of a task has one port, and both outlive the process.
    async fn w_13_a_port_belongs_to_one_task(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let (one, two) = (board.task("one", |_| ()).await.id, board.task("two", |_| ()).await.id);
        assert!(take(&board.db, one, lease(0, 42_000)).await);
        assert!(!take(&board.db, two, lease(0, 42_000)).await, "another has it");
        assert!(!take(&board.db, one, lease(0, 42_001)).await, "the slot has one");
        assert!(take(&board.db, two, lease(0, 42_001)).await);
        assert!(take(&board.db, one, lease(1, 65_535)).await);
        let later = database.open().await;
        assert_eq!(ports::of_task(&later, one).await.unwrap(), [lease(0, 42_000), lease(1, 65_535)]);
        assert_eq!(ports::all(&later).await.unwrap(), [42_000, 42_001, 65_535]);
        assert_eq!(commit!(later, (), |tx| ports::release(tx, one, 1)), 1);
        assert_eq!(commit!(later, (), |tx| ports::of_task_in(tx, one)), [lease(0, 42_000)]);
        assert_eq!(commit!(later, (), |tx| ports::release(tx, one, 0)), 1);
        assert!(take(&later, two, lease(1, 42_000)).await, "it is free again");
    }

    /// W-13: of many tasks that request the same port at once, one gets it.
    async fn w_13_one_of_many_concurrent_requests_gets_the_port(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let mut tasks = Vec::new();
        for n in 0..8 {
            tasks.push(board.task(&format!("task {n}"), |_| ()).await.id);
        }
        let asked = tasks.iter().map(|task| {
            let (db, task) = (board.db.clone(), *task);
            tokio::spawn(async move {
                db.write(move |tx| Box::pin(async move {
                    ports::take(tx, task, lease(0, 42_000), at(5)).await
                })).await
            })
        });
        let mut given = 0;
        for answer in asked.collect::<Vec<_>>() {
            let answer: Result<bool, StoreError> = answer.await.expect("no panic");
            given += usize::from(answer.expect("an answer"));
        }
        assert_eq!(given, 1);
    }
}

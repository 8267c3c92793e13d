//! Dependencies between tasks (T-4, T-16).

use std::sync::Arc;

use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::TaskStanding;
use forge_domain::{Assignee, TaskId, UserId};
use forge_store::tables::tasks;
use forge_store::{ConstraintRule, StoreError};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, commit, id};

async fn add(board: &TestBoard, on: &[&TaskSnapshot]) -> TaskSnapshot {
    let ids: Vec<TaskId> = on.iter().map(|task| task.id).collect();
    board.task("t", |task| task.dependencies.extend(ids)).await
}

async fn way(board: &TestBoard, from: &TaskSnapshot, to: &TaskSnapshot) -> Vec<String> {
    let (from, to) = (from.id, to.id);
    commit!(board.db, (from, to), |tx| tasks::find_cycle(tx, from, to))
}

both_databases! {
    /// T-16: the cycle that a new edge would close is reported, by its shortest path.
    async fn t_16_the_cycle_is_reported_by_its_shortest_path(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let first = add(&board, &[]).await;
        let second = add(&board, &[&first]).await;
        let detour = add(&board, &[&second]).await;
        let last = add(&board, &[&detour, &second]).await;
        let apart = add(&board, &[]).await;
        assert_eq!(way(&board, &last, &first).await, ["T-4", "T-2", "T-1"]);
        assert_eq!(way(&board, &detour, &first).await, ["T-3", "T-2", "T-1"]);
        assert_eq!(way(&board, &first, &last).await, Vec::<String>::new());
        assert_eq!(way(&board, &last, &apart).await, Vec::<String>::new());
        assert_eq!(way(&board, &last, &last).await, ["T-4"]);
    }

    /// T-16: many paths through many tasks are not walked one by one.
    async fn t_16_a_lattice_of_dependencies_is_searched(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let bottom = add(&board, &[]).await;
        let (mut left, mut right) = (add(&board, &[&bottom]).await, add(&board, &[&bottom]).await);
        for _ in 0..30 {
            let next = (add(&board, &[&left, &right]).await, add(&board, &[&left, &right]).await);
            (left, right) = next;
        }
        let found = way(&board, &left, &bottom).await;
        assert_eq!(found.len(), 32);
        assert_eq!(found.last().map(String::as_str), Some("T-1"));
        assert_eq!(way(&board, &bottom, &left).await, Vec::<String>::new());
    }

    /// T-16: two concurrent edges that are valid alone cannot close a cycle.
    async fn t_16_concurrent_edges_close_no_cycle(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        for _ in 0..8 {
            let (a, b) = (add(&board, &[]).await, add(&board, &[]).await);
            let depend = |mut task: TaskSnapshot, on: TaskId| {
                task.dependencies.insert(on);
                let db = board.db.clone();
                async move {
                    commit!(db, (task), |tx| async {
                        tasks::lock(tx, task.id).await?;
                        if tasks::find_cycle(tx, on, task.id).await?.is_empty() {
                            tasks::put(tx, &task).await?;
                            return Ok(true);
                        }
                        Ok(false)
                    })
                }
            };
            let (one, other) = tokio::join!(depend(a.clone(), b.id), depend(b.clone(), a.id));
            assert!(one != other, "exactly one edge is taken");
        }
    }

    /// T-4, T-5: a claim reads the progress and the holder of each dependency; dependents are found in the other
    /// direction.
    async fn t_5_dependency_facts_and_dependents(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let holder = Assignee::User { id: UserId::new(id(9)) };
        let submitted = board.task("a", |task| {
            task.standing = TaskStanding::Submitted;
            task.holder = Some(holder);
        }).await;
        let open = add(&board, &[]).await;
        let mut waiting = add(&board, &[&submitted, &open]).await;
        let ids: Vec<TaskId> = waiting.dependencies.iter().copied().collect();
        let facts = commit!(board.db, (ids), |tx| tasks::dependency_facts(tx, &ids));
        let seen: Vec<_> = facts.iter().map(|fact| (fact.key.as_str(), fact.standing, fact.holder)).collect();
        assert_eq!(seen, [("T-1", TaskStanding::Submitted, Some(holder)), ("T-2", TaskStanding::Open, None)]);
        assert_eq!(tasks::dependents(&board.db, open.id).await.unwrap(), [waiting.clone()]);
        waiting.dependencies.remove(&open.id);
        board.put(&waiting).await;
        assert_eq!(tasks::dependents(&board.db, open.id).await.unwrap(), []);
        assert_eq!(tasks::dependents(&board.db, submitted.id).await.unwrap(), [waiting]);
    }

    /// T-16: a task cannot depend on one that does not exist.
    async fn t_16_a_dependency_must_exist(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let mut task = board.draft("t").snapshot;
        task.dependencies.insert(TaskId::new(id(4711)));
        let refused: Result<(), StoreError> = board.db.write(move |tx| {
            let task = task.clone();
            Box::pin(async move { tasks::insert(tx, &task).await })
        }).await;
        assert!(matches!(refused, Err(StoreError::Constraint { rule: ConstraintRule::ForeignKey, .. })), "{refused:?}");
    }
}

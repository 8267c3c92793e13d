//! Lists of tasks: filters, orders, pages (T-2).

use std::collections::BTreeSet;
use std::sync::Arc;

use forge_domain::task::{ExecutionPurpose, TaskExecution, TaskKind, TaskSnapshot};
use forge_domain::workflow::{BoardPhase, RoleName, StateName};
use forge_domain::{AgentId, Assignee, ExecutionId, TaskId};
use forge_store::tables::PageRequest;
use forge_store::tables::tasks::{self, TaskCounts, TaskFilter, TaskSortKey};
use forge_store::{CursorError, Db};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, at, id};

const SORTS: [TaskSortKey; 3] = [TaskSortKey::Created, TaskSortKey::Updated, TaskSortKey::Priority];

/// Few different values, so that many rows tie.
fn spread(task: &mut TaskSnapshot) {
    task.updated_at = at(1000 + task.number * 7 % 5);
    task.priority = i32::try_from(task.number * 3 % 4).expect("small");
    task.archived_at = (task.number % 5 == 0).then(|| at(5));
}

async fn numbers(db: &Db, filter: &TaskFilter) -> Vec<i64> {
    let (tasks, next) = tasks::list(db, filter, &PageRequest::first(1000)).await.expect("a list");
    assert_eq!(next, None);
    tasks.iter().map(|task| task.number).collect()
}

both_databases! {
    /// S-5: archived tasks are in no list, so no count includes them.
    async fn s_5_tasks_are_counted_by_state_and_phase(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        assert_eq!(tasks::count_tasks(&board.db, board.project).await.unwrap(), TaskCounts::default());
        for _ in 0..20 {
            board.task("t", |task| {
                task.archived_at = (task.number % 5 == 0).then(|| at(5));
                if task.number % 3 == 0 {
                    task.state = StateName::new("todo");
                    task.phase = BoardPhase::Ready;
                }
            }).await;
        }
        let counts = tasks::count_tasks(&board.db, board.project).await.unwrap();
        let todo = StateName::new("todo");
        assert_eq!(counts.by_state.get(&todo), Some(&5), "6 less number 15: {counts:?}");
        assert_eq!(counts.by_state.values().sum::<u64>(), 16, "{counts:?}");
        assert!(counts.by_phase.contains(&(BoardPhase::Ready, 5)), "{counts:?}");
        assert!(counts.by_phase.contains(&(BoardPhase::Backlog, 11)), "{counts:?}");
        assert_eq!(counts.by_phase.len(), 2, "{counts:?}");
    }

    /// T-2: although tasks are added meanwhile, before or after, a walk over the pages returns every existing task
    /// exactly once.
    async fn t_2_pages_return_every_task_once_while_others_are_added(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        for _ in 0..40 {
            board.task("t", spread).await;
        }
        for sort in SORTS {
            for descending in [false, true] {
                for include_archived in [false, true] {
                    let filter = TaskFilter { sort, descending, include_archived, ..TaskFilter::new(board.project) };
                    let before: BTreeSet<i64> = numbers(&board.db, &filter).await.into_iter().collect();
                    let mut seen = BTreeSet::new();
                    let mut page = PageRequest::first(7);
                    loop {
                        let (tasks, next) = tasks::list(&board.db, &filter, &page).await.unwrap();
                        for task in &tasks {
                            assert!(seen.insert(task.number), "{filter:?}: {} came twice", task.number);
                        }
                        board.task("meanwhile", spread).await;
                        let Some(next) = next else { break };
                        page.after = Some(filter.order().cursor(&next.encode()).unwrap());
                    }
                    assert!(seen.is_superset(&before), "{filter:?}");
                }
            }
        }
    }

    /// T-2: each order is correct, and the reverse is its mirror.
    async fn t_2_orders(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let mut all = Vec::new();
        for _ in 0..30 {
            all.push(board.task("t", spread).await);
        }
        for sort in SORTS {
            let key = |task: &TaskSnapshot| match sort {
                TaskSortKey::Created => (0, task.number),
                TaskSortKey::Updated => (task.updated_at.millis(), task.number),
                // The mirror of "highest first, then oldest".
                TaskSortKey::Priority => (i64::from(task.priority), -task.number),
            };
            all.sort_by_key(key);
            let mut expected: Vec<i64> = all.iter().map(|task| task.number).collect();
            let mut filter = TaskFilter { sort, include_archived: true, ..TaskFilter::new(board.project) };
            assert_eq!(numbers(&board.db, &filter).await, expected, "{sort:?}");
            filter.descending = true;
            expected.reverse();
            assert_eq!(numbers(&board.db, &filter).await, expected, "{sort:?}");
        }
    }

    /// T-2: each filter accepts exactly the matching tasks; archived tasks only on request.
    async fn t_2_filters(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let elsewhere = TestBoard::add(board.db.clone(), 2).await;
        elsewhere.task("elsewhere", |task| { task.labels.insert("bug".to_owned()); }).await;
        let (ada, bob) = (AgentId::new(id(100)), AgentId::new(id(101)));
        let plain = board.task("plain", |_| {}).await;
        let state = board.task("state", |task| {
            task.state = StateName::new("somewhere else");
            task.phase = BoardPhase::Review;
        }).await;
        let label = board.task("label", |task| {
            task.labels.extend(["bug".to_owned(), "it's; --".to_owned()]);
        }).await;
        let held = board.task("held", |task| {
            task.roles.insert(RoleName::new("coder"), Assignee::Agent { id: ada });
        }).await;
        let run = board.task("run", |task| {
            task.roles.insert(RoleName::new("coder"), Assignee::Agent { id: ada });
            task.run = Some(TaskExecution {
                execution: ExecutionId::new(id(200)),
                role: RoleName::new("reviewer"),
                assignee: Assignee::Agent { id: bob },
                purpose: ExecutionPurpose::Judge,
                follow_up: None,
                messages: Vec::new(),
                steers: Vec::new(),
                overrides: Default::default(),
            });
        }).await;
        let session = board.task("session", |task| task.kind = TaskKind::Session).await;
        let child = board.task("child", |task| task.parent = Some(plain.id)).await;
        let archived = board.task("archived", |task| task.archived_at = Some(at(9))).await;

        let all = TaskFilter::new(board.project);
        let visible = [&plain, &state, &label, &held, &run, &session, &child];
        let expected: Vec<i64> = visible.iter().map(|task| task.number).collect();
        assert_eq!(numbers(&board.db, &all).await, expected);
        let everything = numbers(&board.db, &TaskFilter { include_archived: true, ..all.clone() }).await;
        assert_eq!(everything, [expected, vec![archived.number]].concat());

        let found = async |filter: TaskFilter| numbers(&board.db, &filter).await;
        assert_eq!(found(TaskFilter { status: Some(state.state.clone()), ..all.clone() }).await, [state.number]);
        assert_eq!(found(TaskFilter { phase: Some(BoardPhase::Review), ..all.clone() }).await, [state.number]);
        assert_eq!(found(TaskFilter { label: Some("bug".to_owned()), ..all.clone() }).await, [label.number]);
        assert_eq!(found(TaskFilter { label: Some("it's; --".to_owned()), ..all.clone() }).await, [label.number]);
        assert_eq!(found(TaskFilter { label: Some("' OR 1=1 --".to_owned()), ..all.clone() }).await, [0_i64; 0]);
        assert_eq!(found(TaskFilter { agent: Some(ada), ..all.clone() }).await, [held.number]);
        assert_eq!(found(TaskFilter { agent: Some(bob), ..all.clone() }).await, [run.number]);
        assert_eq!(found(TaskFilter { kind: Some(TaskKind::Session), ..all.clone() }).await, [session.number]);
        assert_eq!(found(TaskFilter { parent: Some(plain.id), ..all.clone() }).await, [child.number]);
        assert_eq!(found(TaskFilter { parent: Some(TaskId::new(id(9))), ..all.clone() }).await, [0_i64; 0]);
        let none = TaskFilter { phase: Some(BoardPhase::Review), label: Some("bug".to_owned()), ..all.clone() };
        assert_eq!(found(none).await, [0_i64; 0]);
    }

    /// T-2: filters follow changes of the task.
    async fn t_2_filters_follow_the_task(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let mut task = board.task("t", |task| { task.labels.insert("old".to_owned()); }).await;
        task.labels = ["new".to_owned(), "newer".to_owned()].into();
        task.title = "renamed".to_owned();
        board.put(&task).await;
        let all = TaskFilter::new(board.project);
        let found = async |filter: TaskFilter| numbers(&board.db, &filter).await;
        assert_eq!(found(TaskFilter { label: Some("old".to_owned()), ..all.clone() }).await, [0_i64; 0]);
        assert_eq!(found(TaskFilter { label: Some("newer".to_owned()), ..all.clone() }).await, [1]);
        assert_eq!(found(TaskFilter { text: Some("renamed".to_owned()), ..all.clone() }).await, [1]);
        task.archived_at = Some(at(4));
        board.put(&task).await;
        assert_eq!(found(all).await, [0_i64; 0]);
    }

    /// T-2: a cursor of another order is refused, and a list returns no more than its limit.
    async fn t_2_cursors_belong_to_their_order(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        for _ in 0..3 {
            board.task("t", spread).await;
        }
        let filter = TaskFilter::new(board.project);
        let (tasks, next) = tasks::list(&board.db, &filter, &PageRequest::first(0)).await.unwrap();
        assert_eq!(tasks.len(), 1, "a page has at least one");
        let word = next.expect("more").encode();
        let other = TaskFilter { descending: true, ..filter.clone() };
        assert_eq!(other.order().cursor(&word), Err(CursorError::OtherSort));
        let after = Some(filter.order().cursor(&word).unwrap());
        let (tasks, next) = tasks::list(&board.db, &filter, &PageRequest { limit: 2, after }).await.unwrap();
        assert_eq!((tasks.len(), next), (2, None), "exactly full is the last page");
    }
}

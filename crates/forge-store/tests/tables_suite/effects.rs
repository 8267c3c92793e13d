//! Effects: lanes, leases, fences (M-1, T-7).

use std::collections::BTreeSet;
use std::sync::Arc;

use forge_domain::task::TaskSnapshot;
use forge_domain::{Effect, EffectId, ExecutionId, PlannedEffect};
use forge_store::tables::effects::{self, EffectEnding, EffectRetry, EffectRow, LeaseRequest};
use forge_store::tables::nodes;
use forge_store::{Db, WakeChannel};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, at, commit, id};

fn planned(n: u64, effect: Effect, not_before: i64) -> PlannedEffect {
    PlannedEffect { id: EffectId::new(id(n)), effect, not_before: at(not_before) }
}

fn turn(n: u64, not_before: i64) -> PlannedEffect {
    planned(n, Effect::RunExecution { execution: ExecutionId::new(id(n)) }, not_before)
}

fn stop(n: u64) -> PlannedEffect {
    planned(n, Effect::Stop { mark: id(n) }, 0)
}

async fn plan(board: &TestBoard, task: &TaskSnapshot, planned: &[PlannedEffect]) {
    let (task, planned) = (task.clone(), planned.to_vec());
    commit!(board.db, (task, planned), |tx| effects::insert_planned(tx, &task, &planned, None));
}

async fn lease(db: &Db, n: u64, node: &'static str, now: i64, until: i64) -> Option<i64> {
    let effect = EffectId::new(id(n));
    let leased = commit!(db, (), |tx| effects::lease(tx, effect, node, at(now), at(until)));
    leased.map(|row| row.fence)
}

async fn finish(db: &Db, n: u64, fence: i64) -> bool {
    let effect = EffectId::new(id(n));
    commit!(db, (), |tx| effects::finish(tx, effect, fence, EffectEnding::Finished, at(99)))
}

async fn holds(db: &Db, n: u64, fence: i64) -> bool {
    let effect = EffectId::new(id(n));
    commit!(db, (), |tx| effects::holds_lease(tx, effect, fence))
}

async fn due(db: &Db, now: i64) -> Vec<u64> {
    due_for(db, "n", now).await
}

async fn due_for(db: &Db, node: &str, now: i64) -> Vec<u64> {
    numbers(&effects::list_due(db, &taker(node, now), 100).await.expect("what is due"))
}

fn taker(node: &str, now: i64) -> LeaseRequest {
    LeaseRequest { node: node.to_owned(), now: at(now), until: at(now + 30) }
}

fn numbers(rows: &[EffectRow]) -> Vec<u64> {
    rows.iter().map(|row| row.id.uuid().as_u64_pair().0 >> 16).collect()
}

both_databases! {
    /// M-1: a node that performs effects leases those that can start together with the decision; the others wait for
    /// their time or lane.
    async fn m_1_a_lease_request_takes_effects_with_their_decision(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let task = board.task("a", |_| {}).await;
        let wanted = vec![turn(1, 5), turn(2, 5), stop(3), turn(4, 50)];
        let taker = LeaseRequest { node: "a".to_owned(), now: at(10), until: at(40) };
        let taken = commit!(board.db, (task, wanted, taker), |tx| effects::insert_planned(tx, &task, &wanted, Some(&taker)));
        assert_eq!(numbers(&taken), [1, 3], "the second turn waits for the first, the last for its time");
        assert_eq!(taken[0].fence, 1);
        assert!(holds(&board.db, 1, 1).await);
        assert!(due(&board.db, 10).await.is_empty(), "no other node finds it");
        assert!(finish(&board.db, 1, 1).await);
        assert_eq!(due(&board.db, 10).await, [2]);
    }

    /// M-1: an effect is read back as it was planned.
    async fn m_1_an_effect_is_a_row(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let task = board.task("t", |task| task.visit = 3).await;
        let mut wakes = board.db.subscribe(WakeChannel::Effects);
        plan(&board, &task, &[turn(1, 7), stop(2)]).await;
        wakes.next().await.expect("a subscriber is woken");
        let rows = effects::list_of_task(&board.db, task.id).await.unwrap();
        assert_eq!(numbers(&rows), [1, 2]);
        assert_eq!(rows[0].effect, turn(1, 7).effect);
        assert_eq!((rows[0].position, rows[1].position, rows[0].visit, rows[0].not_before), (1, 2, 3, at(7)));
        assert_eq!((rows[0].open, rows[0].attempts, rows[0].fence, rows[0].ending), (true, 0, 0, None));
        assert_eq!(effects::count_open(&board.db).await.unwrap(), 2);
    }

    /// M-1: effects in one lane of one task run one after the other; other lanes and tasks do not wait.
    async fn m_1_lanes_keep_their_order(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let db = &board.db;
        let task = board.task("a", |_| {}).await;
        let other = board.task("b", |_| {}).await;
        plan(&board, &task, &[turn(1, 10), turn(2, 0), stop(3)]).await;
        plan(&board, &other, &[turn(4, 5)]).await;
        assert_eq!(due(db, 0).await, [3], "a stop does not wait for what it stops");
        assert_eq!(due(db, 5).await, [3, 4]);
        assert_eq!(due(db, 10).await, [3, 4, 1]);
        assert_eq!(effects::next_due_at(db).await.unwrap(), Some(at(0)));
        assert_eq!(lease(db, 2, "n", 10, 20).await, None, "it is not its turn");
        let fence = lease(db, 1, "n", 10, 20).await.expect("its turn");
        assert_eq!(due(db, 15).await, [3, 4], "what is held, and what waits behind it, is not due");
        assert!(finish(db, 1, fence).await);
        assert_eq!(due(db, 15).await, [2, 3, 4]);
        assert_eq!(effects::list_due(db, &taker("n", 15), 2).await.unwrap().len(), 2);
    }

    /// P-5, D-3: effects of tasks on the machine of a living node, or one that was alive recently, are left to that
    /// node.
    async fn p_5_a_task_stays_with_its_node_while_it_is_alive(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let db = &board.db;
        let task = board.task("a", |_| {}).await;
        plan(&board, &task, &[turn(1, 0), turn(2, 0), stop(3)]).await;
        for node in ["a", "b"] {
            commit!(db, (), |tx| nodes::register(tx, node, node, at(10)));
        }
        assert_eq!(due_for(db, "b", 10).await, [1, 3], "no node has it yet");
        assert!(lease(db, 1, "a", 10, 40).await.is_some());
        assert_eq!(due_for(db, "a", 10).await, [3]);
        assert!(due_for(db, "b", 10).await.is_empty(), "also not in another lane");
        assert_eq!(lease(db, 3, "b", 10, 40).await, None);

        assert_eq!(commit!(db, (), |tx| effects::release_node(tx, "a")), 1);
        commit!(db, (), |tx| nodes::register(tx, "a", "a", at(20)));
        assert!(due_for(db, "b", 49).await.is_empty(), "it has begun anew, and comes for it");
        assert_eq!(lease(db, 1, "b", 49, 79).await, None);
        let fence = lease(db, 1, "a", 49, 79).await.expect("its own");
        assert!(finish(db, 1, fence).await);
        assert!(due_for(db, "b", 49).await.is_empty(), "the next is its own too");
        assert_eq!(due_for(db, "b", 50).await, [2, 3], "for as long as a lease nothing was heard of it");
        assert!(lease(db, 2, "b", 50, 80).await.is_some());
        commit!(db, (), |tx| nodes::record_heartbeat(tx, "b", at(50)));
        assert!(due_for(db, "a", 60).await.is_empty(), "now the task is there");
    }

    /// T-7: however many nodes try, one gets the lease.
    async fn t_7_one_node_gets_the_lease(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let tasks: Vec<TaskSnapshot> = {
            let mut tasks = Vec::new();
            for n in 1..=10 {
                let task = board.task("t", |_| {}).await;
                plan(&board, &task, &[turn(n, 0)]).await;
                tasks.push(task);
            }
            tasks
        };
        let tries = (0..160_u64).map(|n| {
            let db = board.db.clone();
            tokio::spawn(async move { (n % 10 + 1, lease(&db, n % 10 + 1, "n", 1, 100).await) })
        });
        let got: Vec<u64> = futures::future::join_all(tries).await.into_iter()
            .map(|tried| tried.expect("a try"))
            .filter_map(|(n, fence)| fence.map(|_| n))
            .collect();
        assert_eq!(got.len(), tasks.len());
        assert_eq!(got.into_iter().collect::<BTreeSet<_>>(), (1..=10).collect());
    }

    /// T-7: after a lease has expired another node may take over, and the first one is refused from then on.
    async fn t_7_a_late_holder_is_refused(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let db = &board.db;
        let task = board.task("t", |_| {}).await;
        plan(&board, &task, &[turn(1, 0)]).await;
        let first = lease(db, 1, "a", 0, 10).await.expect("free");
        assert_eq!(lease(db, 1, "b", 9, 20).await, None);
        assert_eq!(effects::next_due_at(db).await.unwrap(), Some(at(10)));
        assert!(holds(db, 1, first).await);
        assert_eq!(due(db, 10).await, [1], "a lost node's work is due again");
        let second = lease(db, 1, "b", 10, 20).await.expect("run out");
        assert!(second > first);
        assert!(!holds(db, 1, first).await);
        assert!(!finish(db, 1, first).await);
        let effect = EffectId::new(id(1));
        assert!(!commit!(db, (), |tx| effects::retry_at(tx, effect, first, EffectRetry::Failed("late"), at(50))));
        assert!(holds(db, 1, second).await);
        assert!(finish(db, 1, second).await);
        assert!(!finish(db, 1, second).await, "once");
        let rows = effects::list_of_task(db, task.id).await.unwrap();
        assert_eq!((rows[0].ending, rows[0].attempts, rows[0].finished_at), (Some(EffectEnding::Finished), 2, Some(at(99))));
        assert_eq!((effects::next_due_at(db).await.unwrap(), effects::count_open(db).await.unwrap()), (None, 0));
    }

    /// T-7: a living node keeps its own leases, and only those.
    async fn t_7_leases_are_extended(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let db = &board.db;
        for n in 1..=3 {
            let task = board.task("t", |_| {}).await;
            plan(&board, &task, &[turn(n, 0)]).await;
        }
        let fence = lease(db, 1, "a", 0, 10).await.expect("free");
        lease(db, 2, "b", 0, 10).await.expect("free");
        let (own, others) = (EffectId::new(id(1)), EffectId::new(id(2)));
        assert!(commit!(db, (), |tx| effects::extend(tx, own, "a", at(30))));
        assert!(!commit!(db, (), |tx| effects::extend(tx, others, "a", at(30))));
        assert_eq!(due(db, 20).await, [3, 2]);
        assert!(holds(db, 1, fence).await, "the number stays the same");
        assert_eq!(due(db, 30).await, [3, 2, 1]);
    }

    /// M-1: a failed effect is retried later by any free node.
    async fn m_1_retry_gives_the_lease_back(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let db = &board.db;
        let task = board.task("t", |_| {}).await;
        plan(&board, &task, &[turn(1, 0)]).await;
        let fence = lease(db, 1, "a", 0, 10).await.expect("free");
        let effect = EffectId::new(id(1));
        assert!(commit!(db, (), |tx| effects::retry_at(tx, effect, fence, EffectRetry::Failed("no \0 disk"), at(40))));
        assert!(!holds(db, 1, fence).await);
        assert_eq!(due(db, 39).await, [0_u64; 0]);
        assert_eq!(due(db, 40).await, [1]);
        let rows = effects::list_of_task(db, task.id).await.unwrap();
        assert_eq!((rows[0].last_error.as_deref(), rows[0].not_before, &rows[0].lease_node), (Some("no \u{fffd} disk"), at(40), &None));
        assert_eq!(rows[0].failures, 1);
        let fence = lease(db, 1, "a", 40, 50).await.expect("free");
        assert!(commit!(db, (), |tx| effects::retry_at(tx, effect, fence, EffectRetry::Waiting("a person"), at(60))));
        let rows = effects::list_of_task(db, task.id).await.unwrap();
        assert_eq!((rows[0].attempts, rows[0].failures), (2, 0), "waiting is no failure");
    }

    /// E-12: a restarted node releases the leases of its previous process; other nodes keep theirs.
    async fn e_12_a_restarted_node_releases_its_leases(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let db = &board.db;
        let task = crate::projection::run(&board, forge_domain::Assignee::User { id: forge_domain::UserId::new(id(1)) }).await;
        let other = board.task("b", |_| {}).await;
        plan(&board, &task, &[turn(1, 5)]).await;
        plan(&board, &other, &[turn(2, 5)]).await;
        let fence = lease(db, 1, "a", 5, 100).await.expect("free");
        let kept = lease(db, 2, "b", 5, 100).await.expect("free");
        assert_eq!(commit!(db, (), |tx| effects::release_node(tx, "a")), 1);
        assert!(!holds(db, 1, fence).await);
        assert!(holds(db, 2, kept).await);
        assert_eq!(due(db, 5).await, [1]);
    }

    /// M-1: a move closes effects that have not started and yield to it; leased and promised effects stay.
    async fn m_1_supersede(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        let db = &board.db;
        let task = board.task("t", |_| {}).await;
        let other = board.task("other", |_| {}).await;
        plan(&board, &task, &[stop(1), turn(2, 0), planned(3, Effect::ResetWorktree, 0), turn(4, 0)]).await;
        plan(&board, &other, &[turn(5, 0)]).await;
        let held = lease(db, 1, "a", 0, 10).await.expect("free");
        let failed = lease(db, 2, "a", 0, 10).await.expect("free");
        let effect = EffectId::new(id(2));
        commit!(db, (), |tx| effects::retry_at(tx, effect, failed, EffectRetry::Failed("once"), at(50)));
        let id = task.id;
        assert_eq!(commit!(db, (), |tx| effects::supersede(tx, id, at(5))), 2);
        let rows = effects::list_of_task(db, task.id).await.unwrap();
        let endings: Vec<_> = rows.iter().map(|row| row.ending).collect();
        assert_eq!(endings, [None, Some(EffectEnding::Superseded), None, Some(EffectEnding::Superseded)]);
        assert_eq!(due(db, 5).await, [3, 5], "what waited behind goes on");
        assert!(finish(db, 1, held).await);
    }
}

//! What can be claimed, in its order (E-10).

use std::collections::BTreeMap;
use std::sync::Arc;

use forge_domain::task::Snapshot;
use forge_domain::workflow::{RoleName, Standing};
use forge_domain::{AgentId, Assignee, UserId};
use forge_store::tables::{dispatch, projects, tasks, waiting};
use forge_store::{Channel, Db};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{Board, at, commit, id};

fn coder() -> RoleName {
    RoleName::new("coder")
}

/// Writes where a task stands, as the engine does.
async fn line_up(board: &Board, task: &Snapshot) {
    let (task, role) = (task.clone(), coder());
    commit!(board.db, (task, role), |tx| async {
        tasks::put(tx, &task).await?;
        waiting::put(tx, &task, Some(&role)).await?;
        if task.standing == Standing::Succeeded {
            waiting::release_dependents(tx, task.id).await?;
        }
        Ok::<_, forge_store::StoreError>(())
    });
}

async fn queued(board: &Board, title: &str, edit: impl FnOnce(&mut Snapshot)) -> Snapshot {
    let task = board
        .task(title, |task| {
            task.claimable = true;
            edit(task);
        })
        .await;
    line_up(board, &task).await;
    task
}

async fn serve(board: &Board, max: Option<u32>) {
    let project = board.project;
    commit!(board.db, (), |tx| dispatch::serve(tx, project, max, false));
}

/// The numbers at the head of each lane, by project and holder.
async fn heads(db: &Db, per_lane: u32) -> BTreeMap<(String, Option<AgentId>), Vec<i64>> {
    let mut heads: Vec<_> = waiting::heads(db, per_lane).await.unwrap();
    heads.sort_by_key(|head| (head.urgency, head.number));
    let mut lanes = BTreeMap::new();
    for head in heads {
        assert_eq!(head.role, coder());
        let lane = (head.project_id.to_string(), head.agent_id);
        lanes.entry(lane).or_insert_with(Vec::new).push(head.number);
    }
    lanes
}

both_databases! {
    /// E-10: the first of each lane are found, the most urgent first and then the oldest; only of projects that are
    /// served and not paused.
    async fn e_10_the_heads_of_all_lanes_are_one_question(database: Arc<TestDatabase>) {
        let first = Board::open(&database).await;
        let db = first.db.clone();
        let second = Board::add(db.clone(), 2).await;
        let (mine, theirs) = (first.project.to_string(), second.project.to_string());
        let ada = AgentId::new(id(50));
        for n in 0..5 {
            queued(&first, &format!("task {n}"), |task| task.priority = i32::from(n == 3)).await;
        }
        queued(&first, "held", |task| {
            task.roles.insert(coder(), Assignee::Agent { id: ada });
        }).await;
        queued(&second, "other", |_| {}).await;
        assert_eq!(heads(&db, 2).await, BTreeMap::new(), "nobody asked to be served");
        serve(&first, None).await;
        serve(&second, Some(3)).await;
        let lanes = [((mine.clone(), None), vec![4, 1]), ((mine.clone(), Some(ada)), vec![6])];
        let all = lanes.clone().into_iter().chain([((theirs, None), vec![1])]);
        assert_eq!(heads(&db, 2).await, all.collect());
        let served = dispatch::served(&db).await.unwrap();
        let limits: BTreeMap<_, _> =
            served.iter().map(|served| (served.project_id, served.max_concurrent)).collect();
        assert_eq!(limits, [(first.project, None), (second.project, Some(3))].into());
        let mut row = projects::load(&db, second.project).await.unwrap().expect("the project");
        row.paused_at = Some(at(9));
        assert!(commit!(db, (row), |tx| projects::update(tx, &row)));
        assert_eq!(heads(&db, 2).await, lanes.into_iter().collect());
        let project = first.project;
        commit!(db, (), |tx| dispatch::leave(tx, project));
        assert_eq!(heads(&db, 2).await, BTreeMap::new());
    }

    /// E-10, T-13: what a person holds or has to look at, what is archived and what has left the queue is not offered.
    async fn e_10_what_is_not_to_be_given_out_is_not_offered(database: Arc<TestDatabase>) {
        let board = Board::open(&database).await;
        serve(&board, None).await;
        let person = Assignee::User { id: UserId::new(id(9)) };
        queued(&board, "a person's", |task| {
            task.roles.insert(coder(), person);
        }).await;
        let mut task = queued(&board, "open", |_| {}).await;
        let lane = (board.project.to_string(), None);
        assert_eq!(heads(&board.db, 9).await, [(lane.clone(), vec![2])].into());
        task.archived_at = Some(at(3));
        line_up(&board, &task).await;
        assert_eq!(heads(&board.db, 9).await, BTreeMap::new());
        task.archived_at = None;
        line_up(&board, &task).await;
        assert_eq!(heads(&board.db, 9).await, [(lane, vec![2])].into());
        task.claimable = false;
        line_up(&board, &task).await;
        assert_eq!(heads(&board.db, 9).await, BTreeMap::new());
        let left = waiting::of_project(&board.db, board.project, 9).await.unwrap();
        assert_eq!(left.iter().map(|task| task.number).collect::<Vec<_>>(), [1]);
    }

    /// E-10, T-4: a task is offered once everything it waits for ended well, and its wait ends with a wake-up.
    async fn e_10_a_task_is_offered_when_its_dependencies_are_in(database: Arc<TestDatabase>) {
        let board = Board::open(&database).await;
        serve(&board, None).await;
        let mut one = board.task("one", |_| {}).await;
        let mut two = board.task("two", |_| {}).await;
        let last = queued(&board, "last", |task| task.dependencies = [one.id, two.id].into()).await;
        assert_eq!(waiting::heads(&board.db, 9).await.unwrap(), []);
        assert_eq!(waiting::place(&board.db, last.id).await.unwrap(), None);
        one.standing = Standing::Succeeded;
        line_up(&board, &one).await;
        two.standing = Standing::Ended;
        line_up(&board, &two).await;
        assert_eq!(waiting::heads(&board.db, 9).await.unwrap(), []);
        let mut wakes = board.db.subscribe(Channel::Dispatch);
        two.standing = Standing::Succeeded;
        line_up(&board, &two).await;
        assert!(wakes.next().await.is_some());
        let heads = waiting::heads(&board.db, 9).await.unwrap();
        assert_eq!(heads.iter().map(|head| head.task_id).collect::<Vec<_>>(), [last.id]);
        queued(&board, "urgent", |task| task.priority = 1).await;
        assert_eq!(waiting::place(&board.db, last.id).await.unwrap(), Some(2));
    }

    /// E-10: pausing as a whole is kept, and can be asked for inside a transaction.
    async fn e_10_pausing_as_a_whole_is_stored(database: Arc<TestDatabase>) {
        let db = database.open().await;
        assert_eq!(dispatch::paused_at(&db).await.unwrap(), None);
        for since in [Some(at(5)), Some(at(6)), None] {
            commit!(db, (), |tx| dispatch::set_paused(tx, since));
            assert_eq!(dispatch::paused_at(&db).await.unwrap(), since);
            assert_eq!(commit!(db, (), |tx| dispatch::paused_at_in(tx)), since);
        }
    }
}

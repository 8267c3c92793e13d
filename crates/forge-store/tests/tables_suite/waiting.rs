//! Claimable tasks in queue order (E-10).

use std::collections::BTreeMap;
use std::sync::Arc;

use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::{RoleName, TaskStanding};
use forge_domain::{AgentId, Assignee, UserId};
use forge_store::tables::{projects, served_projects, tasks, waiting_tasks};
use forge_store::{Db, WakeChannel};
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;

use crate::board::{TestBoard, at, commit, id};

fn coder() -> RoleName {
    RoleName::new("coder")
}

/// Stores a task's queue entry, as the engine does.
async fn line_up(board: &TestBoard, task: &TaskSnapshot) {
    let (task, role) = (task.clone(), coder());
    commit!(board.db, (task, role), |tx| async {
        tasks::put(tx, &task).await?;
        waiting_tasks::put(tx, &task, Some(&role)).await?;
        if task.standing == TaskStanding::Succeeded {
            waiting_tasks::release_dependents(tx, task.id).await?;
        }
        Ok::<_, forge_store::StoreError>(())
    });
}

async fn queued(
    board: &TestBoard,
    title: &str,
    edit: impl FnOnce(&mut TaskSnapshot),
) -> TaskSnapshot {
    let task = board
        .task(title, |task| {
            task.claimable = true;
            edit(task);
        })
        .await;
    line_up(board, &task).await;
    task
}

async fn serve(board: &TestBoard, max: Option<u32>) {
    let project = board.project;
    commit!(board.db, (), |tx| served_projects::enable_project(tx, project, max, false));
}

/// The numbers at the head of each lane, by project and holder.
async fn heads(db: &Db, per_lane: u32) -> BTreeMap<(String, Option<AgentId>), Vec<i64>> {
    let mut heads: Vec<_> = waiting_tasks::lane_heads(db, per_lane).await.unwrap();
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
    /// E-10: the first tasks of each lane are found, the most urgent first and then the oldest; only in projects with
    /// dispatch switched on and not paused.
    async fn e_10_the_heads_of_all_lanes_are_read_by_one_query(database: Arc<TestDatabase>) {
        let first = TestBoard::open(&database).await;
        let db = first.db.clone();
        let second = TestBoard::add(db.clone(), 2).await;
        let (mine, theirs) = (first.project.to_string(), second.project.to_string());
        let ada = AgentId::new(id(50));
        for n in 0..5 {
            queued(&first, &format!("task {n}"), |task| task.priority = i32::from(n == 3)).await;
        }
        queued(&first, "held", |task| {
            task.roles.insert(coder(), Assignee::Agent { id: ada });
        }).await;
        queued(&second, "other", |_| {}).await;
        assert_eq!(heads(&db, 2).await, BTreeMap::new(), "no project has dispatch switched on");
        serve(&first, None).await;
        serve(&second, Some(3)).await;
        let lanes = [((mine.clone(), None), vec![4, 1]), ((mine.clone(), Some(ada)), vec![6])];
        let all = lanes.clone().into_iter().chain([((theirs, None), vec![1])]);
        assert_eq!(heads(&db, 2).await, all.collect());
        let served = served_projects::enabled_projects(&db).await.unwrap();
        let limits: BTreeMap<_, _> =
            served.iter().map(|served| (served.project_id, served.max_concurrent)).collect();
        assert_eq!(limits, [(first.project, None), (second.project, Some(3))].into());
        let mut row = projects::load(&db, second.project).await.unwrap().expect("the project");
        row.paused_at = Some(at(9));
        assert!(commit!(db, (row), |tx| projects::update(tx, &row)));
        assert_eq!(heads(&db, 2).await, lanes.into_iter().collect());
        let project = first.project;
        commit!(db, (), |tx| served_projects::disable_project(tx, project));
        assert_eq!(heads(&db, 2).await, BTreeMap::new());
    }

    /// E-10, T-13: tasks that a person holds or must look at, archived tasks and tasks outside the queue are not
    /// offered.
    async fn e_10_tasks_that_may_not_be_assigned_are_not_offered(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
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
        let left = waiting_tasks::of_project(&board.db, board.project, 9).await.unwrap();
        assert_eq!(left.iter().map(|task| task.number).collect::<Vec<_>>(), [1]);
    }

    /// E-10, T-4: a task is offered once all its dependencies have landed, and a wake-up is sent.
    async fn e_10_a_task_is_offered_when_its_dependencies_have_landed(database: Arc<TestDatabase>) {
        let board = TestBoard::open(&database).await;
        serve(&board, None).await;
        let mut one = board.task("one", |_| {}).await;
        let mut two = board.task("two", |_| {}).await;
        let last = queued(&board, "last", |task| task.dependencies = [one.id, two.id].into()).await;
        assert_eq!(waiting_tasks::lane_heads(&board.db, 9).await.unwrap(), []);
        assert_eq!(waiting_tasks::position(&board.db, last.id).await.unwrap(), None);
        one.standing = TaskStanding::Succeeded;
        line_up(&board, &one).await;
        two.standing = TaskStanding::Ended;
        line_up(&board, &two).await;
        assert_eq!(waiting_tasks::lane_heads(&board.db, 9).await.unwrap(), []);
        let mut wakes = board.db.subscribe(WakeChannel::Dispatch);
        two.standing = TaskStanding::Succeeded;
        line_up(&board, &two).await;
        assert!(wakes.next().await.is_some());
        let heads = waiting_tasks::lane_heads(&board.db, 9).await.unwrap();
        assert_eq!(heads.iter().map(|head| head.task_id).collect::<Vec<_>>(), [last.id]);
        queued(&board, "urgent", |task| task.priority = 1).await;
        assert_eq!(waiting_tasks::position(&board.db, last.id).await.unwrap(), Some(2));
    }

    /// E-10: the global pause is stored, and can be read inside a transaction.
    async fn e_10_the_global_pause_is_stored(database: Arc<TestDatabase>) {
        let db = database.open().await;
        assert_eq!(served_projects::paused_at(&db).await.unwrap(), None);
        for since in [Some(at(5)), Some(at(6)), None] {
            commit!(db, (), |tx| served_projects::set_paused(tx, since));
            assert_eq!(served_projects::paused_at(&db).await.unwrap(), since);
            assert_eq!(commit!(db, (), |tx| served_projects::paused_at_in(tx)), since);
        }
    }
}

//! The conflict radar (M-14): what it looks at, what it tells, and whom the scheduler holds back for it; on both engines.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::dispatch::Reason;
use forge_domain::{Command, ProjectId, TaskId};
use forge_engine::{Clock, Fault, Looked};
use forge_store::tables;
use forge_testkit::database::TestDatabase;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::world::World;
use std::sync::Arc;

async fn world(database: &TestDatabase, faults: FaultSweep) -> World {
    World::with(faults, Some(database.url().clone())).await
}

/// A task whose agent left this in a file, and committed it.
async fn worked(world: &World, title: &str, file: &str) -> TaskId {
    let script = format!("echo {title} > {file}");
    let task = world.claimed(world.board().await, World::titled(title), title, &script).await;
    world.settle().await.unwrap();
    task
}

async fn look(world: &World) -> Looked {
    world.engine().look_around().await.unwrap()
}

/// A new start finds everything that is there.
async fn look_at_all(world: &World) -> Looked {
    world.engine().notice_all().await.unwrap();
    look(world).await
}

async fn key(world: &World, task: TaskId) -> String {
    world.now(task).await.key().to_string()
}

/// The pairs that clash: both keys and the files.
async fn clashes(world: &World, project: ProjectId) -> Vec<(String, String, Vec<String>)> {
    let found = world.engine().conflicts(project).await.unwrap();
    let pairs = found.pairs.into_iter().map(|pair| {
        let [one, other] = pair.branches.map(|branch| branch.task.key().to_string());
        (one, other, pair.files)
    });
    pairs.collect()
}

/// What was told, in order: the type, the two tasks and the files.
async fn told(world: &World, project: ProjectId) -> Vec<(String, serde_json::Value)> {
    let events = tables::events::after(world.engine().db(), &[(project, 0)], 10_000).await.unwrap();
    let own = events.into_iter().filter(|event| event.kind.starts_with("conflict."));
    own.map(|event| (event.kind, event.data["files"].clone())).collect()
}

async fn cancel(world: &World, task: TaskId) {
    let command = Command::Cancel { reason: None };
    world.engine().handle(World::person(), task, command).await.unwrap();
    world.settle().await.unwrap();
}

/// Killed in the middle of a look, the next start comes to the same picture and tells each thing once.
async fn cut_off(database: &TestDatabase, point: &'static str, detected_later: usize) {
    let mut world = world(database, FaultSweep::striking_at(point, Fault::Die)).await;
    let project = world.board().await;
    for title in ["one", "two", "three"] {
        worked(&world, title, "numbers.txt").await;
    }
    let died = world.faults.died();
    tokio::select! {
        looked = world.engine().look_around() => panic!("{looked:?}"),
        () = died.cancelled() => {}
    }
    world.restart().await;
    assert_eq!(look_at_all(&world).await.detected, detected_later);
    assert_eq!(clashes(&world, project).await.len(), 3);
    let told = told(&world, project).await;
    assert_eq!(told.len(), 3, "{told:?}");
    assert_eq!(look_at_all(&world).await, Looked::default());
}

forge_testkit::both_databases! {
    async fn m_14_a_clash_is_told_when_it_begins_and_when_it_ends(database: Arc<TestDatabase>) {
        let mut world = world(&database, FaultSweep::counting()).await;
        let project = world.board().await;
        let one = worked(&world, "one", "numbers.txt").await;
        let other = worked(&world, "other", "numbers.txt").await;
        let apart = worked(&world, "apart", "new.txt").await;
        let looked = look(&world).await;
        assert_eq!((looked.moved, looked.pairs, looked.detected), (3, 3, 1), "{looked:?}");
        assert_eq!(looked.merged, 1, "only what can clash is merged: {looked:?}");
        let expected =
            (key(&world, one).await, key(&world, other).await, vec!["numbers.txt".to_owned()]);
        assert_eq!(clashes(&world, project).await, std::slice::from_ref(&expected));
        let begun = ("conflict.detected".to_owned(), serde_json::json!(["numbers.txt"]));
        assert_eq!(told(&world, project).await, std::slice::from_ref(&begun));

        assert_eq!(look_at_all(&world).await, Looked::default(), "nothing has moved");
        world.restart().await;
        assert_eq!(look_at_all(&world).await, Looked::default(), "a new start finds it as it was");
        assert_eq!(clashes(&world, project).await, [expected]);

        // The head that moves is looked at with all others, and no other pair is.
        let directory = world.directory(apart).await;
        std::fs::write(directory.join("new.txt"), "changed\n").unwrap();
        forge_testkit::repository::Repository::at(&directory).commit("by hand").await;
        let looked = look_at_all(&world).await;
        assert_eq!((looked.moved, looked.pairs, looked.merged), (1, 2, 0), "{looked:?}");

        cancel(&world, other).await;
        let looked = look(&world).await;
        assert_eq!((looked.pairs, looked.cleared), (0, 1), "{looked:?}");
        assert!(clashes(&world, project).await.is_empty());
        let ended = ("conflict.cleared".to_owned(), serde_json::json!(["numbers.txt"]));
        assert_eq!(told(&world, project).await, [begun, ended]);
        let live = world.engine().conflicts(project).await.unwrap().branches;
        let live: Vec<TaskId> = live.iter().map(|branch| branch.task.id).collect();
        assert_eq!(live, [one, apart], "what has ended is not live");
    }

    /// The two come to the same: nobody has to clear up before the radar is quiet again.
    async fn m_14_a_branch_that_is_brought_in_line_stops_clashing(database: Arc<TestDatabase>) {
        let world = world(&database, FaultSweep::counting()).await;
        let project = world.board().await;
        let one = worked(&world, "one", "numbers.txt").await;
        worked(&world, "other", "numbers.txt").await;
        assert_eq!(look(&world).await.detected, 1);
        let directory = world.directory(one).await;
        std::fs::write(directory.join("numbers.txt"), "other\n").unwrap();
        forge_testkit::repository::Repository::at(&directory).commit("the same").await;
        assert_eq!(look_at_all(&world).await.cleared, 1);
        assert!(clashes(&world, project).await.is_empty());
    }

    async fn m_14_a_look_that_dies_before_its_record_is_made_again(database: Arc<TestDatabase>) {
        cut_off(&database, "radar.looked", 3).await;
    }

    async fn m_14_a_look_that_dies_after_its_record_tells_nothing_twice(database: Arc<TestDatabase>) {
        cut_off(&database, "radar.recorded", 0).await;
    }

    async fn e_10_m_14_a_task_waits_while_its_branch_clashes_with_one_that_has_begun(database: Arc<TestDatabase>) {
        let world = world(&database, FaultSweep::counting()).await;
        let project = world.board().await;
        let waits = worked(&world, "waits", "numbers.txt").await;
        let first = worked(&world, "first", "numbers.txt").await;
        let free = worked(&world, "free", "new.txt").await;
        world.move_to(waits, "todo").await;
        world.move_to(free, "todo").await;
        look(&world).await;
        let dispatch = |hold: bool| serde_json::json!({
            "dispatch": { "enabled": true, "hold_conflicts": hold }
        });
        world.change_settings(project, dispatch(true)).await;
        let hold = Reason::ConflictHold {
            task: key(&world, first).await,
            files: vec!["numbers.txt".to_owned()],
        };
        let why = world.engine().why(waits).await.unwrap().reasons;
        assert_eq!(why, [hold]);
        assert!(why[0].to_string().contains("numbers.txt"), "{}", why[0]);
        assert_eq!(world.engine().dispatch().await.unwrap(), 1, "the one behind it is not kept");
        assert!(world.now(free).await.run.is_some() && world.now(waits).await.run.is_none());

        cancel(&world, first).await;
        assert_eq!(look(&world).await.cleared, 1);
        assert_eq!(world.engine().dispatch().await.unwrap(), 1, "nothing is in its way any more");
        assert!(world.now(waits).await.run.is_some());
        cancel(&world, waits).await;
        cancel(&world, free).await;
    }

    async fn e_10_nobody_is_held_back_where_nobody_asked_for_it(database: Arc<TestDatabase>) {
        let world = world(&database, FaultSweep::counting()).await;
        let project = world.board().await;
        let waits = worked(&world, "waits", "numbers.txt").await;
        worked(&world, "first", "numbers.txt").await;
        world.move_to(waits, "todo").await;
        look(&world).await;
        world.change_settings(project, serde_json::json!({ "dispatch": { "enabled": true } })).await;
        assert_eq!(world.engine().dispatch().await.unwrap(), 1);
        cancel(&world, waits).await;
    }
}

/// What an agent has not committed yet counts, once it is saved in the journal.
#[tokio::test]
async fn m_14_uncommitted_work_counts_as_it_is_saved() {
    let world = World::new().await;
    let done = worked(&world, "done", "numbers.txt").await;
    let pipe = world.home().join("written");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let script = "echo mine > numbers.txt; echo > \"$HOME/written\"; exec tail -f /dev/null";
    let project = world.board().await;
    let task = world.claimed(project, World::titled("busy"), "busy", script).await;
    let stepping = async {
        loop {
            world.engine().tick().await.unwrap();
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        biased;
        said = tokio::fs::read_to_string(&pipe) => drop(said.unwrap()),
        () = stepping => {}
    }
    let running = |task: &forge_domain::task::Snapshot| task.run.is_some() && !task.is_settling();
    world.engine().reached(task, running).await.unwrap();
    assert_eq!(look_at_all(&world).await.detected, 0, "nothing is saved yet");
    let mut wakes = world.engine().db().subscribe(forge_store::Channel::Events);
    while world.engine().journal_entries(&world.now(task).await).await.unwrap().is_empty() {
        world.clock.advance_to(world.clock.now().plus_seconds(180));
        wakes.next().await.unwrap();
    }
    assert_eq!(look_at_all(&world).await.detected, 1);
    let found = world.engine().conflicts(project).await.unwrap();
    let [one, other] = &found.pairs[0].branches;
    assert_eq!((one.task.id, one.is_uncommitted()), (done, false));
    assert_eq!((other.task.id, other.is_uncommitted()), (task, true));
    cancel(&world, task).await;
    assert_eq!(look(&world).await.cleared, 1);
}

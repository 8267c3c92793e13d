//! The conflict radar (M-14): what it examines, what it reports, and which tasks the scheduler holds back; on both
//! databases.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::dispatch::DispatchBlocker;
use forge_domain::{ProjectId, TaskCommand, TaskId};
use forge_engine::{Clock, FaultAction, RadarPassStats};
use forge_store::tables;
use forge_testkit::database::TestDatabase;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use std::sync::Arc;

async fn world(database: &TestDatabase, faults: FaultSweep) -> EngineFixture {
    EngineFixture::with(faults, Some(database.url().clone())).await
}

/// A task whose agent wrote this file and committed it.
async fn worked(world: &EngineFixture, title: &str, file: &str) -> TaskId {
    let script = format!("echo {title} > {file}");
    let task = world
        .claimed_task(
            world.board_project().await,
            EngineFixture::task_request(title),
            title,
            &script,
        )
        .await;
    world.settle().await.unwrap();
    task
}

async fn look(world: &EngineFixture) -> RadarPassStats {
    world.engine().radar().check_moved_branches().await.unwrap()
}

/// Examines everything, as a new start does.
async fn look_at_all(world: &EngineFixture) -> RadarPassStats {
    world.engine().radar().queue_all_branches().await.unwrap();
    look(world).await
}

async fn key(world: &EngineFixture, task: TaskId) -> String {
    world.load_task(task).await.key().to_string()
}

/// The conflicting pairs: both keys and the files.
async fn clashes(world: &EngineFixture, project: ProjectId) -> Vec<(String, String, Vec<String>)> {
    let found = world.engine().radar().conflicts(project).await.unwrap();
    let pairs = found.pairs.into_iter().map(|pair| {
        let [one, other] = pair.branches.map(|branch| branch.task.key().to_string());
        (one, other, pair.files)
    });
    pairs.collect()
}

/// The branches that conflict with their target, and the files.
async fn target_conflicts(world: &EngineFixture, project: ProjectId) -> Vec<(String, Vec<String>)> {
    let branches = world.engine().radar().conflicts(project).await.unwrap().branches.into_iter();
    let found = branches.filter_map(|branch| {
        let conflict = branch.head.target?.conflict?;
        Some((branch.task.key().to_string(), conflict.files))
    });
    found.collect()
}

/// The conflict events in order: type, tasks and files.
async fn told(world: &EngineFixture, project: ProjectId) -> Vec<(String, serde_json::Value)> {
    let events = tables::events::after(world.engine().db(), &[(project, 0)], 10_000).await.unwrap();
    let own = events.into_iter().filter(|event| event.kind.starts_with("conflict."));
    own.map(|event| (event.kind, event.data["files"].clone())).collect()
}

async fn cancel(world: &EngineFixture, task: TaskId) {
    let command = TaskCommand::Cancel { reason: None };
    world.engine().commands().handle(EngineFixture::acting_user(), task, command).await.unwrap();
    world.settle().await.unwrap();
}

/// Killed in the middle of a pass, the next start reaches the same result and reports each conflict once.
async fn cut_off(database: &TestDatabase, point: &'static str, detected_later: usize) {
    let mut world = world(database, FaultSweep::injecting_at(point, FaultAction::Die)).await;
    let project = world.board_project().await;
    for title in ["one", "two", "three"] {
        worked(&world, title, "numbers.txt").await;
    }
    let died = world.faults.died();
    tokio::select! {
        looked = world.engine().radar().check_moved_branches() => panic!("{looked:?}"),
        () = died.cancelled() => {}
    }
    world.restart().await;
    assert_eq!(look_at_all(&world).await.detected, detected_later);
    assert_eq!(clashes(&world, project).await.len(), 3);
    let told = told(&world, project).await;
    assert_eq!(told.len(), 3, "{told:?}");
    assert_eq!(look_at_all(&world).await, RadarPassStats::default());
}

forge_testkit::both_databases! {
    async fn m_14_a_conflict_is_reported_when_it_starts_and_when_it_ends(database: Arc<TestDatabase>) {
        let mut world = world(&database, FaultSweep::counting()).await;
        let project = world.board_project().await;
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

        assert_eq!(look_at_all(&world).await, RadarPassStats::default(), "nothing has moved");
        world.restart().await;
        assert_eq!(look_at_all(&world).await, RadarPassStats::default(), "a new start finds it as it was");
        assert_eq!(clashes(&world, project).await, [expected]);

        // The moved head is checked with all others, and no other pair is.
        let directory = world.workspace_dir(apart).await;
        std::fs::write(directory.join("new.txt"), "changed\n").unwrap();
        forge_testkit::test_repository::TestRepository::open(&directory).commit("by hand").await;
        let looked = look_at_all(&world).await;
        assert_eq!((looked.moved, looked.pairs, looked.merged), (1, 2, 0), "{looked:?}");

        cancel(&world, other).await;
        let looked = look(&world).await;
        assert_eq!((looked.pairs, looked.cleared), (0, 1), "{looked:?}");
        assert!(clashes(&world, project).await.is_empty());
        let ended = ("conflict.cleared".to_owned(), serde_json::json!(["numbers.txt"]));
        assert_eq!(told(&world, project).await, [begun, ended]);
        let live = world.engine().radar().conflicts(project).await.unwrap().branches;
        let live: Vec<TaskId> = live.iter().map(|branch| branch.task.id).collect();
        assert_eq!(live, [one, apart], "what has ended is not live");
    }

    /// Earlier versions showed the old branch as conflicting with every newer one, and it waited for all of them.
    async fn issue_13_17_a_conflict_with_the_target_is_not_blamed_on_younger_branches(database: Arc<TestDatabase>) {
        let world = world(&database, FaultSweep::counting()).await;
        let project = world.board_project().await;
        let old = worked(&world, "old", "numbers.txt").await;
        assert_eq!(look(&world).await.detected, 0);
        assert_eq!(target_conflicts(&world, project).await, []);
        world.repository.write("numbers.txt", "target\n");
        world.repository.commit("the target moves").await;
        let young = worked(&world, "young", "new.txt").await;
        let same = worked(&world, "same", "numbers.txt").await;
        look_at_all(&world).await;
        let files = vec!["numbers.txt".to_owned()];
        let pair = (key(&world, old).await, key(&world, same).await, files.clone());
        assert_eq!(clashes(&world, project).await, [pair], "both changed it");
        assert_eq!(target_conflicts(&world, project).await, [(key(&world, old).await, files.clone())]);
        let told_now = told(&world, project).await;
        assert_eq!(told_now.len(), 2, "the pair and the target, once each: {told_now:?}");

        let held = serde_json::json!({ "dispatch": { "enabled": true, "hold_conflicts": true } });
        cancel(&world, same).await;
        world.move_to(old, "todo").await;
        look(&world).await;
        world.change_settings(project, held).await;
        assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 1, "it waits for no innocent branch");
        assert!(world.load_task(old).await.run.is_some());
        world.settle().await.unwrap();

        // Only the target moved: the target result follows, and no pair is checked.
        world.repository.write("numbers.txt", "1\n2\n3\n");
        world.repository.write("new.txt", "target\n");
        world.repository.commit("the target moves again").await;
        let looked = look_at_all(&world).await;
        assert!(looked.targets >= 2 && looked.pairs == 0, "{looked:?}");
        let found = target_conflicts(&world, project).await;
        assert!(found.contains(&(key(&world, young).await, vec!["new.txt".to_owned()])), "{found:?}");
        assert_eq!(look_at_all(&world).await, RadarPassStats::default(), "nothing has moved");
        cancel(&world, young).await;
        look(&world).await;
        assert_eq!(told(&world, project).await.last().map(|told| told.0.as_str()), Some("conflict.cleared"));
    }

    /// Both branches become equal: the conflict clears without further action.
    async fn m_14_a_branch_that_becomes_equal_stops_conflicting(database: Arc<TestDatabase>) {
        let world = world(&database, FaultSweep::counting()).await;
        let project = world.board_project().await;
        let one = worked(&world, "one", "numbers.txt").await;
        worked(&world, "other", "numbers.txt").await;
        assert_eq!(look(&world).await.detected, 1);
        let directory = world.workspace_dir(one).await;
        std::fs::write(directory.join("numbers.txt"), "other\n").unwrap();
        forge_testkit::test_repository::TestRepository::open(&directory).commit("the same").await;
        assert_eq!(look_at_all(&world).await.cleared, 1);
        assert!(clashes(&world, project).await.is_empty());
    }

    async fn m_14_a_pass_that_dies_before_its_record_is_repeated(database: Arc<TestDatabase>) {
        cut_off(&database, "radar.looked", 3).await;
    }

    async fn m_14_a_pass_that_dies_after_its_record_reports_nothing_twice(database: Arc<TestDatabase>) {
        cut_off(&database, "radar.recorded", 0).await;
    }

    async fn e_10_m_14_a_task_waits_while_its_branch_conflicts_with_a_started_one(database: Arc<TestDatabase>) {
        let world = world(&database, FaultSweep::counting()).await;
        let project = world.board_project().await;
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
        let hold = DispatchBlocker::ConflictHold {
            task: key(&world, first).await,
            files: vec!["numbers.txt".to_owned()],
        };
        let why = world.engine().dispatch().explain_wait(waits).await.unwrap().reasons;
        assert_eq!(why, [hold]);
        assert!(why[0].to_string().contains("numbers.txt"), "{}", why[0]);
        assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 1, "the one behind it is not kept");
        assert!(world.load_task(free).await.run.is_some() && world.load_task(waits).await.run.is_none());

        cancel(&world, first).await;
        assert_eq!(look(&world).await.cleared, 1);
        assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 1, "nothing is in its way any more");
        assert!(world.load_task(waits).await.run.is_some());
        cancel(&world, waits).await;
        cancel(&world, free).await;
    }

    async fn e_10_no_task_is_held_back_unless_the_project_asks_for_it(database: Arc<TestDatabase>) {
        let world = world(&database, FaultSweep::counting()).await;
        let project = world.board_project().await;
        let waits = worked(&world, "waits", "numbers.txt").await;
        worked(&world, "first", "numbers.txt").await;
        world.move_to(waits, "todo").await;
        look(&world).await;
        world.change_settings(project, serde_json::json!({ "dispatch": { "enabled": true } })).await;
        assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 1);
        cancel(&world, waits).await;
    }
}

/// Uncommitted work counts once it is saved in the journal.
#[tokio::test]
async fn m_14_uncommitted_work_counts_as_it_is_saved() {
    let world = EngineFixture::new().await;
    let done = worked(&world, "done", "numbers.txt").await;
    let script = "echo mine > numbers.txt; echo > \"$HOME/written\"; exec tail -f /dev/null";
    let project = world.board_project().await;
    let task =
        world.claimed_task(project, EngineFixture::task_request("busy"), "busy", script).await;
    world.perform_until_written("written").await;
    let running =
        |task: &forge_domain::task::TaskSnapshot| task.run.is_some() && !task.is_settling();
    world.engine().progress().wait_until(task, running).await.unwrap();
    assert_eq!(look_at_all(&world).await.detected, 0, "nothing is saved yet");
    let mut wakes = world.engine().db().subscribe(forge_store::WakeChannel::Events);
    while world
        .engine()
        .journals()
        .journal_entries(&world.load_task(task).await)
        .await
        .unwrap()
        .is_empty()
    {
        world.clock.advance_to(world.clock.now().plus_seconds(180));
        wakes.next().await.unwrap();
    }
    assert_eq!(look_at_all(&world).await.detected, 1);
    let found = world.engine().radar().conflicts(project).await.unwrap();
    let [one, other] = &found.pairs[0].branches;
    assert_eq!((one.task.id, one.is_uncommitted()), (done, false));
    assert_eq!((other.task.id, other.is_uncommitted()), (task, true));
    cancel(&world, task).await;
    assert_eq!(look(&world).await.cleared, 1);
}

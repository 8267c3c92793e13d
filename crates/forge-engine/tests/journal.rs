//! When the journal is written, and what comes back by itself (W-6, W-8, W-14).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::AnnotationType;
use forge_domain::{Command, TaskId};
use forge_engine::{BranchPointer, Clock, EngineError, JournalEntry, JournalReason};
use forge_store::tables;
use forge_testkit::world::World;

async fn entries(world: &World, task: TaskId) -> Vec<JournalEntry> {
    world.engine().journal_entries(&world.now(task).await).await.unwrap()
}

async fn shown(world: &World, entry: &JournalEntry, path: &str) -> String {
    world.repository.git(&["show", &format!("{}:{path}", entry.commit)]).await
}

#[tokio::test]
async fn w_14_an_execution_is_saved_as_its_agent_left_it_and_told() {
    let world = World::new().await;
    let task = world.worked("echo work > work.txt").await;
    let entries = entries(&world, task).await;
    let first = &entries[0];
    assert_eq!((first.number, first.reason, first.differs), (1, JournalReason::TurnEnd, true));
    assert_eq!(shown(&world, first, "work.txt").await, "work");
    let told = tables::events::of_task(world.engine().db(), task).await.unwrap();
    let told = told.iter().find(|event| event.kind == "journal.recorded").expect("an event");
    assert_eq!((&told.data["entry"], &told.data["reason"]), (&1.into(), &"turn_end".into()));
}

#[tokio::test]
async fn w_14_a_working_agents_files_are_saved_every_few_minutes() {
    let world = World::new().await;
    let script = "echo early > work.txt; echo > \"$HOME/written\"; exec tail -f /dev/null";
    let pipe = world.home().join("written");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let project = world.board().await;
    let task = world.claimed(project, World::titled("Work"), "coder", script).await;
    while world.engine().tick().await.unwrap() > 0 {}
    let running = world.engine().reached(task, |task| task.run.is_some() && !task.is_settling());
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
    running.await.unwrap();
    let mut wakes = world.engine().db().subscribe(forge_store::Channel::Events);
    while entries(&world, task).await.is_empty() {
        world.clock.advance_to(world.clock.now().plus_seconds(180));
        wakes.next().await.unwrap();
    }
    let entry = entries(&world, task).await.remove(0);
    assert_eq!(entry.reason, JournalReason::Periodic);
    assert_eq!(shown(&world, &entry, "work.txt").await, "early");
    let refused =
        world.engine().restore_entry(World::person(), task, 1, BranchPointer::Stays).await;
    assert!(matches!(refused, Err(EngineError::WorkspaceLocked { holder: Some(_), .. })));
    let cancel = Command::Cancel { reason: None };
    world.engine().handle(World::person(), task, cancel).await.unwrap();
    world.settle().await.unwrap();
    assert!(world.now(task).await.run.is_none());
}

#[tokio::test]
async fn w_8_a_worktree_that_vanished_comes_back_with_its_last_files() {
    let world = World::new().await;
    // The repository inside keeps the first turn's work from being committed.
    let script = "[ -d app ] || { git init -q app; echo in > app/f; echo loose > loose.txt; cd app; \
        git -c user.name=a -c user.email=a@b commit -q --allow-empty -m inner; }";
    let task = world.worked(script).await;
    let parked = world.now(task).await;
    assert_eq!(parked.annotation.unwrap().kind, AnnotationType::WorkspaceError);
    let workspace = parked.workspace.unwrap();
    let place = world.directory(task).await;
    std::fs::rename(&place, place.with_extension("taken")).unwrap();
    world.advance(task, "blocked", "in_progress").await.unwrap();
    world.settle().await.unwrap();
    assert_eq!(std::fs::read_to_string(place.join("app/f")).unwrap(), "in\n");
    let committed = format!("{}:loose.txt", workspace.branch);
    assert_eq!(world.repository.git(&["show", &committed]).await, "loose");
    let events = tables::events::of_task(world.engine().db(), task).await.unwrap();
    assert!(events.iter().any(|event| event.kind == "workspace.restored"));
}

#[tokio::test]
async fn w_6_a_damaged_workspace_is_saved_before_its_task_parks() {
    let world = World::new().await;
    let task = world.worked("echo work > work.txt").await;
    let place = world.directory(task).await;
    std::fs::remove_file(place.join(".git")).unwrap();
    std::fs::write(place.join("late.txt"), "late\n").unwrap();
    world.advance(task, "review", "in_progress").await.unwrap();
    world.settle().await.unwrap();
    let annotation = world.now(task).await.annotation.unwrap();
    assert_eq!(annotation.kind, AnnotationType::WorkspaceCorrupted);
    let entry = entries(&world, task).await.pop().unwrap();
    assert_eq!(entry.reason, JournalReason::Corrupted);
    assert_eq!(shown(&world, &entry, "late.txt").await, "late");
    assert!(place.join("late.txt").exists(), "nothing is overwritten");
}

#[tokio::test]
async fn w_14_old_entries_go_and_the_newest_stays() {
    let world = World::new().await;
    let task = world.worked("echo work > work.txt").await;
    let place = world.directory(task).await;
    for number in 0..3 {
        std::fs::write(place.join("work.txt"), format!("{number}\n")).unwrap();
        let pointer = BranchPointer::Stays;
        world.engine().restore_entry(World::person(), task, 1, pointer).await.unwrap();
    }
    let before = entries(&world, task).await;
    assert!(before.len() > 2, "{before:?}");
    assert_eq!(world.engine().prune_journals().await.unwrap(), 0, "all are young");
    world.clock.advance_to(world.clock.now().plus_seconds(40 * 86_400));
    assert_eq!(world.engine().prune_journals().await.unwrap(), before.len() - 1);
    let left = entries(&world, task).await;
    assert_eq!(left.as_slice(), &before[before.len() - 1..]);
}

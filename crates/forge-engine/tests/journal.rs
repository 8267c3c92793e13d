//! When the journal is written, and what is restored automatically (W-6, W-8, W-14).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::AnnotationType;
use forge_domain::{SubtaskRequest, TaskCommand, TaskId};
use forge_engine::{
    BranchOnRestore, Clock, DiffLimits, DiffScope, EngineError, JournalEntry, JournalReason,
    TaskSpec,
};
use forge_store::tables;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::test_repository::TestRepository;

async fn entries(world: &EngineFixture, task: TaskId) -> Vec<JournalEntry> {
    world.engine().journals().journal_entries(&world.load_task(task).await).await.unwrap()
}

async fn shown(world: &EngineFixture, entry: &JournalEntry, path: &str) -> String {
    world.repository.git(&["show", &format!("{}:{path}", entry.commit)]).await
}

#[tokio::test]
async fn w_14_an_execution_is_recorded_as_its_agent_left_it() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo work > work.txt").await;
    let entries = entries(&world, task).await;
    let first = &entries[0];
    assert_eq!((first.number, first.reason, first.has_changes), (1, JournalReason::TurnEnd, true));
    assert_eq!(shown(&world, first, "work.txt").await, "work");
    let told = tables::events::of_task(world.engine().db(), task).await.unwrap();
    let told = told.iter().find(|event| event.kind == "journal.recorded").expect("an event");
    assert_eq!((&told.data["entry"], &told.data["reason"]), (&1.into(), &"turn_end".into()));
}

#[tokio::test]
async fn w_14_a_working_agents_files_are_saved_every_few_minutes() {
    let world = EngineFixture::new().await;
    let script = "echo early > work.txt; echo > \"$HOME/written\"; exec tail -f /dev/null";
    let project = world.board_project().await;
    let task =
        world.claimed_task(project, EngineFixture::task_request("Work"), "coder", script).await;
    let running = world
        .engine()
        .progress()
        .wait_until(task, |task| task.run.is_some() && !task.is_settling());
    world.perform_until_written("written").await;
    running.await.unwrap();
    let mut wakes = world.engine().db().subscribe(forge_store::WakeChannel::Events);
    while entries(&world, task).await.is_empty() {
        world.clock.advance_to(world.clock.now().plus_seconds(180));
        wakes.next().await.unwrap();
    }
    let entry = entries(&world, task).await.remove(0);
    assert_eq!(entry.reason, JournalReason::Periodic);
    assert_eq!(shown(&world, &entry, "work.txt").await, "early");
    let refused = world
        .engine()
        .journal_restores()
        .restore_entry(EngineFixture::acting_user(), task, 1, BranchOnRestore::Keep)
        .await;
    assert!(matches!(refused, Err(EngineError::WorkspaceLocked { holder: Some(_), .. })));
    let cancel = TaskCommand::Cancel { reason: None };
    world.engine().commands().handle(EngineFixture::acting_user(), task, cancel).await.unwrap();
    world.settle().await.unwrap();
    assert!(world.load_task(task).await.run.is_none());
}

#[tokio::test]
async fn w_8_a_missing_worktree_is_recreated_with_its_last_files() {
    let world = EngineFixture::new().await;
    // The nested repository prevents the commit of the first execution's work.
    let script = "[ -d app ] || { git init -q app; echo in > app/f; echo loose > loose.txt; cd app; \
        git -c user.name=a -c user.email=a@b commit -q --allow-empty -m inner; }";
    let task = world.worked_task(script).await;
    let parked = world.load_task(task).await;
    assert_eq!(parked.annotation.unwrap().kind, AnnotationType::WorkspaceError);
    let workspace = parked.workspace.unwrap();
    let place = world.workspace_dir(task).await;
    std::fs::rename(&place, place.with_extension("taken")).unwrap();
    world.move_between(task, "blocked", "in_progress").await.unwrap();
    world.settle().await.unwrap();
    assert_eq!(std::fs::read_to_string(place.join("app/f")).unwrap(), "in\n");
    let committed = format!("{}:loose.txt", workspace.branch);
    assert_eq!(world.repository.git(&["show", &committed]).await, "loose");
    let events = tables::events::of_task(world.engine().db(), task).await.unwrap();
    assert!(events.iter().any(|event| event.kind == "workspace.restored"));
}

#[tokio::test]
async fn w_6_a_damaged_workspace_is_saved_before_its_task_parks() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo work > work.txt").await;
    let place = world.workspace_dir(task).await;
    std::fs::remove_file(place.join(".git")).unwrap();
    std::fs::write(place.join("late.txt"), "late\n").unwrap();
    world.move_between(task, "review", "in_progress").await.unwrap();
    world.settle().await.unwrap();
    let annotation = world.load_task(task).await.annotation.unwrap();
    assert_eq!(annotation.kind, AnnotationType::WorkspaceCorrupted);
    let entry = entries(&world, task).await.pop().unwrap();
    assert_eq!(entry.reason, JournalReason::Corrupted);
    assert_eq!(shown(&world, &entry, "late.txt").await, "late");
    assert!(place.join("late.txt").exists(), "nothing is overwritten");
}

#[tokio::test]
async fn w_14_old_entries_are_pruned_and_the_newest_stays() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo work > work.txt").await;
    let place = world.workspace_dir(task).await;
    for number in 0..3 {
        std::fs::write(place.join("work.txt"), format!("{number}\n")).unwrap();
        let pointer = BranchOnRestore::Keep;
        world
            .engine()
            .journal_restores()
            .restore_entry(EngineFixture::acting_user(), task, 1, pointer)
            .await
            .unwrap();
    }
    let before = entries(&world, task).await;
    assert!(before.len() > 2, "{before:?}");
    assert_eq!(world.engine().journals().prune_journals().await.unwrap(), 0, "all are young");
    world.clock.advance_to(world.clock.now().plus_seconds(40 * 86_400));
    assert_eq!(world.engine().journals().prune_journals().await.unwrap(), before.len() - 1);
    let left = entries(&world, task).await;
    assert_eq!(left.as_slice(), &before[before.len() - 1..]);
}

/// Issue 13, number 2: T-1 and T-2 start at one commit, T-1 lands, then T-2's workspace is reset and an earlier entry
/// restored.
async fn restored_after_another_landed(world: &EngineFixture, pointer: BranchOnRestore) -> TaskId {
    let project = world.board_project().await;
    let one = world
        .claimed_task(project, EngineFixture::task_request("One"), "one", "echo one > one.txt")
        .await;
    let two = world
        .claimed_task(project, EngineFixture::task_request("Two"), "two", "echo two > two.txt")
        .await;
    world.settle().await.unwrap();
    assert_eq!(world.land_task(one).await.state.as_str(), "done");
    world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), two, TaskCommand::ResetWorkspace)
        .await
        .unwrap();
    world.settle().await.unwrap();
    assert!(world.workspace_dir(two).await.join("one.txt").exists(), "it begins at the new tip");
    let done = world
        .engine()
        .journal_restores()
        .restore_entry(EngineFixture::acting_user(), two, 1, pointer)
        .await
        .unwrap();
    assert_eq!(done.conflicts, Vec::<String>::new());
    two
}

async fn main_has(world: &EngineFixture, path: &str) -> bool {
    let listed = world.repository.git(&["ls-tree", "--name-only", "main", "--", path]).await;
    !listed.is_empty()
}

#[tokio::test]
async fn issue_13_02_a_restore_onto_another_base_keeps_landed_work() {
    for pointer in [BranchOnRestore::Keep, BranchOnRestore::MoveToEntry] {
        let world = EngineFixture::new().await;
        let two = restored_after_another_landed(&world, pointer).await;
        let place = world.workspace_dir(two).await;
        assert_eq!(std::fs::read_to_string(place.join("two.txt")).unwrap(), "two\n");
        assert_eq!(place.join("one.txt").exists(), pointer == BranchOnRestore::Keep);
        world.claim_by_hand(two).await;
        world.move_to(two, "review").await;
        let landed = world.land_task(two).await;
        assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
        assert!(main_has(&world, "one.txt").await, "T-1's work is on main, {pointer:?}");
        assert!(main_has(&world, "two.txt").await, "so is T-2's, {pointer:?}");
    }
}

#[tokio::test]
async fn issue_13_02_a_branch_restored_to_an_entry_gets_its_base() {
    let world = EngineFixture::new().await;
    let first = world.repository.git(&["rev-parse", "main"]).await;
    let two = restored_after_another_landed(&world, BranchOnRestore::MoveToEntry).await;
    assert_eq!(world.load_task(two).await.workspace.unwrap().base, first);
}

#[tokio::test]
async fn issue_13_02_conflicts_of_a_restore_are_named_and_never_committed() {
    let world = EngineFixture::new().await;
    let project = world.board_project().await;
    let script = |text: &str| format!("echo {text} > shared.txt");
    let one = world
        .claimed_task(project, EngineFixture::task_request("One"), "one", &script("one"))
        .await;
    let two = world
        .claimed_task(project, EngineFixture::task_request("Two"), "two", &script("two"))
        .await;
    world.settle().await.unwrap();
    assert_eq!(world.land_task(one).await.state.as_str(), "done");
    world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), two, TaskCommand::ResetWorkspace)
        .await
        .unwrap();
    world.settle().await.unwrap();
    let stays = BranchOnRestore::Keep;
    let done = world
        .engine()
        .journal_restores()
        .restore_entry(EngineFixture::acting_user(), two, 1, stays)
        .await
        .unwrap();
    assert_eq!(done.conflicts, ["shared.txt"]);
    let place = world.workspace_dir(two).await;
    let marked = std::fs::read_to_string(place.join("shared.txt")).unwrap();
    assert!(marked.contains("<<<<<<<") && marked.contains("one") && marked.contains("two"));
    world.claim_by_hand(two).await;
    let parked = world.move_to(two, "review").await;
    let trouble = parked.annotation.expect("the conflict is not committed");
    assert!(trouble.message.contains("shared.txt"), "{}", trouble.message);
    // Undo by the entry that recorded the state before.
    let before = done.saved.unwrap().number;
    world
        .engine()
        .journal_restores()
        .restore_entry(EngineFixture::acting_user(), two, before, stays)
        .await
        .unwrap();
    assert_eq!(std::fs::read_to_string(place.join("shared.txt")).unwrap(), "one\n");
}

/// A parent whose first entry was saved before subtasks with these scripts landed on its branch, and which continued to
/// work.
async fn parent_of_landed_subtasks(world: &EngineFixture, scripts: &[&str]) -> TaskId {
    let parent = world.worked_task("printf 'a\\nb\\nc\\n' > own.txt").await;
    let project = world.board_project().await;
    for (number, script) in scripts.iter().enumerate() {
        let part = TaskSpec {
            parent: Some(parent),
            subtask: SubtaskRequest::Independent { onto_parent: true },
            ..EngineFixture::task_request(&format!("Part {number}"))
        };
        let part = world.claimed_task(project, part, &format!("part-{number}"), script).await;
        world.settle().await.unwrap();
        let landed = world.land_task(part).await;
        assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    }
    let place = TestRepository::open(&world.workspace_dir(parent).await);
    place.write("late.txt", "late\n");
    place.commit("its own work goes on").await;
    parent
}

#[tokio::test]
async fn issue_13_02_a_restore_keeps_what_subtasks_landed_on_the_branch() {
    let world = EngineFixture::new().await;
    let scripts = ["echo one > one.txt", "sed -i s/c/changed/ own.txt; echo two > two.txt"];
    let parent = parent_of_landed_subtasks(&world, &scripts).await;
    let stays = BranchOnRestore::Keep;
    let done = world
        .engine()
        .journal_restores()
        .restore_entry(EngineFixture::acting_user(), parent, 1, stays)
        .await
        .unwrap();
    assert_eq!(done.conflicts, Vec::<String>::new());
    let place = world.workspace_dir(parent).await;
    let read = |name: &str| std::fs::read_to_string(place.join(name)).unwrap();
    assert_eq!((read("one.txt"), read("two.txt")), ("one\n".to_owned(), "two\n".to_owned()));
    assert_eq!(read("own.txt"), "a\nb\nchanged\n");
    assert!(!place.join("late.txt").exists(), "its own later work is set back");

    let follows = BranchOnRestore::MoveToEntry;
    let refused = world
        .engine()
        .journal_restores()
        .restore_entry(EngineFixture::acting_user(), parent, 1, follows)
        .await;
    let refused = refused.expect_err("the branch would lose them").to_string();
    assert!(refused.contains("T-2, T-3"), "{refused}");
}

#[tokio::test]
async fn issue_13_02_conflicts_of_a_restore_with_subtasks_are_named() {
    let world = EngineFixture::new().await;
    let parent = parent_of_landed_subtasks(&world, &["sed -i s/b/one/ own.txt"]).await;
    let stays = BranchOnRestore::Keep;
    let place = TestRepository::open(&world.workspace_dir(parent).await);
    // The newest entry differs in the line that lands after it.
    place.write("own.txt", "a\nmine\nc\n");
    let restored = world
        .engine()
        .journal_restores()
        .restore_entry(EngineFixture::acting_user(), parent, 1, stays)
        .await
        .unwrap();
    let saved = restored.saved.expect("what was there").number;
    let project = world.board_project().await;
    let part = TaskSpec {
        parent: Some(parent),
        subtask: SubtaskRequest::Independent { onto_parent: true },
        ..EngineFixture::task_request("Last part")
    };
    place.git(&["checkout", "--quiet", "--", "."]).await;
    let part = world.claimed_task(project, part, "last", "sed -i s/one/last/ own.txt").await;
    world.settle().await.unwrap();
    assert_eq!(world.land_task(part).await.state.as_str(), "done");
    let done = world
        .engine()
        .journal_restores()
        .restore_entry(EngineFixture::acting_user(), parent, saved, stays)
        .await
        .unwrap();
    assert_eq!(done.conflicts, ["own.txt"]);
    let marked = std::fs::read_to_string(place.path().join("own.txt")).unwrap();
    for side in ["<<<<<<<", "mine", "last"] {
        assert!(marked.contains(side), "{marked}");
    }
}

#[tokio::test]
async fn issue_13_02_a_fork_lands_the_entry_and_keeps_landed_work() {
    let world = EngineFixture::new().await;
    let project = world.board_project().await;
    let one = world
        .claimed_task(project, EngineFixture::task_request("One"), "one", "echo one > one.txt")
        .await;
    let two = world
        .claimed_task(project, EngineFixture::task_request("Two"), "two", "echo two > two.txt")
        .await;
    world.settle().await.unwrap();
    assert_eq!(world.land_task(one).await.state.as_str(), "done");
    let fork = world
        .engine()
        .journal_restores()
        .fork_entry(EngineFixture::acting_user(), two, 1, None)
        .await
        .unwrap()
        .id;
    let agent = world.agent("three", "echo three > three.txt").await.unwrap();
    world.claim(fork, agent).await.unwrap();
    world.settle().await.unwrap();
    let landed = world.land_task(fork).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    for path in ["one.txt", "two.txt", "three.txt"] {
        assert!(main_has(&world, path).await, "{path}");
    }
}

#[tokio::test]
async fn issue_13_02_a_branch_that_reverts_landed_work_declares_it_or_does_not_land() {
    let world = EngineFixture::new().await;
    let project = world.board_project().await;
    let one = world
        .claimed_task(project, EngineFixture::task_request("One"), "one", "echo one > one.txt")
        .await;
    let two = world
        .claimed_task(project, EngineFixture::task_request("Two"), "two", "echo two > two.txt")
        .await;
    world.settle().await.unwrap();
    assert_eq!(world.land_task(one).await.state.as_str(), "done");
    // An old tree on a new base, as an agent makes it with `git reset --soft main`.
    let worktree = TestRepository::open(&world.workspace_dir(two).await);
    worktree.git(&["reset", "--quiet", "--soft", "main"]).await;
    worktree.git(&["commit", "--quiet", "-m", "Two again"]).await;
    let now = world.load_task(two).await;
    let diff = world
        .engine()
        .workspace_views()
        .diff(&now, DiffScope::All, DiffLimits::default())
        .await
        .unwrap();
    assert_eq!(diff.deletes_landed, ["one.txt"]);
    world.move_to(two, "in_progress").await;
    world.settle().await.unwrap();
    let parked = world.land_task(two).await;
    let trouble = parked.annotation.expect("it does not land silently");
    assert_eq!(trouble.kind, AnnotationType::RevertsLanded);
    assert_eq!(trouble.details["files"], serde_json::json!(["one.txt"]));
    assert!(main_has(&world, "one.txt").await && !main_has(&world, "two.txt").await);

    let message = "Drop it\n\nForge-Reverts: one.txt";
    worktree.git(&["commit", "--quiet", "--allow-empty", "-m", message]).await;
    world.move_to(two, "in_progress").await;
    world.settle().await.unwrap();
    let landed = world.land_task(two).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    assert!(!main_has(&world, "one.txt").await && main_has(&world, "two.txt").await);
}

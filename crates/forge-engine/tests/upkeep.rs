//! The end of a workspace: resets, recoveries, cleanups.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

use forge_domain::task::{AnnotationType, TaskSnapshot, WorkspaceStatus};
use forge_domain::{Refusal, TaskCommand, TaskId};
use forge_engine::{DirectorySize, EngineError, FaultAction, OrphanCause, RemovalDecision};
use forge_store::tables;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use std::path::{Path, PathBuf};

async fn reset(world: &EngineFixture, task: TaskId) -> Result<TaskSnapshot, EngineError> {
    world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), task, TaskCommand::ResetWorkspace)
        .await?;
    world.settle().await?;
    world.engine().records().task(task).await
}

async fn kinds(world: &EngineFixture, task: TaskId) -> Vec<String> {
    let events = tables::events::of_task(world.engine().db(), task).await.unwrap();
    events.into_iter().map(|event| event.kind).collect()
}

#[tokio::test]
async fn w_9_a_reset_takes_its_five_steps_and_keeps_the_old_work() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo old > old.txt").await;
    let old = world.load_task(task).await.workspace.unwrap();
    std::fs::write(Path::new(&old.path).join("loose.txt"), "not committed\n").unwrap();
    world.repository.write("moved.txt", "the target went on\n");
    world.repository.commit("second").await;
    world.move_to(task, "blocked").await;

    let task = reset(&world, task).await.unwrap();
    let new = task.workspace.clone().unwrap();
    assert_eq!(new.status, WorkspaceStatus::Ready);
    assert!(!Path::new(&new.path).join("old.txt").exists(), "step 1: the old directory is gone");
    let list = world.repository.git(&["worktree", "list", "--porcelain"]).await;
    assert_eq!(list.matches("worktree ").count(), 2, "step 2: one record, the new one: {list}");
    assert_ne!(new.base, old.base, "step 3: another record");
    assert_eq!(task.annotation, None, "step 4");
    assert!(Path::new(&new.path).join("moved.txt").exists(), "step 5: from the default branch");
    assert_eq!((task.state.as_str(), task.claimable), ("todo", true));
    let kept = world.repository.git(&["log", "--all", "--format=%s", "--name-only"]).await;
    assert!(kept.contains("old.txt") && kept.contains("loose.txt"), "P-1: {kept}");

    let again = world.claim_again(task.id, "coder").await;
    assert_eq!(again.workspace.unwrap().path, new.path, "it is used");
}

#[tokio::test]
async fn w_8_a_missing_directory_is_recreated_from_its_branch() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo kept > kept.txt").await;
    let path = world.workspace_dir(task).await;
    std::fs::remove_dir_all(&path).unwrap();
    world.move_to(task, "todo").await;
    world.claim_again(task, "coder").await;
    assert_eq!(std::fs::read_to_string(path.join("kept.txt")).unwrap(), "kept\n");
    let kinds = kinds(&world, task).await;
    assert_eq!(kinds.iter().filter(|kind| *kind == "workspace.recovered").count(), 1, "{kinds:?}");
    assert_eq!(world.load_task(task).await.annotation, None, "no person had to act");
}

#[tokio::test]
async fn w_8_without_directory_and_branch_the_record_is_removed_and_a_reset_repairs_it() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo x > x.txt").await;
    let old = world.load_task(task).await.workspace.unwrap();
    std::fs::remove_dir_all(&old.path).unwrap();
    world.repository.git(&["worktree", "prune"]).await;
    world.repository.git(&["branch", "--delete", "--force", &old.branch]).await;
    world.move_to(task, "todo").await;
    let parked = world.claim_again(task, "coder").await;
    assert_eq!((parked.state.as_str(), parked.workspace), ("blocked", None));
    let trouble = parked.annotation.unwrap();
    assert_eq!(trouble.kind, AnnotationType::WorkspaceResetRequired);
    let task = reset(&world, task).await.unwrap();
    assert_eq!((task.state.as_str(), task.annotation), ("todo", None));
    assert_eq!(task.workspace.unwrap().branch, old.branch, "the name is free again");
}

#[tokio::test]
async fn issue_13_21_without_directory_and_branch_a_landing_asks_for_a_reset() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo x > x.txt").await;
    let old = world.load_task(task).await.workspace.unwrap();
    std::fs::remove_dir_all(&old.path).unwrap();
    world.repository.git(&["worktree", "prune"]).await;
    world.repository.git(&["branch", "--delete", "--force", &old.branch]).await;
    let parked = world.land_task(task).await;
    assert_eq!((parked.state.as_str(), parked.workspace), ("blocked", None));
    let trouble = parked.annotation.unwrap();
    assert_eq!(trouble.kind, AnnotationType::WorkspaceResetRequired, "{}", trouble.message);
    let task = reset(&world, task).await.unwrap();
    assert_eq!((task.state.as_str(), task.annotation), ("todo", None));
}

#[tokio::test]
async fn issue_13_21_stale_locks_of_journals_are_removed_at_the_start() {
    let mut world = EngineFixture::new().await;
    let task = world.worked_task("echo x > x.txt").await;
    let journal = world.repository.path().join(format!(".git/refs/forge/journal/{task}"));
    // As a git killed in the middle of pruning leaves it.
    let lock = journal.join("1.lock");
    std::fs::write(&lock, "").unwrap();
    world.restart().await;
    world.settle().await.unwrap();
    assert!(!lock.exists());
}

#[tokio::test]
async fn w_6_a_corrupted_workspace_says_what_was_found_and_can_be_reset() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("rm .git; git init --quiet; echo mine > mine.txt").await;
    let parked = world.load_task(task).await;
    let trouble = parked.annotation.unwrap();
    assert_eq!(trouble.kind, AnnotationType::WorkspaceCorrupted);
    let found = trouble.details["found"].as_str().unwrap();
    assert!(found.contains("does not point to the repository any more"), "{found}");
    let files = std::fs::read_to_string(world.workspace_dir(task).await.join("mine.txt")).unwrap();
    assert_eq!(files, "mine\n", "nothing is overwritten");
    let task = reset(&world, task).await.unwrap();
    assert_eq!((task.state.as_str(), task.annotation), ("todo", None));
    assert!(!Path::new(&task.workspace.unwrap().path).join("mine.txt").exists());
}

#[tokio::test]
async fn w_9_a_workspace_in_use_is_not_reset() {
    let world = EngineFixture::new().await;
    let task =
        world.task(world.board_project().await, EngineFixture::task_request("Mine")).await.unwrap();
    let none = reset(&world, task).await;
    assert!(matches!(none, Err(EngineError::Refused(Refusal::WorkspaceMissing { .. }))));
    world.claim_by_hand(task).await;
    let refused = reset(&world, task).await;
    let Err(EngineError::Refused(Refusal::WorkspaceLocked { holder, .. })) = refused else {
        panic!("{refused:?}")
    };
    assert!(holder.contains("coder"), "{holder}");
}

/// Worked on, then reset, then worked on again, with a death or failure at each point.
async fn reset_scenario(world: &EngineFixture) -> Result<TaskId, EngineError> {
    let project = world.project("Board", EngineFixture::workflow("default")).await?;
    let agent = world.agent("coder", "echo old >> old.txt").await?;
    let task = world.task(project, EngineFixture::task_request("Walk")).await?;
    world.claim(task, agent).await?;
    world.settle().await?;
    if world.engine().records().task(task).await?.state.as_str() == "review" {
        world
            .engine()
            .commands()
            .handle(EngineFixture::acting_user(), task, TaskCommand::ResetWorkspace)
            .await?;
    }
    world.settle().await?;
    Ok(task)
}

async fn swept(faults: FaultSweep) -> (String, Vec<&'static str>) {
    let mut world = EngineFixture::with(faults, None).await;
    let (sweep, died) = (world.faults.clone(), world.faults.died());
    for _ in 0..3 {
        let ended = tokio::select! {
            biased;
            () = died.cancelled(), if !died.is_cancelled() => None,
            ended = reset_scenario(&world) => Some(ended),
        };
        let task = match ended {
            Some(Ok(task)) => task,
            Some(Err(EngineError::Planned(_))) => continue,
            Some(Err(error)) => panic!("the scenario failed by itself: {error}"),
            None => {
                world.restart().await;
                continue;
            }
        };
        let task = world.load_task(task).await;
        let workspace = task.workspace.clone().unwrap();
        let kept = world.repository.git(&["log", "--all", "--format=", "--name-only"]).await;
        let list = world.repository.git(&["worktree", "list"]).await;
        let old = Path::new(&workspace.path).join("old.txt").exists();
        let end = format!(
            "{} {:?} {} old there: {old} old kept: {} worktrees: {}",
            task.state,
            workspace.status,
            workspace.branch,
            kept.contains("old.txt"),
            list.lines().count(),
        );
        return (end, sweep.passed());
    }
    panic!("the scenario never gets through");
}

#[tokio::test]
async fn p_4_w_9_a_reset_that_dies_anywhere_ends_the_same() {
    let (expected, points) = swept(FaultSweep::counting()).await;
    let wanted = "todo Ready forge/1-walk old there: false old kept: true worktrees: 2";
    assert_eq!(expected, wanted);
    let begin = points.iter().position(|point| point.starts_with("clean.")).expect("it removes");
    for fault in [FaultAction::Die, FaultAction::Fail] {
        for (nth, point) in points.iter().enumerate().skip(begin - 1) {
            let (found, _) = swept(FaultSweep::injecting_at_index(nth, fault)).await;
            assert_eq!(found, expected, "{fault:?} at point {nth} ({point})");
        }
    }
}

/// W-7, P-4: killed after the files are moved and before git knows; no fault point lies in between.
#[tokio::test]
async fn w_7_p_4_gits_record_is_removed_though_the_removal_died_before_it() {
    let mut world =
        EngineFixture::with(FaultSweep::injecting_at("clean.saved", FaultAction::Die), None).await;
    let death = world.faults.died();
    let scenario = async {
        let task = world.worked_task("echo x > x.txt").await;
        world.land_task(task).await;
    };
    tokio::select! {
        biased;
        () = death.cancelled() => {}
        () = scenario => panic!("it should have died"),
    }
    let staged: Vec<_> = std::fs::read_dir(world.workspaces().join(".removing")).unwrap().collect();
    assert_eq!(staged.len(), 1, "its removal was staged");
    for entry in staged {
        std::fs::remove_dir_all(entry.unwrap().path()).unwrap();
    }
    world.restart().await;
    world.settle().await.unwrap();
    let listed = world.repository.git(&["worktree", "list"]).await;
    assert_eq!(listed.lines().count(), 1, "only the person's own is left: {listed}");
}

/// A directory in the way that cannot be renamed, even by root.
struct Obstacle(PathBuf);

impl Obstacle {
    /// Takes the place of the trash, so that nothing can be moved there.
    fn put(world: &EngineFixture) -> Self {
        let trash = world.workspaces().join(".trash");
        std::fs::remove_dir_all(&trash).ok();
        std::fs::write(&trash, "not a directory").unwrap();
        Self(trash)
    }

    fn remove(self) {
        std::fs::remove_file(self.0).unwrap();
    }
}

#[tokio::test]
async fn w_7_success_removes_the_workspace_in_the_same_request() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo x > x.txt").await;
    let path = world.workspace_dir(task).await;
    let task = world.move_to(task, "merging").await;
    assert_eq!(task.workspace.unwrap().status, WorkspaceStatus::Cleaned);
    assert!(!path.exists());
    assert!(kinds(&world, task.id).await.contains(&"workspace.cleaned".to_owned()));
}

#[tokio::test]
async fn w_7_a_removal_that_fails_never_reverses_the_merge_and_is_tried_again() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo x > x.txt").await;
    let path = world.workspace_dir(task).await;
    let obstacle = Obstacle::put(&world);
    world.request_move(task, "merging").await;
    world.engine().drain().await.unwrap();
    let done = world.load_task(task).await;
    assert_eq!((done.state.as_str(), done.annotation), ("done", None));
    assert_eq!(done.workspace.unwrap().status, WorkspaceStatus::Error);
    assert_eq!(world.repository.subjects("main").await, ["Work (T-1)", "first"]);
    assert!(kinds(&world, task).await.contains(&"workspace.error".to_owned()));
    let tries = |steps: Vec<tables::effects::EffectRow>| steps.last().unwrap().attempts;
    let steps = tables::effects::list_of_task(world.engine().db(), task).await.unwrap();
    let before = tries(steps);
    let waits = tables::effects::next_due_at(world.engine().db()).await.unwrap().unwrap();
    world.clock.advance_to(waits);
    world.engine().drain().await.unwrap();
    let steps = tables::effects::list_of_task(world.engine().db(), task).await.unwrap();
    assert!(tries(steps) > before, "it is tried again, later each time");
    obstacle.remove();
    world.settle().await.unwrap();
    assert_eq!(world.load_task(task).await.workspace.unwrap().status, WorkspaceStatus::Cleaned);
    assert!(!path.exists());
}

#[tokio::test]
async fn w_7_a_claim_does_not_wait_for_a_removal_that_fails() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("sed -i s/two/MINE/ numbers.txt").await;
    world.repository.write("numbers.txt", "one\nTHEIRS\nthree\n");
    world.repository.commit("theirs").await;
    let obstacle = Obstacle::put(&world);
    world.request_move(task, "merging").await;
    world.engine().drain().await.unwrap();
    let failed = world.load_task(task).await;
    assert_eq!(failed.state.as_str(), "merge_failed");
    assert_eq!(failed.workspace.unwrap().status, WorkspaceStatus::Error);
    // No time passes from here: waiting retries stay waiting.
    world.request_move(task, "in_progress").await;
    world.engine().drain().await.unwrap();
    let again = world.load_task(task).await;
    assert_eq!(again.state.as_str(), "review", "the turn ran: {:?}", again.annotation);
    assert_eq!(again.workspace.unwrap().status, WorkspaceStatus::Ready);
    obstacle.remove();
}

#[tokio::test]
async fn w_7_merge_failed_removes_the_worktree_at_once_and_the_next_claim_makes_it_again() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("sed -i s/two/MINE/ numbers.txt").await;
    world.repository.write("numbers.txt", "one\nTHEIRS\nthree\n");
    world.repository.commit("theirs").await;
    let path = world.workspace_dir(task).await;
    let failed = world.move_to(task, "merging").await;
    assert_eq!(failed.state.as_str(), "merge_failed");
    let workspace = failed.workspace.unwrap();
    assert_eq!(workspace.status, WorkspaceStatus::Cleaned);
    assert!(!path.exists());
    world.repository.git(&["rev-parse", "--verify", &workspace.branch]).await;
    world.move_to(task, "todo").await;
    let again = world.claim_again(task, "coder").await.workspace.unwrap();
    assert_eq!(
        (again.path.as_str(), again.status),
        (workspace.path.as_str(), WorkspaceStatus::Ready)
    );
    assert!(!kinds(&world, task).await.contains(&"workspace.recovered".to_owned()), "as planned");
}

async fn ended_in(world: &EngineFixture, seconds: Option<u64>) -> (TaskId, PathBuf) {
    let mut definition = EngineFixture::workflow("default");
    let mut dropped = definition.state.last().unwrap().clone();
    dropped.name = "dropped".to_owned();
    dropped.cleanup = seconds.and(dropped.cleanup);
    dropped.cleanup_seconds = seconds;
    definition.state.push(dropped);
    let working = definition.state.iter_mut().find(|state| state.name == "review").unwrap();
    working.manual.push("dropped".to_owned());
    let project = world.project("Custom", definition).await.unwrap();
    let task = world
        .claimed_task(project, EngineFixture::task_request("Work"), "coder", "echo x > x.txt")
        .await;
    world.settle().await.unwrap();
    let path = world.workspace_dir(task).await;
    world.request_move(task, "dropped").await;
    world.engine().drain().await.unwrap();
    (task, path)
}

#[tokio::test]
async fn w_7_a_custom_terminal_state_cleans_at_once_unless_it_says_otherwise() {
    let world = EngineFixture::new().await;
    let (_, path) = ended_in(&world, None).await;
    assert!(!path.exists());
}

#[tokio::test]
async fn w_7_a_custom_terminal_state_can_wait_as_long_as_it_says() {
    let world = EngineFixture::new().await;
    let (task, path) = ended_in(&world, Some(5000)).await;
    assert!(path.exists());
    let due = tables::effects::next_due_at(world.engine().db()).await.unwrap().unwrap();
    assert_eq!(due.millis() - world.load_task(task).await.updated_at.millis(), 5_000_000);
    world.clock.advance_to(due);
    world.engine().drain().await.unwrap();
    assert!(!path.exists());
}

#[tokio::test]
async fn w_10_directories_without_a_live_task_are_reported_and_left_alone() {
    let mut world = EngineFixture::new().await;
    let task = world.worked_task("echo x > x.txt").await;
    let lost = world.workspaces().join("left-behind");
    std::fs::create_dir_all(lost.join("deep")).unwrap();
    std::fs::write(lost.join("deep/file"), "somebody's\n").unwrap();
    let stray = world.workspaces().join("stray");
    let path = stray.to_str().unwrap();
    world.repository.git(&["worktree", "add", "--quiet", path, "-b", "stray"]).await;
    std::fs::write(world.workspaces().join("a-file"), "no directory").unwrap();
    let orphans = world.engine().workspace_cleanup().list_orphans().await.unwrap();
    let names: Vec<_> = orphans.iter().map(|orphan| orphan.path.clone()).collect();
    assert_eq!(names, [lost.canonicalize().unwrap(), stray.canonicalize().unwrap()]);
    let (one, two) = (&orphans[0], &orphans[1]);
    assert_eq!((&one.cause, &one.recorded_by), (&OrphanCause::NoTask, &None));
    assert_eq!(one.extent.size, DirectorySize::Small);
    assert!(one.extent.changed_at.is_some());
    assert_eq!(two.recorded_by.as_deref(), Some("repo"), "git knows this one");

    // Its task has ended and a removal is planned, so it is not an orphan.
    world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), task, TaskCommand::Cancel { reason: None })
        .await
        .unwrap();
    world.engine().drain().await.unwrap();
    assert_eq!(world.engine().workspace_cleanup().list_orphans().await.unwrap().len(), 2);
    world.restart().await;
    assert!(lost.join("deep/file").exists() && stray.exists(), "never deleted by themselves");
}

#[tokio::test]
async fn w_10_a_workspace_in_creation_is_no_orphan() {
    let world = EngineFixture::with(FaultSweep::counting(), None).await;
    let task = world.worked_task("echo x > x.txt").await;
    let points = world.faults.passed();
    let added = points.iter().position(|point| *point == "workspace.added").expect("a point");
    let died =
        EngineFixture::with(FaultSweep::injecting_at_index(added, FaultAction::Die), None).await;
    let scenario = async {
        died.worked_task("echo x > x.txt").await;
    };
    let death = died.faults.died();
    tokio::select! {
        biased;
        () = death.cancelled() => {}
        () = scenario => panic!("it should have died"),
    }
    let mut world_after = died;
    world_after.restart().await;
    assert_eq!(world_after.engine().workspace_cleanup().list_orphans().await.unwrap(), []);
    assert_eq!(world.load_task(task).await.annotation, None);
}

#[tokio::test]
async fn w_7_a_removal_preview_lists_removals_blockers_and_saved_work() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo x > x.txt").await;
    let path = world.workspace_dir(task).await;
    std::fs::write(path.join("loose.txt"), "not committed\n").unwrap();
    let consider = async || {
        let task = world.load_task(task).await;
        world
            .engine()
            .workspace_cleanup()
            .preview_removal(EngineFixture::acting_user(), task)
            .await
            .unwrap()
    };
    let found = consider().await;
    assert!(
        matches!(&found.verdict, RemovalDecision::Allowed { why } if why.contains("its branch stays"))
    );
    let place = found.saved_under.expect("loose.txt is in no commit");
    assert!(path.exists(), "nothing happened");
    world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), task, TaskCommand::CleanWorkspace)
        .await
        .unwrap();
    world.settle().await.unwrap();
    assert!(!path.exists());
    let kept = world
        .repository
        .git(&["log", "--format=", "--name-only", &format!("--glob={place}*")])
        .await;
    assert!(kept.contains("loose.txt"), "kept where it said: {kept}");
    let found = consider().await;
    assert!(
        matches!(&found.verdict, RemovalDecision::Blocked { by } if by.contains("no workspace"))
    );
}

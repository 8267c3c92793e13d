//! A branch that is brought up to its target (M-9), and work that is taken back after it landed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{AnnotationType, MergeConfig, MergeStrategy, Snapshot, WorkspaceStatus};
use forge_domain::{Command, Inverted, Rebased, Refusal, TaskId};
use forge_engine::{EngineError, NewTask};
use forge_testkit::repository::Repository;
use forge_testkit::world::World;
use std::path::Path;

/// Writes its own line, and brings both sides together where it finds git's marks.
const RESOLVES: &str = "if grep -q '^<<<<<<<' shared.txt 2>/dev/null; then \
    cp \"$FORGE_PROMPT_FILE\" \"$HOME/prompt\"; echo both > shared.txt; \
    else echo mine > shared.txt; fi";

fn with(strategy: MergeStrategy, title: &str) -> NewTask {
    let merge_config = MergeConfig { target_branch: None, strategy };
    NewTask { merge_config, ..World::titled(title) }
}

async fn refused(world: &World, task: TaskId) -> Refusal {
    match world.engine().rebase(World::person(), task, None).await {
        Err(EngineError::Refused(refusal)) => refusal,
        other => panic!("it is refused: {other:?}"),
    }
}

async fn theirs(world: &World, name: &str, content: &str) {
    world.repository.write(name, content);
    world.repository.git(&["add", "."]).await;
    world.repository.commit(&format!("their {name}")).await;
}

fn shown(task: &Snapshot) -> String {
    format!("{} {:?}", task.state, task.annotation)
}

/// The whole way: it does not fit, its target is merged in, its agent resolves it, it lands.
#[tokio::test]
async fn m_9_a_conflict_is_given_to_the_agent_in_its_workspace_and_lands_resolved() {
    for strategy in [MergeStrategy::Squash, MergeStrategy::Rebase] {
        let world = World::new().await;
        let task = world.worked_on(with(strategy, "Work"), RESOLVES).await;
        let before = world.now(task).await;
        let refusal = refused(&world, task).await;
        assert!(matches!(refusal, Refusal::UpToDate { .. }), "{refusal}");
        assert_eq!(world.now(task).await, before, "nothing was changed");

        theirs(&world, "shared.txt", "theirs\n").await;
        let failed = world.landed(task).await;
        assert_eq!(failed.state.as_str(), "merge_failed", "{}", shown(&failed));
        assert_eq!(failed.workspace.unwrap().status, WorkspaceStatus::Cleaned);

        let said = Some("keep both".to_owned());
        world.engine().rebase(World::person(), task, said).await.unwrap();
        world.settle().await.unwrap();
        let done = world.now(task).await;
        assert_eq!(done.state.as_str(), "review", "{}", shown(&done));
        match done.aftermath.rebased.as_ref().unwrap() {
            Rebased::Conflict { files, hunks, .. } => {
                assert_eq!(files, &["shared.txt"]);
                assert!(hunks[0].text.contains("mine") && hunks[0].text.contains("theirs"));
            }
            other => panic!("{other:?}"),
        }
        let prompt = world.lines("prompt").join("\n");
        assert!(prompt.contains("shared.txt") && prompt.contains("keep both"), "{prompt}");

        let landed = world.landed(task).await;
        assert_eq!(landed.state.as_str(), "done", "{}", shown(&landed));
        assert_eq!(world.repository.git(&["show", "main:shared.txt"]).await, "both");
        let subjects = world.repository.subjects("main").await;
        assert_eq!(subjects[1..], ["their shared.txt", "first"], "{subjects:?}");
        let merges = world.repository.git(&["rev-list", "--merges", "--count", "main"]).await;
        assert_eq!(merges.trim(), "0");
    }
}

/// What nobody committed is kept, and what fits is merged and committed.
#[tokio::test]
async fn m_9_w_14_what_fits_is_merged_in_and_nothing_is_lost() {
    let world = World::new().await;
    let task = world.worked("echo one >> work.txt").await;
    let place = world.directory(task).await;
    theirs(&world, "other.txt", "theirs\n").await;
    std::fs::write(place.join("loose.txt"), "loose\n").unwrap();
    world.engine().rebase(World::person(), task, None).await.unwrap();
    world.settle().await.unwrap();
    let done = world.now(task).await;
    assert_eq!(done.state.as_str(), "review", "its coder took another turn: {}", shown(&done));
    assert!(matches!(done.aftermath.rebased, Some(Rebased::Merged { .. })));
    let tree = Repository::at(&place);
    assert_eq!(tree.git(&["log", "-1", "--format=%P", "--merges"]).await.split(' ').count(), 2);
    for file in ["loose.txt", "other.txt", "work.txt"] {
        assert!(place.join(file).exists(), "{file}");
    }
    assert_eq!(tree.git(&["status", "--porcelain"]).await, "");
    let refs = world.repository.git(&["for-each-ref", "refs/forge/journal"]).await;
    assert!(!refs.is_empty());
    let cancelled = Command::Cancel { reason: None };
    world.engine().handle(World::person(), task, cancelled).await.unwrap();
    world.settle().await.unwrap();
    assert!(matches!(refused(&world, task).await, Refusal::TaskTerminal { .. }));
}

async fn revert(world: &World, task: TaskId) -> (Snapshot, bool) {
    let made = world.engine().revert(World::person(), task).await.unwrap();
    world.settle().await.unwrap();
    (world.now(made.task.id).await, made.made)
}

const TWO_COMMITS: &str = "git config user.name A; git config user.email a@localhost; \
    echo 1 > one; git add one; git commit -qm first-half; \
    echo 2 > two; git add two; git commit -qm second-half";

/// However it landed, all of it is taken back, by a task that goes through the gate.
#[tokio::test]
async fn m_6_what_landed_is_taken_back_whole_whatever_the_strategy() {
    for strategy in [MergeStrategy::Squash, MergeStrategy::Merge, MergeStrategy::Rebase] {
        let world = World::new().await;
        let tree = world.repository.git(&["rev-parse", "main^{tree}"]).await;
        let task = world.worked_on(with(strategy, "Work"), TWO_COMMITS).await;
        let early = world.engine().revert(World::person(), task).await.unwrap_err();
        assert!(matches!(early, EngineError::Refused(Refusal::NotLanded { .. })), "{early}");
        let landed = world.landed(task).await;
        assert_eq!(landed.state.as_str(), "done", "{}", shown(&landed));
        theirs(&world, "later.txt", "later\n").await;

        let (first, made) = revert(&world, task).await;
        assert!(made);
        assert_eq!(first.title, "Revert \"Work\"");
        assert_eq!(first.state.as_str(), "review", "{}", shown(&first));
        assert_eq!(first.roles, landed.roles);
        assert!(matches!(first.aftermath.inverted, Some(Inverted::Clean { .. })));
        assert_eq!(world.now(task).await.aftermath.reverted_by, Some(first.id));
        let (again, made) = revert(&world, task).await;
        assert_eq!((again.id, made), (first.id, false), "it is named, not made again");

        let done = world.landed(first.id).await;
        assert_eq!(done.state.as_str(), "done", "{}", shown(&done));
        let files = world.repository.git(&["ls-tree", "--name-only", "main"]).await;
        assert!(!files.contains("one") && !files.contains("two"), "{files}");
        world.repository.git(&["rm", "-q", "later.txt"]).await;
        let now = world.repository.git(&["write-tree"]).await;
        assert_eq!(now, tree, "exactly what was there before");
    }
}

/// What is gone already needs no task; what was called off can be asked for again.
#[tokio::test]
async fn m_8_what_is_not_there_any_more_is_not_taken_back() {
    let world = World::new().await;
    let task = world.worked("echo new > new.txt").await;
    assert_eq!(world.landed(task).await.state.as_str(), "done");
    let (first, _) = revert(&world, task).await;
    let cancelled = Command::Cancel { reason: None };
    world.engine().handle(World::person(), first.id, cancelled).await.unwrap();
    world.settle().await.unwrap();
    let (second, made) = revert(&world, task).await;
    assert!(made && second.id != first.id);
    world
        .engine()
        .handle(World::person(), second.id, Command::Cancel { reason: None })
        .await
        .unwrap();
    world.settle().await.unwrap();
    world.repository.git(&["revert", "--no-edit", "HEAD"]).await;
    let error = world.engine().revert(World::person(), task).await.unwrap_err();
    assert!(matches!(error, EngineError::Refused(Refusal::NothingToRevert { .. })), "{error}");
}

/// Later work in the same place: both sides wait in the workspace, and its coder can resolve it.
#[tokio::test]
async fn m_9_a_revert_that_meets_later_work_leaves_both_sides_in_its_workspace() {
    let world = World::new().await;
    theirs(&world, "shared.txt", "before\n").await;
    let task = world.worked(RESOLVES).await;
    assert_eq!(world.landed(task).await.state.as_str(), "done");
    theirs(&world, "shared.txt", "later\n").await;
    let (stuck, _) = revert(&world, task).await;
    assert_eq!(stuck.state.as_str(), "blocked", "{}", shown(&stuck));
    let trouble = stuck.annotation.as_ref().unwrap();
    assert_eq!(trouble.kind, AnnotationType::MergeConflict);
    assert_eq!(trouble.details["files"], serde_json::json!(["shared.txt"]));
    let place = stuck.workspace.clone().unwrap().path;
    let text = std::fs::read_to_string(Path::new(&place).join("shared.txt")).unwrap();
    assert!(text.contains("<<<<<<<") && text.contains("later"), "{text}");
    let resolved = world.move_to(stuck.id, "in_progress").await;
    assert_eq!(resolved.state.as_str(), "review", "{}", shown(&resolved));
    let done = world.landed(stuck.id).await;
    assert_eq!(done.state.as_str(), "done", "{}", shown(&done));
    assert_eq!(world.repository.git(&["show", "main:shared.txt"]).await, "both");
}

/// A person's word is enough: the landed task says so, and somebody has to mend it.
#[tokio::test]
async fn m_10_a_regression_is_told_and_given_to_somebody_once() {
    let world = World::new().await;
    let task = world.worked("echo new > new.txt").await;
    let engine = world.engine();
    let early = engine.regress(World::person(), task, "slow".to_owned()).await.unwrap_err();
    assert!(matches!(early, EngineError::Refused(Refusal::NotLanded { .. })), "{early}");
    assert_eq!(world.landed(task).await.state.as_str(), "done");
    let empty = engine.regress(World::person(), task, " ".to_owned()).await.unwrap_err();
    assert!(matches!(empty, EngineError::Refused(Refusal::InvalidField { .. })), "{empty}");
    let made = engine.regress(World::person(), task, "it is slow".to_owned()).await.unwrap();
    assert!(made.made);
    assert_eq!(made.task.state.as_str(), "todo", "it waits to be claimed");
    for part in ["T-1", "it is slow", "new.txt"] {
        assert!(made.task.description.contains(part), "{part}: {}", made.task.description);
    }
    let again = engine.regress(World::person(), task, "still slow".to_owned()).await.unwrap();
    assert_eq!((again.task.id, again.made), (made.task.id, false));
    let landed = world.now(task).await;
    assert_eq!(landed.annotation.unwrap().kind, AnnotationType::Regressed);
    assert_eq!(landed.aftermath.regression.unwrap().fix, made.task.id);
}

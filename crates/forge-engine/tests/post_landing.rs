//! Rebasing a branch onto its target (M-9), and reverting landed work.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{
    AnnotationType, MergeConfig, MergeStrategy, TaskSnapshot, WorkspaceStatus,
};
use forge_domain::{RebaseResult, Refusal, RevertResult, TaskCommand, TaskId};
use forge_engine::{EngineError, TaskSpec};
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::test_repository::TestRepository;
use std::path::Path;

/// Writes its own line, and resolves both sides where it finds conflict markers.
const RESOLVES: &str = "if grep -q '^<<<<<<<' shared.txt 2>/dev/null; then \
    cp \"$FORGE_PROMPT_FILE\" \"$HOME/prompt\"; echo both > shared.txt; \
    else echo mine > shared.txt; fi";

fn with(strategy: MergeStrategy, title: &str) -> TaskSpec {
    let merge_config = MergeConfig { target_branch: None, strategy };
    TaskSpec { merge_config, ..EngineFixture::task_request(title) }
}

async fn refused(world: &EngineFixture, task: TaskId) -> Refusal {
    match world.engine().post_landing().rebase(EngineFixture::acting_user(), task, None).await {
        Err(EngineError::Refused(refusal)) => refusal,
        other => panic!("it is refused: {other:?}"),
    }
}

async fn theirs(world: &EngineFixture, name: &str, content: &str) {
    world.repository.write(name, content);
    world.repository.git(&["add", "."]).await;
    world.repository.commit(&format!("their {name}")).await;
}

fn shown(task: &TaskSnapshot) -> String {
    format!("{} {:?}", task.state, task.annotation)
}

/// The whole path: the branch conflicts, its target is merged in, its agent resolves the conflict, it lands.
#[tokio::test]
async fn m_9_a_conflict_is_resolved_by_the_agent_in_its_workspace_and_lands() {
    for strategy in [MergeStrategy::Squash, MergeStrategy::Rebase] {
        let world = EngineFixture::new().await;
        let task = world.work_on(with(strategy, "Work"), RESOLVES).await;
        let before = world.load_task(task).await;
        let refusal = refused(&world, task).await;
        assert!(matches!(refusal, Refusal::UpToDate { .. }), "{refusal}");
        assert_eq!(world.load_task(task).await, before, "nothing was changed");

        theirs(&world, "shared.txt", "theirs\n").await;
        let failed = world.land_task(task).await;
        assert_eq!(failed.state.as_str(), "merge_failed", "{}", shown(&failed));
        assert_eq!(failed.workspace.unwrap().status, WorkspaceStatus::Cleaned);

        let said = Some("keep both".to_owned());
        world
            .engine()
            .post_landing()
            .rebase(EngineFixture::acting_user(), task, said)
            .await
            .unwrap();
        world.settle().await.unwrap();
        let done = world.load_task(task).await;
        assert_eq!(done.state.as_str(), "review", "{}", shown(&done));
        match done.post_landing.rebased.as_ref().unwrap() {
            RebaseResult::Conflict { files, hunks, .. } => {
                assert_eq!(files, &["shared.txt"]);
                assert!(hunks[0].text.contains("mine") && hunks[0].text.contains("theirs"));
            }
            other => panic!("{other:?}"),
        }
        let prompt = world.lines("prompt").join("\n");
        assert!(prompt.contains("shared.txt") && prompt.contains("keep both"), "{prompt}");

        let landed = world.land_task(task).await;
        assert_eq!(landed.state.as_str(), "done", "{}", shown(&landed));
        assert_eq!(world.repository.git(&["show", "main:shared.txt"]).await, "both");
        let subjects = world.repository.subjects("main").await;
        assert_eq!(subjects[1..], ["their shared.txt", "first"], "{subjects:?}");
        let merges = world.repository.git(&["rev-list", "--merges", "--count", "main"]).await;
        assert_eq!(merges.trim(), "0");
    }
}

/// Uncommitted work is kept, and a clean merge is committed.
#[tokio::test]
async fn m_9_w_14_a_clean_rebase_is_merged_and_nothing_is_lost() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo one >> work.txt").await;
    let place = world.workspace_dir(task).await;
    theirs(&world, "other.txt", "theirs\n").await;
    std::fs::write(place.join("loose.txt"), "loose\n").unwrap();
    world.engine().post_landing().rebase(EngineFixture::acting_user(), task, None).await.unwrap();
    world.settle().await.unwrap();
    let done = world.load_task(task).await;
    assert_eq!(done.state.as_str(), "review", "its coder took another turn: {}", shown(&done));
    assert!(matches!(done.post_landing.rebased, Some(RebaseResult::Merged { .. })));
    let tree = TestRepository::open(&place);
    assert_eq!(tree.git(&["log", "-1", "--format=%P", "--merges"]).await.split(' ').count(), 2);
    for file in ["loose.txt", "other.txt", "work.txt"] {
        assert!(place.join(file).exists(), "{file}");
    }
    assert_eq!(tree.git(&["status", "--porcelain"]).await, "");
    let refs = world.repository.git(&["for-each-ref", "refs/forge/journal"]).await;
    assert!(!refs.is_empty());
    let cancelled = TaskCommand::Cancel { reason: None };
    world.engine().commands().handle(EngineFixture::acting_user(), task, cancelled).await.unwrap();
    world.settle().await.unwrap();
    assert!(matches!(refused(&world, task).await, Refusal::TaskTerminal { .. }));
}

async fn revert(world: &EngineFixture, task: TaskId) -> (TaskSnapshot, bool) {
    let made =
        world.engine().post_landing().revert(EngineFixture::acting_user(), task).await.unwrap();
    world.settle().await.unwrap();
    (world.load_task(made.task.id).await, made.is_new)
}

const TWO_COMMITS: &str = "git config user.name A; git config user.email a@localhost; \
    echo 1 > one; git add one; git commit -qm first-half; \
    echo 2 > two; git add two; git commit -qm second-half";

/// Whatever the strategy, all of a landing is reverted, by a task that passes the gate.
#[tokio::test]
async fn m_6_a_landing_is_reverted_completely_with_every_strategy() {
    for strategy in [MergeStrategy::Squash, MergeStrategy::Merge, MergeStrategy::Rebase] {
        let world = EngineFixture::new().await;
        let tree = world.repository.git(&["rev-parse", "main^{tree}"]).await;
        let task = world.work_on(with(strategy, "Work"), TWO_COMMITS).await;
        let early = world
            .engine()
            .post_landing()
            .revert(EngineFixture::acting_user(), task)
            .await
            .unwrap_err();
        assert!(matches!(early, EngineError::Refused(Refusal::NotLanded { .. })), "{early}");
        let landed = world.land_task(task).await;
        assert_eq!(landed.state.as_str(), "done", "{}", shown(&landed));
        theirs(&world, "later.txt", "later\n").await;

        let (first, made) = revert(&world, task).await;
        assert!(made);
        assert_eq!(first.title, "Revert \"Work\"");
        assert_eq!(first.state.as_str(), "review", "{}", shown(&first));
        assert_eq!(first.roles, landed.roles);
        assert!(matches!(first.post_landing.inverted, Some(RevertResult::Clean { .. })));
        assert_eq!(world.load_task(task).await.post_landing.reverted_by, Some(first.id));
        let (again, made) = revert(&world, task).await;
        assert_eq!((again.id, made), (first.id, false), "it is named, not made again");

        let done = world.land_task(first.id).await;
        assert_eq!(done.state.as_str(), "done", "{}", shown(&done));
        let files = world.repository.git(&["ls-tree", "--name-only", "main"]).await;
        assert!(!files.contains("one") && !files.contains("two"), "{files}");
        world.repository.git(&["rm", "-q", "later.txt"]).await;
        let now = world.repository.git(&["write-tree"]).await;
        assert_eq!(now, tree, "exactly what was there before");
    }
}

/// A landing that is already gone needs no revert task; after a cancelled revert another one can be requested.
#[tokio::test]
async fn m_8_a_landing_that_is_already_gone_is_not_reverted() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo new > new.txt").await;
    assert_eq!(world.land_task(task).await.state.as_str(), "done");
    let (first, _) = revert(&world, task).await;
    let cancelled = TaskCommand::Cancel { reason: None };
    world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), first.id, cancelled)
        .await
        .unwrap();
    world.settle().await.unwrap();
    let (second, made) = revert(&world, task).await;
    assert!(made && second.id != first.id);
    world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), second.id, TaskCommand::Cancel { reason: None })
        .await
        .unwrap();
    world.settle().await.unwrap();
    world.repository.git(&["revert", "--no-edit", "HEAD"]).await;
    let error =
        world.engine().post_landing().revert(EngineFixture::acting_user(), task).await.unwrap_err();
    assert!(matches!(error, EngineError::Refused(Refusal::NothingToRevert { .. })), "{error}");
}

/// With later work in the same place both sides stay in the workspace, and the coder can resolve them.
#[tokio::test]
async fn m_9_a_revert_that_conflicts_with_later_work_leaves_both_sides_in_its_workspace() {
    let world = EngineFixture::new().await;
    theirs(&world, "shared.txt", "before\n").await;
    let task = world.worked_task(RESOLVES).await;
    assert_eq!(world.land_task(task).await.state.as_str(), "done");
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
    let done = world.land_task(stuck.id).await;
    assert_eq!(done.state.as_str(), "done", "{}", shown(&done));
    assert_eq!(world.repository.git(&["show", "main:shared.txt"]).await, "both");
}

/// A person's report is enough: the landed task is annotated, and a fix task is created.
#[tokio::test]
async fn m_10_a_regression_creates_one_fix_task() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo new > new.txt").await;
    let engine = world.engine();
    let early = engine
        .post_landing()
        .regress(EngineFixture::acting_user(), task, "slow".to_owned())
        .await
        .unwrap_err();
    assert!(matches!(early, EngineError::Refused(Refusal::NotLanded { .. })), "{early}");
    assert_eq!(world.land_task(task).await.state.as_str(), "done");
    let empty = engine
        .post_landing()
        .regress(EngineFixture::acting_user(), task, " ".to_owned())
        .await
        .unwrap_err();
    assert!(matches!(empty, EngineError::Refused(Refusal::InvalidField { .. })), "{empty}");
    let made = engine
        .post_landing()
        .regress(EngineFixture::acting_user(), task, "it is slow".to_owned())
        .await
        .unwrap();
    assert!(made.is_new);
    assert_eq!(made.task.state.as_str(), "todo", "it waits to be claimed");
    for part in ["T-1", "it is slow", "new.txt"] {
        assert!(made.task.description.contains(part), "{part}: {}", made.task.description);
    }
    let again = engine
        .post_landing()
        .regress(EngineFixture::acting_user(), task, "still slow".to_owned())
        .await
        .unwrap();
    assert_eq!((again.task.id, again.is_new), (made.task.id, false));
    let landed = world.load_task(task).await;
    assert_eq!(landed.annotation.unwrap().kind, AnnotationType::Regressed);
    assert_eq!(landed.post_landing.regression.unwrap().fix, made.task.id);
}

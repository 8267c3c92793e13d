//! Reassigning the role that carries a task (T-14), with what it does to the workspace.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::{Reset, TaskId};
use forge_testkit::world::World;

/// A task whose first coder committed one file, left another uncommitted, and failed.
async fn half_done(world: &World) -> TaskId {
    let script =
        "git -c user.name=a -c user.email=a@b commit --quiet --allow-empty -m kept; exit 3";
    let task = world.worked_on(World::titled("Half"), script).await;
    assert_eq!(world.now(task).await.state.as_str(), "blocked", "a failing agent needs a person");
    std::fs::write(world.directory(task).await.join("loose.txt"), "loose\n").unwrap();
    task
}

async fn reassign(world: &World, task: TaskId, reset: Reset) {
    let second = world.agent("second", "echo second > second.txt").await.unwrap();
    let now = world.reassign(task, second, reset).await;
    assert_eq!(now.state.as_str(), "todo", "back to the queue, no claim by itself");
}

#[tokio::test]
async fn t_14_reset_worktree_drops_loose_edits_keeps_commits_and_saves_what_it_drops() {
    let world = World::new().await;
    let task = half_done(&world).await;
    reassign(&world, task, Reset::Worktree).await;
    let workspace = world.now(task).await.workspace.unwrap();
    assert!(!std::path::Path::new(&workspace.path).join("loose.txt").exists());
    assert_eq!(world.repository.subjects(&workspace.branch).await, ["kept", "first"]);
    let saved = format!("refs/forge/journal/{task}/2");
    assert_eq!(world.repository.git(&["show", &format!("{saved}:loose.txt")]).await, "loose");
}

#[tokio::test]
async fn t_14_reset_workspace_starts_the_next_claim_afresh_and_loses_nothing() {
    let world = World::new().await;
    let task = half_done(&world).await;
    reassign(&world, task, Reset::Workspace).await;
    assert!(world.now(task).await.workspace.is_none());
    let kept = world.repository.git(&["for-each-ref", "--format=%(subject)", "refs/forge"]).await;
    assert!(kept.contains("kept"), "P-1: the branch is archived: {kept}");
    let now = world.claim_again(task, "second").await;
    assert_eq!(now.state.as_str(), "review");
    let subjects = world.repository.subjects(&now.workspace.unwrap().branch).await;
    assert_eq!(subjects, ["Half", "first"], "the new branch starts from the target");
}

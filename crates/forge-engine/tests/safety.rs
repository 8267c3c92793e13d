//! Invariants however an agent leaves its workspace: nothing unreviewed lands, nothing is lost.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{AnnotationType, WorkspaceStatus};
use forge_domain::{ResetScope, TaskId};
use forge_testkit::engine_fixture::EngineFixture;

async fn reset(world: &EngineFixture, task: TaskId) {
    let next = world.agent("next", "echo again > again.txt").await.unwrap();
    world.reassign(task, next, ResetScope::Workspace).await;
}

async fn kept(world: &EngineFixture) -> String {
    world
        .repository
        .git(&["log", "--all", "--format=%s", "--name-only", "--glob=refs/forge/*"])
        .await
}

#[tokio::test]
async fn p_3_exactly_the_checked_tree_lands() {
    let world = EngineFixture::new().await;
    let check = "mkdir -p out; echo a > out/artifact; test -f good.txt";
    let task = world
        .work_on(EngineFixture::checked_task_request("Work", &[check]), "echo good > good.txt")
        .await;
    std::fs::write(world.workspace_dir(task).await.join("late.txt"), "after the review\n").unwrap();
    assert_eq!(world.land_task(task).await.state.as_str(), "done");
    let landed = world.repository.git(&["ls-tree", "-r", "--name-only", "main"]).await;
    assert_eq!(landed.lines().collect::<Vec<_>>(), ["README.md", "good.txt", "numbers.txt"]);
    let saved = kept(&world).await;
    assert!(saved.contains("late.txt"), "P-1: what did not land is kept: {saved}");
}

#[tokio::test]
async fn p_3_a_branch_that_moved_after_its_review_does_not_land() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo good > good.txt").await;
    let branch = world.load_task(task).await.workspace.unwrap().branch;
    let commit = world
        .repository
        .git(&["commit-tree", "-p", &branch, "-m", "sneaked in", "main^{tree}"])
        .await;
    world.repository.git(&["update-ref", &format!("refs/heads/{branch}"), &commit]).await;
    let task = world.land_task(task).await;
    assert_eq!(task.state.as_str(), "blocked");
    assert_eq!(task.annotation.unwrap().kind, AnnotationType::Unreviewed);
    assert_eq!(world.repository.subjects("main").await, ["first"]);
}

#[tokio::test]
async fn w_6_nothing_is_committed_to_a_branch_that_is_not_the_tasks() {
    let world = EngineFixture::new().await;
    world.repository.git(&["checkout", "--quiet", "-b", "mine"]).await;
    let task = world.worked_task("git checkout --quiet main; echo unreviewed > f").await;
    let task = world.load_task(task).await;
    assert_eq!(task.annotation.unwrap().kind, AnnotationType::WorkspaceCorrupted);
    assert_eq!(world.repository.subjects("main").await, ["first"]);
}

#[tokio::test]
async fn p_1_a_corrupted_workspace_is_set_aside_whole_and_its_commits_kept() {
    let world = EngineFixture::new().await;
    let script = "git checkout --quiet --detach; echo d > d; git add d; \
                  git -c user.name=a -c user.email=a@b commit --quiet -m detached; echo loose > loose.txt";
    let task = world.worked_task(script).await;
    reset(&world, task).await;
    assert!(kept(&world).await.contains("detached"), "its commit has a name");
    let aside = std::fs::read_dir(world.workspaces().join(".kept")).unwrap();
    let files: Vec<_> = aside.flatten().map(|entry| entry.path().join("loose.txt")).collect();
    assert!(files.iter().any(|file| file.exists()), "its files are not deleted: {files:?}");
}

#[tokio::test]
async fn p_1_two_resets_keep_both_attempts() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo first > attempt.txt").await;
    reset(&world, task).await;
    world.claim_again(task, "next").await;
    reset(&world, task).await;
    let refs =
        world.repository.git(&["for-each-ref", "--format=%(refname)", "refs/forge/archive"]).await;
    assert_eq!(refs.lines().count(), 2, "{refs}");
    let saved = kept(&world).await;
    assert!(saved.contains("attempt.txt") && saved.contains("again.txt"), "{saved}");
}

#[tokio::test]
async fn t_14_a_workspace_whose_branch_a_person_deleted_can_still_be_reset() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo x > x").await;
    let workspace = world.load_task(task).await.workspace.unwrap();
    world.repository.git(&["worktree", "remove", "--force", &workspace.path]).await;
    world.repository.git(&["branch", "-D", &workspace.branch]).await;
    reset(&world, task).await;
    assert!(world.load_task(task).await.workspace.is_none());
}

#[tokio::test]
async fn e_6_an_agent_that_removes_its_own_directory_runs_once() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo x >> \"$HOME/runs\"; d=$PWD; cd /; rm -rf \"$d\"").await;
    let task = world.load_task(task).await;
    assert_eq!(task.workspace.unwrap().status, WorkspaceStatus::Ready);
    let runs = std::fs::read_to_string(world.home().join("runs")).unwrap();
    assert_eq!(runs, "x\n");
}

#[tokio::test]
async fn m_7_the_target_is_the_default_branch_wherever_the_person_is() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo x > x").await;
    world.repository.git(&["checkout", "--quiet", "-b", "hotfix"]).await;
    world.land_task(task).await;
    assert_eq!(world.repository.subjects("main").await, ["Work (T-1)", "first"]);
    assert_eq!(world.repository.subjects("hotfix").await, ["first"]);
}

#[tokio::test]
async fn m_7_a_landing_waits_while_git_runs_in_the_persons_checkout() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo x > x").await;
    let lock = world.repository.path().join(".git/index.lock");
    std::fs::write(&lock, "").unwrap();
    world.move_between(task, "review", "merging").await.unwrap();
    world.engine().drain().await.unwrap();
    assert_eq!(world.repository.subjects("main").await, ["first"], "it waits");
    std::fs::remove_file(lock).unwrap();
    world.settle().await.unwrap();
    assert_eq!(world.load_task(task).await.state.as_str(), "done");
    assert_eq!(world.repository.git(&["status", "--porcelain"]).await, "");
}

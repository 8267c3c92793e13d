//! A user's own repository with a remote, with pushing enabled (M-7).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::AnnotationType;
use forge_domain::{ProjectId, RepoId};
use forge_engine::{EngineError, RemoteChange};
use forge_store::tables;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::test_repository::TestRepository;

async fn board(world: &EngineFixture) -> (ProjectId, RepoId, TestRepository) {
    let path = world.home().join("hub.git");
    world.repository.git(&["clone", "--quiet", "--bare", ".", path.to_str().unwrap()]).await;
    let project = world.project("Board", EngineFixture::workflow("autopilot")).await.unwrap();
    let repo = tables::repos::primary_of(world.engine().db(), project).await.unwrap().unwrap().id;
    (project, repo, TestRepository::open(&path))
}

async fn switch_on(
    world: &EngineFixture,
    project: ProjectId,
    repo: RepoId,
) -> Result<(), EngineError> {
    let patch = RemoteChange { push: Some(true), installation_id: None };
    world
        .engine()
        .repos()
        .change_repo_remote(EngineFixture::acting_user(), project, repo, patch)
        .await
        .map(drop)
}

async fn land(
    world: &EngineFixture,
    project: ProjectId,
    title: &str,
) -> forge_domain::task::TaskSnapshot {
    let script = format!("echo {title} > {title}.txt");
    let task =
        world.claimed_task(project, EngineFixture::task_request(title), title, &script).await;
    world.engine().drain().await.unwrap();
    world.load_task(task).await
}

#[tokio::test]
async fn m_7_a_users_repository_pushes_when_enabled_and_its_checkout_follows() {
    let world = EngineFixture::new().await;
    let (project, repo, hub) = board(&world).await;
    let error = switch_on(&world, project, repo).await.unwrap_err().to_string();
    assert!(error.contains("no remote named origin"), "{error}");
    assert_eq!(land(&world, project, "One").await.state.as_str(), "done");
    assert_eq!(hub.subjects("main").await, ["first"], "pushing is off");

    world.repository.git(&["remote", "add", "origin", hub.path().to_str().unwrap()]).await;
    switch_on(&world, project, repo).await.unwrap();
    // Later changes to the repository's settings do not redirect pushes.
    world.repository.git(&["remote", "set-url", "origin", "file:///nonexistent/other.git"]).await;
    let task = land(&world, project, "Two").await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    let landed = ["Two (T-2)", "One (T-1)", "first"];
    assert_eq!(hub.subjects("main").await, landed);
    assert_eq!(world.repository.subjects("main").await, landed);
    assert_eq!(world.repository.git(&["status", "--porcelain"]).await, "");

    // Another client pushed first: its commit reaches the user's checkout too, and no local change is touched.
    let tree = hub.git(&["rev-parse", "main^{tree}"]).await;
    let other = hub.git(&["commit-tree", "-p", "main", "-m", "other", &tree]).await;
    hub.git(&["update-ref", "refs/heads/main", &other]).await;
    world.repository.write("README.md", "being edited\n");
    let task = land(&world, project, "Three").await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    assert_eq!(hub.subjects("main").await[..2], ["Three (T-3)", "other"]);
    assert_eq!(world.repository.subjects("main").await[..2], ["Three (T-3)", "other"]);
    assert_eq!(world.repository.git(&["status", "--porcelain"]).await, " M README.md");
}

/// A killed git left the local branch locked. The pushed landing counts anyway: it is not pushed again, and the branch
/// follows once it can.
#[tokio::test]
async fn m_7_a_push_is_one_landing_though_the_local_branch_is_locked() {
    let world = EngineFixture::new().await;
    let (project, repo, hub) = board(&world).await;
    let repository = &world.repository;
    repository.git(&["remote", "add", "origin", hub.path().to_str().unwrap()]).await;
    switch_on(&world, project, repo).await.unwrap();
    let lock = repository.path().join(".git/refs/heads/main.lock");
    std::fs::write(&lock, "").unwrap();
    let waiting = land(&world, project, "One").await;
    assert_eq!(waiting.state.as_str(), "merging", "{:?}", waiting.annotation);
    assert_eq!(hub.subjects("main").await, ["One (T-1)", "first"]);
    assert_eq!(repository.subjects("main").await, ["first"], "neither moved");
    assert_eq!(repository.git(&["status", "--porcelain"]).await, "", "nor ahead of its branch");
    assert!(lock.exists(), "it is not ours to remove");

    std::fs::remove_file(&lock).unwrap();
    world.settle().await.unwrap();
    let landed = world.load_task(waiting.id).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    let pushed = hub.git(&["rev-parse", "main"]).await;
    assert_eq!(repository.git(&["rev-parse", "main"]).await, pushed);
    assert_eq!(hub.subjects("main").await, ["One (T-1)", "first"], "once");
    assert_eq!(repository.git(&["status", "--porcelain"]).await, "");
}

#[tokio::test]
async fn m_17_diverged_histories_wait_for_a_person() {
    let world = EngineFixture::new().await;
    let (project, repo, hub) = board(&world).await;
    world.repository.git(&["remote", "add", "origin", hub.path().to_str().unwrap()]).await;
    switch_on(&world, project, repo).await.unwrap();
    let tree = hub.git(&["rev-parse", "main^{tree}"]).await;
    let other = hub.git(&["commit-tree", "-p", "main", "-m", "other", &tree]).await;
    hub.git(&["update-ref", "refs/heads/main", &other]).await;
    world.repository.git(&["commit", "--quiet", "--allow-empty", "-m", "mine"]).await;
    let task = land(&world, project, "One").await;
    let trouble = task.annotation.expect("it says why");
    assert_eq!(trouble.kind, AnnotationType::PushFailed);
    assert_eq!(trouble.details["kind"], "diverged", "{trouble:?}");
    assert_eq!(world.repository.subjects("main").await, ["mine", "first"]);
    assert_eq!(hub.subjects("main").await, ["other", "first"]);
}

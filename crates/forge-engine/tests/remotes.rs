//! Repositories added by URL, used like any other.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::project::ProjectSettings;
use forge_domain::task::AnnotationType;
use forge_domain::{ProjectId, WorkspaceType};
use forge_engine::{EngineError, ProjectSpec, RemoteRepoSpec};
use forge_store::tables::repos;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::test_repository::TestRepository;
use std::path::Path;

async fn cloned(world: &EngineFixture, from: &Path) -> (ProjectId, repos::RepoRow) {
    let asked = ProjectSpec {
        name: "Remote".to_owned(),
        workspace_type: WorkspaceType::GitWorktree,
        workflow: EngineFixture::workflow("autopilot"),
        settings: ProjectSettings::default(),
    };
    let project = world
        .engine()
        .projects()
        .create_project(EngineFixture::acting_user(), asked)
        .await
        .unwrap()
        .id;
    let url = format!("file://{}", from.display());
    let asked = RemoteRepoSpec { url, name: None, token: None };
    let repo = world
        .engine()
        .repos()
        .add_remote(EngineFixture::acting_user(), project, asked)
        .await
        .unwrap();
    (project, repo)
}

#[tokio::test]
async fn m_7_a_claim_starts_from_the_current_remote_and_lands_there_and_in_the_clone() {
    let world = EngineFixture::new().await;
    let hub = world.home().join("hub.git");
    world.repository.git(&["clone", "--quiet", "--bare", ".", hub.to_str().unwrap()]).await;
    let hub = TestRepository::open(&hub);
    let (project, repo) = cloned(&world, hub.path()).await;
    world.repository.write("later.txt", "after the clone\n");
    world.repository.commit("second").await;
    world.repository.git(&["push", "--quiet", hub.path().to_str().unwrap(), "main"]).await;
    let task = world
        .claimed_task(
            project,
            EngineFixture::task_request("One"),
            "One",
            "cat later.txt > copy.txt",
        )
        .await;
    world.settle().await.unwrap();
    let task = world.load_task(task).await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    let clone = TestRepository::open(Path::new(repo.path.as_ref().unwrap()));
    assert_eq!(clone.subjects("main").await, ["One (T-1)", "second", "first"]);
    assert_eq!(hub.subjects("main").await, ["One (T-1)", "second", "first"]);

    // Work continues while the remote is away; landings wait for it.
    std::fs::rename(hub.path(), hub.path().with_extension("away")).unwrap();
    let task = world
        .claimed_task(
            project,
            EngineFixture::task_request("Two"),
            "Two",
            "test -f copy.txt; echo two > two.txt",
        )
        .await;
    world.engine().drain().await.unwrap();
    let waiting = world.load_task(task).await.annotation.expect("it says why");
    assert_eq!(
        (waiting.kind, &waiting.details["kind"]),
        (AnnotationType::PushFailed, &"network".into())
    );
    assert_eq!(clone.subjects("main").await[0], "One (T-1)", "what is elsewhere comes first");
    std::fs::rename(hub.path().with_extension("away"), hub.path()).unwrap();
    world.settle().await.unwrap();
    assert_eq!(world.load_task(task).await.state.as_str(), "done");
    assert_eq!(hub.subjects("main").await[0], "Two (T-2)");
    assert_eq!(clone.subjects("main").await[0], "Two (T-2)");
}

#[tokio::test]
async fn an_address_with_a_secret_is_refused_and_not_repeated() {
    let world = EngineFixture::new().await;
    let project = world.board_project().await;
    let url = "https://me:hunter2@example.org/shop.git".to_owned();
    let asked = RemoteRepoSpec { url, name: None, token: None };
    let error = world
        .engine()
        .repos()
        .add_remote(EngineFixture::acting_user(), project, asked)
        .await
        .unwrap_err();
    assert!(matches!(&error, EngineError::InvalidField { field: "url", .. }), "{error}");
    assert!(!error.to_string().contains("hunter2"), "{error}");
}

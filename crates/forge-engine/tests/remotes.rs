//! Repositories that were added by their address, used like any other.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::ProjectId;
use forge_engine::{EngineError, NewProject, NewRemote};
use forge_store::tables::repos;
use forge_testkit::repository::Repository;
use forge_testkit::world::World;
use std::path::Path;

async fn cloned(world: &World) -> (ProjectId, repos::Repo) {
    let asked = NewProject {
        name: "Remote".to_owned(),
        workspace_type: "git_worktree".to_owned(),
        workflow: World::workflow("autopilot"),
        settings: serde_json::json!({}),
    };
    let project = world.engine().create_project(World::person(), asked).await.unwrap().id;
    let url = format!("file://{}", world.repository.path().display());
    let asked = NewRemote { url, name: None };
    let repo = world.engine().add_remote(World::person(), project, asked).await.unwrap();
    (project, repo)
}

#[tokio::test]
async fn a_claim_starts_from_what_is_there_now_and_lands_in_the_clone() {
    let world = World::new().await;
    let (project, repo) = cloned(&world).await;
    world.repository.write("later.txt", "after the clone\n");
    world.repository.commit("second").await;
    let task =
        world.claimed(project, World::titled("One"), "One", "cat later.txt > copy.txt").await;
    world.settle().await.unwrap();
    let task = world.now(task).await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    let clone = Repository::at(Path::new(repo.path.as_ref().unwrap()));
    assert_eq!(clone.subjects("main").await, ["One (T-1)", "second", "first"]);
    assert_eq!(world.repository.subjects("main").await, ["second", "first"], "pushing comes later");

    // What landed here stays, and the other side may be away.
    std::fs::rename(world.repository.path(), world.repository.path().with_extension("away"))
        .unwrap();
    let task = world
        .claimed(project, World::titled("Two"), "Two", "test -f copy.txt; echo two > two.txt")
        .await;
    world.settle().await.unwrap();
    assert_eq!(world.now(task).await.state.as_str(), "done");
    assert_eq!(clone.subjects("main").await[0], "Two (T-2)");
}

#[tokio::test]
async fn an_address_with_a_secret_is_refused_and_not_repeated() {
    let world = World::new().await;
    let project = world.board().await;
    let url = "https://me:hunter2@example.org/shop.git".to_owned();
    let asked = NewRemote { url, name: None };
    let error = world.engine().add_remote(World::person(), project, asked).await.unwrap_err();
    assert!(matches!(&error, EngineError::InvalidField { field: "url", .. }), "{error}");
    assert!(!error.to_string().contains("hunter2"), "{error}");
}

//! Names of branches and directories, with existing ones in the way.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::ProjectId;
use forge_domain::project::SettingsProblem;
use forge_domain::task::Workspace;
use forge_engine::{EngineError, ProjectChange};
use forge_testkit::engine_fixture::EngineFixture;
use serde_json::{Value, json};
use std::path::Path;

async fn board(world: &EngineFixture, settings: Value) -> ProjectId {
    let project = world.board_project().await;
    world.change_settings(project, settings).await;
    project
}

/// Claims a new task of this title for a user.
async fn claimed(world: &EngineFixture, project: ProjectId, title: &str) -> Workspace {
    // Not looked up by title, which may exist already.
    let asked = EngineFixture::task_request(title);
    let task = world
        .engine()
        .commands()
        .create_task(EngineFixture::acting_user(), project, asked)
        .await
        .unwrap();
    let task = world.claim_by_hand(task.id).await;
    task.workspace.unwrap_or_else(|| panic!("no workspace: {:?}", task.annotation))
}

#[tokio::test]
async fn t_24_a_taken_name_gets_a_suffix() {
    let world = EngineFixture::new().await;
    let project = board(&world, json!({ "branch_template": "feat/{slug}" })).await;
    assert_eq!(claimed(&world, project, "Same").await.branch, "feat/same");
    assert_eq!(claimed(&world, project, "Same").await.branch, "feat/same-2");
    assert_eq!(claimed(&world, project, "same!").await.branch, "feat/same-3");
    world.repository.git(&["pack-refs", "--all"]).await;
    assert_eq!(claimed(&world, project, "Same").await.branch, "feat/same-4");
}

#[tokio::test]
async fn t_24_a_branch_in_place_of_a_ref_directory_is_avoided() {
    let world = EngineFixture::new().await;
    world.repository.git(&["branch", "feat"]).await;
    let project = board(&world, json!({ "branch_template": "feat/{slug}" })).await;
    assert_eq!(claimed(&world, project, "One").await.branch, "feat-2/one");
    assert_eq!(claimed(&world, project, "One").await.branch, "feat-2/one-2");
    world.repository.git(&["branch", "agent/x"]).await;
    world.change_settings(project, json!({ "branch_template": "agent/x/{number}" })).await;
    assert_eq!(claimed(&world, project, "Two").await.branch, "agent/x-2/3");
}

#[tokio::test]
async fn t_24_a_ref_directory_in_place_of_a_branch_is_avoided() {
    let world = EngineFixture::new().await;
    world.repository.git(&["branch", "feat/one/deep"]).await;
    world.repository.git(&["pack-refs", "--all"]).await;
    let project = board(&world, json!({ "branch_template": "feat/{slug}" })).await;
    assert_eq!(claimed(&world, project, "One").await.branch, "feat/one-2");
}

#[tokio::test]
async fn t_24_every_placeholder_is_filled_in() {
    let world = EngineFixture::new().await;
    let template = "{project}/{task}/{number}/{slug}/{agent}/{variant}/{hash}/{timestamp}";
    let project = board(&world, json!({ "branch_template": template })).await;
    let branch = claimed(&world, project, "--Force it--").await.branch;
    let parts: Vec<_> = branch.split('/').collect();
    assert_eq!(&parts[..6], ["board", "T-1", "1", "force-it", "nobody", "1"], "{branch}");
    assert!(parts[6].len() == 8 && parts[6].chars().all(|digit| digit.is_ascii_hexdigit()));
    assert_eq!(parts[7].len(), "20260101-000000".len());
}

#[tokio::test]
async fn w_3_titles_that_begin_alike_never_share_a_directory() {
    let world = EngineFixture::new().await;
    // The template does not distinguish two tasks.
    let project = board(&world, json!({ "directory_template": "{project}-{slug}" })).await;
    let title = "The same forty letters at the beginning, and then";
    let one = claimed(&world, project, &format!("{title} one")).await;
    let two = claimed(&world, project, &format!("{title} two")).await;
    assert_ne!(one.path, two.path);
    assert_ne!(one.branch, two.branch);
    assert!(Path::new(&one.path).join("README.md").exists());
    assert!(Path::new(&two.path).join("README.md").exists());
}

#[tokio::test]
async fn w_3_a_branch_that_is_checked_out_elsewhere_is_not_taken_twice() {
    let world = EngineFixture::new().await;
    let project = board(&world, json!({ "branch_template": "feat/{slug}" })).await;
    world.repository.git(&["checkout", "--quiet", "-b", "feat/one"]).await;
    assert_eq!(claimed(&world, project, "One").await.branch, "feat/one-2");
    assert_eq!(world.repository.git(&["branch", "--show-current"]).await, "feat/one");
}

#[tokio::test]
async fn t_24_a_template_that_could_fail_at_dispatch_is_refused_when_it_is_saved() {
    let world = EngineFixture::new().await;
    let project = world.project("Board", EngineFixture::workflow("default")).await.unwrap();
    let settings = json!({ "branch_template": { "session": "{number}.{slug}" } });
    let settings = Some(EngineFixture::settings(settings));
    let patch = ProjectChange { version: 1, name: None, settings };
    let refused = world
        .engine()
        .projects()
        .update_project(EngineFixture::acting_user(), project, patch)
        .await;
    let Err(EngineError::InvalidSettings(invalid)) = refused else { panic!("saved: {refused:?}") };
    let SettingsProblem { path, problem } = &invalid.problems()[0];
    assert_eq!(path, "settings.branch_template");
    assert!(problem.contains(".lock"), "{problem}");
}

//! Ignored files that a project keeps for its next task, or does not (W-15).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::project::{ProjectSettings, StoredSettings};
use forge_domain::{ProjectId, TaskCommand, TaskId, WorkspaceType};
use forge_engine::{EngineError, PoolLimits, ProjectChange, ProjectSpec, TaskSpec};
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const POOL: PoolLimits = PoolLimits { size: 1, disk_bytes: u64::MAX };

/// A project with these settings; its one pooled worktree contains a cache that a task left.
async fn recycled(settings: Value) -> (EngineFixture, ProjectId) {
    let world = EngineFixture::with_pool(FaultSweep::counting(), None, POOL).await;
    world.repository.write(".gitignore", "cache/\n");
    world.repository.commit("ignores").await;
    let project =
        world.project_with("Board", EngineFixture::workflow("default"), settings).await.unwrap();
    world.settle().await.unwrap();
    let used = worked(&world, project, "Build", "mkdir cache; echo slow > cache/built").await;
    // Make room in the pool for the task's own worktree.
    let (waiting, _) = world.pool().pop().unwrap();
    std::fs::remove_file(waiting.with_extension("ready")).unwrap();
    let waiting = waiting.to_str().unwrap();
    world.repository.git(&["worktree", "remove", "--force", waiting]).await;
    world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), used, TaskCommand::CleanWorkspace)
        .await
        .unwrap();
    world.settle().await.unwrap();
    (world, project)
}

async fn worked(world: &EngineFixture, project: ProjectId, title: &str, script: &str) -> TaskId {
    let agent = world.agent(title, script).await.unwrap();
    let asked = TaskSpec { title: title.to_owned(), ..TaskSpec::default() };
    let task = world.task(project, asked).await.unwrap();
    world.claim(task, agent).await.unwrap();
    world.settle().await.unwrap();
    task
}

fn waiting(world: &EngineFixture) -> PathBuf {
    let [(waiting, true)] = &world.pool()[..] else { panic!("{:?}", world.pool()) };
    waiting.clone()
}

async fn has_cache(world: &EngineFixture, task: TaskId) -> bool {
    let workspace = world.engine().records().task(task).await.unwrap().workspace.unwrap();
    Path::new(&workspace.path).join("cache/built").exists()
}

#[tokio::test]
async fn w_15_ignored_files_are_removed_before_the_next_task_by_default() {
    let (world, project) = recycled(json!({})).await;
    assert!(!waiting(&world).join("cache").exists());
    let next = worked(&world, project, "Next", "true").await;
    assert!(!has_cache(&world, next).await);
}

#[tokio::test]
async fn w_15_ignored_files_stay_for_the_next_task_if_the_project_keeps_them() {
    let (mut world, project) = recycled(json!({ "keep_ignored_files": true })).await;
    assert!(waiting(&world).join("cache/built").exists());
    world.restart().await;
    world.settle().await.unwrap();
    assert!(waiting(&world).join("cache/built").exists(), "also over a restart");
    let next = worked(&world, project, "Next", "true").await;
    assert!(has_cache(&world, next).await);
}

#[tokio::test]
async fn w_15_ignored_files_are_not_for_other_projects_of_the_same_repository() {
    let (world, _) = recycled(json!({ "keep_ignored_files": true })).await;
    let settings = json!({ "keep_ignored_files": true });
    let other =
        world.project_with("Other", EngineFixture::workflow("default"), settings).await.unwrap();
    world.settle().await.unwrap();
    assert!(waiting(&world).join("cache/built").exists(), "it stays for the one whose it is");
    let next = worked(&world, other, "Next", "true").await;
    assert!(!has_cache(&world, next).await);
}

#[tokio::test]
async fn w_15_ignored_files_are_removed_when_the_project_no_longer_keeps_them() {
    let (world, project) = recycled(json!({ "keep_ignored_files": true })).await;
    let version = world.engine().records().project(project).await.unwrap().version;
    let patch = ProjectChange {
        version,
        settings: Some(ProjectSettings::default()),
        ..ProjectChange::default()
    };
    world
        .engine()
        .projects()
        .update_project(EngineFixture::acting_user(), project, patch)
        .await
        .unwrap();
    world.settle().await.unwrap();
    assert!(!waiting(&world).join("cache").exists());
}

#[tokio::test]
async fn w_15_a_setting_that_is_neither_yes_nor_no_is_refused() {
    let world = EngineFixture::new().await;
    let refused = async |workspace_type: WorkspaceType, keep: Value| {
        let settings = json!({ "keep_ignored_files": keep });
        let stored = StoredSettings::parse(&settings.to_string()).unwrap();
        if let Err(unreadable) = stored.keep_ignored_files() {
            return unreadable.problems()[0].path.clone();
        }
        let asked = ProjectSpec {
            name: "Board".to_owned(),
            workspace_type,
            workflow: EngineFixture::workflow("default"),
            settings: stored.or_defaults().clone(),
        };
        match world.engine().projects().create_project(EngineFixture::acting_user(), asked).await {
            Err(EngineError::InvalidSettings(invalid)) => invalid.problems()[0].path.clone(),
            other => panic!("{other:?}"),
        }
    };
    let field = "settings.keep_ignored_files";
    assert_eq!(refused(WorkspaceType::GitWorktree, json!("yes")).await, field);
    let plain = WorkspaceType::PersistentDirectory;
    assert_eq!(refused(plain, json!(true)).await, field, "it has no pool");
}

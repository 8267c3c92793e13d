//! Projects that work in one plain directory, without git (W-1).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::WorkspaceStatus;
use forge_domain::{ProjectId, TaskCommand, TaskId, WorkspaceType};
use forge_engine::{
    DiffLimits, DiffScope, EngineError, LocalRepoSpec, ProjectChange, ProjectSpec,
    WorkspaceFindings,
};
use forge_testkit::engine_fixture::EngineFixture;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn asked(settings: Value) -> ProjectSpec {
    ProjectSpec {
        name: "Plain".to_owned(),
        workspace_type: WorkspaceType::PersistentDirectory,
        workflow: EngineFixture::workflow("autopilot"),
        settings: EngineFixture::settings(settings),
    }
}

async fn project(world: &EngineFixture, settings: Value) -> ProjectId {
    world
        .engine()
        .projects()
        .create_project(EngineFixture::acting_user(), asked(settings))
        .await
        .unwrap()
        .id
}

async fn claimed(world: &EngineFixture, project: ProjectId, title: &str, script: &str) -> TaskId {
    let asked = EngineFixture::checked_task_request(title, &["test -f made.txt"]);
    world.claimed_task(project, asked, title, script).await
}

#[tokio::test]
async fn w_1_all_tasks_work_in_the_one_directory_and_there_is_nothing_to_merge() {
    let world = EngineFixture::new().await;
    let place = world.repository.path().with_file_name("notes");
    let project = project(&world, json!({ "directory": place })).await;
    let one = claimed(&world, project, "One", "echo 1 > made.txt; test -z \"$FORGE_BRANCH\"").await;
    world.settle().await.unwrap();
    let done = world.load_task(one).await;
    assert_eq!(done.state.as_str(), "done", "{:?}", done.annotation);
    assert_eq!(done.workspace.as_ref().unwrap().status, WorkspaceStatus::Cleaned);
    let two = claimed(&world, project, "Two", "grep 1 made.txt && echo 2 >> made.txt").await;
    world.settle().await.unwrap();
    let done = world.load_task(two).await;
    assert_eq!(done.state.as_str(), "done", "it finds what the first left: {:?}", done.annotation);
    assert_eq!(std::fs::read_to_string(place.join("made.txt")).unwrap(), "1\n2\n", "it stays");
    assert!(!place.join(".git").exists() && !place.join(".forge.lock").exists());
}

#[tokio::test]
async fn w_1_one_task_writes_at_a_time() {
    let world = EngineFixture::new().await;
    let project = project(&world, json!({})).await;
    // An execution that is not alone in the directory fails.
    let script = "mkdir alone; for n in 1 2 3 4 5 6 7 8 9; do test -d alone; done; rmdir alone; touch made.txt";
    let mut tasks = Vec::new();
    for n in 0..4 {
        tasks.push(claimed(&world, project, &format!("Task {n}"), script).await);
    }
    world.settle().await.unwrap();
    for task in tasks {
        let task = world.load_task(task).await;
        assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    }
}

#[tokio::test]
async fn w_1_without_git_there_is_no_diff_no_branch_and_no_reset_and_it_says_so() {
    let world = EngineFixture::new().await;
    let project = project(&world, json!({})).await;
    let task = claimed(&world, project, "One", "echo 1 > other.txt").await;
    world.settle().await.unwrap();
    let task = world.load_task(task).await;
    assert_ne!(task.state.as_str(), "done", "its check fails");
    let workspace = task.workspace.clone().unwrap();
    assert!(workspace.branch.is_empty() && Path::new(&workspace.path).join("other.txt").exists());
    let summary = world.engine().workspace_views().workspace_summary(&task).await.unwrap();
    assert_eq!(summary.found, WorkspaceFindings::Plain);
    let diff =
        world.engine().workspace_views().diff(&task, DiffScope::All, DiffLimits::default()).await;
    assert!(matches!(diff, Err(EngineError::NotAGitWorkspace)), "{diff:?}");
    for command in [TaskCommand::ResetWorkspace, TaskCommand::CleanWorkspace] {
        let refused =
            world.engine().commands().handle(EngineFixture::acting_user(), task.id, command).await;
        assert!(matches!(refused, Err(EngineError::NotAGitWorkspace)), "{refused:?}");
    }
    assert_eq!(world.engine().workspace_cleanup().list_orphans().await.unwrap(), []);
}

/// T-12: after the server's death only the stop could save the files; a plain directory has no journal for them.
#[tokio::test]
async fn w_1_a_turn_whose_server_died_can_be_cancelled() {
    let mut world = EngineFixture::new().await;
    let pipe = world.home().join("up");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let project = project(&world, json!({})).await;
    let task = claimed(&world, project, "Long", "echo > $HOME/up; exec sleep 1000").await;
    let engine = world.engine().clone();
    let draining = tokio::spawn(async move { engine.drain().await });
    tokio::task::spawn_blocking(move || std::fs::read(pipe)).await.unwrap().unwrap();
    world.restart().await;
    draining.abort();
    let cancel = TaskCommand::Cancel { reason: None };
    world.engine().commands().handle(EngineFixture::acting_user(), task, cancel).await.unwrap();
    world.settle().await.unwrap();
    let ended = world.load_task(task).await;
    assert_eq!((ended.state.as_str(), &ended.annotation), ("cancelled", &None));
    assert!(ended.run.is_none() && !ended.is_settling(), "{ended:?}");
    assert_eq!(world.end_state(project).await.processes, [0; 0]);
}

#[tokio::test]
async fn w_1_contradictory_settings_are_refused_by_name() {
    let world = EngineFixture::new().await;
    let refused = async |wanted: ProjectSpec| match world
        .engine()
        .projects()
        .create_project(EngineFixture::acting_user(), wanted)
        .await
    {
        Err(EngineError::InvalidSettings(invalid)) => invalid.problems()[0].path.clone(),
        other => panic!("{other:?}"),
    };
    let with = |name: &str, value: &str| asked(json!({ name: value }));
    assert_eq!(refused(with("branch_template", "x/{number}")).await, "settings.branch_template");
    assert_eq!(refused(with("directory_template", "{id}")).await, "settings.directory_template");
    for path in ["notes", "../notes", "/", "/nowhere/at/all"] {
        assert_eq!(refused(with("directory", path)).await, "settings.directory", "{path}");
    }
    let readme: PathBuf = world.repository.path().join("README.md");
    assert_eq!(refused(with("directory", readme.to_str().unwrap())).await, "settings.directory");
    let git =
        ProjectSpec { workspace_type: WorkspaceType::GitWorktree, ..with("directory", "/tmp") };
    assert_eq!(refused(git).await, "settings.directory");

    let project = project(&world, json!({})).await;
    let repo = LocalRepoSpec { path: world.repository.path().to_owned(), name: None };
    let added = world.engine().repos().add_repo(EngineFixture::acting_user(), project, repo).await;
    assert!(
        matches!(&added, Err(EngineError::RepoUnusable(why)) if why.contains("plain directory"))
    );
    let settings = Some(EngineFixture::settings(json!({ "branch_template": "x/{number}" })));
    let patch = ProjectChange { version: 1, name: None, settings };
    let changed = world
        .engine()
        .projects()
        .update_project(EngineFixture::acting_user(), project, patch)
        .await;
    assert!(matches!(changed, Err(EngineError::InvalidSettings(_))), "{changed:?}");
}

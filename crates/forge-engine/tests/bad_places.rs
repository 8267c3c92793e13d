//! Repositories and roots that cannot be used: each is said, with what to do, and nothing is left half done.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{AnnotationType, Snapshot};
use forge_domain::{Actor, Assignee, Command, ProjectId};
use forge_engine::{
    Engine, EngineError, Environment, Faults, Git, Home, Ids, Limits, NewProject, NewRepo, NewTask,
    Parts,
};
use forge_testkit::hand_clock::HandClock;
use forge_testkit::repository::{Repository, search_path};
use forge_testkit::world::World;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use uuid::Uuid;

/// An engine whose worktrees go where the test says.
async fn engine(directory: &Path, root: PathBuf) -> Engine {
    let home = Home::open(&directory.join("data"), || Uuid::from_u128(1)).unwrap();
    let vars = [("PATH".into(), search_path())];
    let parts = Parts {
        home,
        database: None,
        workspace_root: Some(root),
        git: Git::locate(&search_path()).unwrap(),
        clock: Arc::new(HandClock::new()),
        ids: Ids::Random,
        faults: Faults::none(),
        environment: Environment::from_vars(vars),
        limits: Limits::default(),
    };
    Engine::start(parts).await.unwrap()
}

async fn project(engine: &Engine) -> ProjectId {
    let asked = NewProject {
        name: "Board".to_owned(),
        workspace_type: "git_worktree".to_owned(),
        workflow: World::workflow("default"),
        settings: serde_json::json!({}),
    };
    engine.create_project(World::person(), asked).await.unwrap().id
}

async fn added(engine: &Engine, project: ProjectId, path: &Path) -> Result<(), EngineError> {
    let asked = NewRepo { path: path.to_owned(), name: None };
    engine.add_repo(World::person(), project, asked).await.map(drop)
}

async fn claimed(engine: &Engine, project: ProjectId) -> Snapshot {
    let asked = NewTask { title: "Work".to_owned(), ..NewTask::default() };
    let task = engine.create_task(World::person(), project, asked).await.unwrap().id;
    let Actor::User { id } = World::person() else { panic!("a person") };
    let claim = Command::Claim { claimer: Assignee::User { id } };
    engine.handle(World::person(), task, claim).await.unwrap();
    engine.drain().await.unwrap();
    engine.task(task).await.unwrap()
}

#[tokio::test]
async fn w_17_what_is_no_usable_repository_is_refused_with_what_to_do() {
    let world = World::new().await;
    let project = world.project("Board", World::workflow("default")).await.unwrap();
    let place = world.repository.path().parent().unwrap().to_owned();
    std::fs::create_dir(place.join("plain")).unwrap();
    let empty = Repository::at(&place.join("empty"));
    std::fs::create_dir(empty.path()).unwrap();
    empty.git(&["init", "--quiet"]).await;
    let foreign = Repository::create(&place.join("foreign")).await;
    let is_root = std::os::unix::fs::chown(foreign.path(), Some(12345), None).is_ok();
    if is_root {
        std::os::unix::fs::chown(foreign.path().join(".git"), Some(12345), None).unwrap();
    }
    let inside = world.repository.path().join(".git");
    let cases = [
        (place.join("plain"), "is no git repository; run `git init`", true),
        (place.join("gone"), "does not exist; check the path", true),
        (empty.path().to_owned(), "has no commit yet; make a first commit", true),
        (inside, "lies inside the repository", true),
        (foreign.path().to_owned(), "belongs to another user", is_root),
    ];
    for (path, words, applies) in cases {
        if !applies {
            continue;
        }
        let refused = added(world.engine(), project, &path).await;
        let Err(EngineError::RepoUnusable(reason)) = refused else {
            panic!("{path:?}: {refused:?}")
        };
        assert!(reason.contains(words), "{path:?}: {reason}");
    }
}

#[tokio::test]
async fn w_17_a_bare_repository_is_used_like_any_other() {
    let world = World::new().await;
    let bare = world.repository.path().with_extension("git");
    let path = bare.to_str().unwrap();
    world.repository.git(&["clone", "--quiet", "--bare", ".", path]).await;
    let directory = tempfile::tempdir().unwrap();
    let engine = engine(directory.path(), directory.path().join("w")).await;
    let project = project(&engine).await;
    added(&engine, project, &bare).await.unwrap();
    let task = claimed(&engine, project).await;
    assert!(Path::new(&task.workspace.unwrap().path).join("README.md").exists());
}

#[tokio::test]
async fn w_17_a_repository_that_vanished_parks_the_task_and_says_so() {
    let world = World::new().await;
    let project = world.project("Board", World::workflow("default")).await.unwrap();
    let away = world.repository.path().with_extension("away");
    std::fs::rename(world.repository.path(), &away).unwrap();
    let task = claimed(world.engine(), project).await;
    let trouble = task.annotation.unwrap();
    assert_eq!((task.state.as_str(), trouble.kind), ("blocked", AnnotationType::WorkspaceError));
    assert!(trouble.message.contains("does not exist; check the path"), "{}", trouble.message);
    std::fs::rename(away, world.repository.path()).unwrap();
}

#[tokio::test]
async fn w_5_a_workspace_root_inside_the_repository_is_refused_when_that_is_added() {
    let directory = tempfile::tempdir().unwrap();
    let repository = Repository::create(&directory.path().join("repo")).await;
    let engine = engine(directory.path(), repository.path().join("workspaces")).await;
    let project = project(&engine).await;
    let refused = added(&engine, project, repository.path()).await;
    let Err(EngineError::RepoUnusable(reason)) = refused else { panic!("{refused:?}") };
    assert!(reason.contains("FORGE_WORKSPACE_ROOT"), "{reason}");
}

#[tokio::test]
async fn w_3_a_root_too_deep_for_worktrees_is_said_and_nothing_is_made() {
    let directory = tempfile::tempdir().unwrap();
    let repository = Repository::create(&directory.path().join("repo")).await;
    let mut root = directory.path().join("deep");
    while root.as_os_str().len() < 3_500 {
        root.push("d".repeat(200));
    }
    let engine = engine(directory.path(), root.clone()).await;
    let project = project(&engine).await;
    added(&engine, project, repository.path()).await.unwrap();
    let task = claimed(&engine, project).await;
    let trouble = task.annotation.unwrap();
    assert_eq!(trouble.kind, AnnotationType::WorkspaceError);
    assert!(trouble.message.contains("shorter --workspace-root"), "{}", trouble.message);
    assert_eq!(repository.git(&["branch", "--list", "forge/*"]).await, "");
}

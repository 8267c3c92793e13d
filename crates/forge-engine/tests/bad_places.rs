//! Unusable repositories and roots: each is reported with what to do, and nothing is left incomplete.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::project::ProjectSettings;
use forge_domain::task::{AnnotationType, TaskSnapshot};
use forge_domain::{Actor, Assignee, ProjectId, TaskCommand, WorkspaceType};
use forge_engine::{
    DataDirectory, Engine, EngineError, EngineLimits, EngineParts, FaultPoints, GitProgram,
    IdSource, LocalRepoSpec, ProjectSpec, ServerEnvironment, TaskSpec,
};
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::manual_clock::ManualClock;
use forge_testkit::test_repository::{TestRepository, search_path};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use uuid::Uuid;

/// An engine whose worktrees go to a given directory.
async fn engine(directory: &Path, root: PathBuf) -> Engine {
    let home = DataDirectory::open(&directory.join("data"), || Uuid::from_u128(1)).unwrap();
    let vars = [("PATH".into(), search_path())];
    let parts = EngineParts {
        home,
        database: None,
        workspace_root: Some(root),
        git: GitProgram::locate(&search_path()).unwrap(),
        clock: Arc::new(ManualClock::new()),
        ids: IdSource::Random,
        faults: FaultPoints::none(),
        environment: ServerEnvironment::from_vars(vars),
        limits: EngineLimits::default(),
    };
    Engine::start(parts).await.unwrap()
}

async fn project(engine: &Engine) -> ProjectId {
    let asked = ProjectSpec {
        name: "Board".to_owned(),
        workspace_type: WorkspaceType::GitWorktree,
        workflow: EngineFixture::workflow("default"),
        settings: ProjectSettings::default(),
    };
    engine.projects().create_project(EngineFixture::acting_user(), asked).await.unwrap().id
}

async fn added(engine: &Engine, project: ProjectId, path: &Path) -> Result<(), EngineError> {
    let asked = LocalRepoSpec { path: path.to_owned(), name: None };
    engine.repos().add_repo(EngineFixture::acting_user(), project, asked).await.map(drop)
}

async fn claimed(engine: &Engine, project: ProjectId) -> TaskSnapshot {
    let asked = TaskSpec { title: "Work".to_owned(), ..TaskSpec::default() };
    let task = engine
        .commands()
        .create_task(EngineFixture::acting_user(), project, asked)
        .await
        .unwrap()
        .id;
    let Actor::User { id } = EngineFixture::acting_user() else { panic!("a person") };
    let claim = TaskCommand::Claim { claimer: Assignee::User { id } };
    engine.commands().handle(EngineFixture::acting_user(), task, claim).await.unwrap();
    engine.drain().await.unwrap();
    engine.records().task(task).await.unwrap()
}

#[tokio::test]
async fn w_17_an_unusable_repository_is_refused_with_what_to_do() {
    let world = EngineFixture::new().await;
    let project = world.project("Board", EngineFixture::workflow("default")).await.unwrap();
    let place = world.repository.path().parent().unwrap().to_owned();
    std::fs::create_dir(place.join("plain")).unwrap();
    let empty = TestRepository::open(&place.join("empty"));
    std::fs::create_dir(empty.path()).unwrap();
    empty.git(&["init", "--quiet"]).await;
    let foreign = TestRepository::create(&place.join("foreign")).await;
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
    let world = EngineFixture::new().await;
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
async fn w_17_a_missing_repository_parks_the_task_and_is_reported() {
    let world = EngineFixture::new().await;
    let project = world.project("Board", EngineFixture::workflow("default")).await.unwrap();
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
    let repository = TestRepository::create(&directory.path().join("repo")).await;
    let engine = engine(directory.path(), repository.path().join("workspaces")).await;
    let project = project(&engine).await;
    let refused = added(&engine, project, repository.path()).await;
    let Err(EngineError::RepoUnusable(reason)) = refused else { panic!("{refused:?}") };
    assert!(reason.contains("FORGE_WORKSPACE_ROOT"), "{reason}");
}

#[tokio::test]
async fn w_3_a_root_too_deep_for_worktrees_is_reported_and_nothing_is_made() {
    let directory = tempfile::tempdir().unwrap();
    let repository = TestRepository::create(&directory.path().join("repo")).await;
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

/// S-6: the engine refuses it for every caller and every path into the repository.
#[tokio::test]
async fn issue_13_06_the_engine_itself_refuses_the_repository_of_another_project() {
    let world = EngineFixture::new().await;
    world.board_project().await;
    let asked = ProjectSpec {
        name: "Other".to_owned(),
        workspace_type: WorkspaceType::GitWorktree,
        workflow: EngineFixture::workflow("default"),
        settings: ProjectSettings::default(),
    };
    let other = world
        .engine()
        .projects()
        .create_project(EngineFixture::acting_user(), asked)
        .await
        .unwrap()
        .id;
    let (linked, borrowing) = (world.home().join("linked"), world.home().join("borrowing"));
    let (path, link) = (world.repository.path(), world.home().join("link"));
    std::os::unix::fs::symlink(path, &link).unwrap();
    let linked_text = linked.to_str().unwrap();
    world.repository.git(&["worktree", "add", "--quiet", "--detach", linked_text]).await;
    let borrowing_text = borrowing.to_str().unwrap();
    world.repository.git(&["clone", "--quiet", "--shared", ".", borrowing_text]).await;
    for place in [path, &link, &linked, &borrowing] {
        let refused = added(world.engine(), other, place).await;
        assert!(
            matches!(refused, Err(EngineError::PathNotAllowed { .. })),
            "{place:?}: {refused:?}"
        );
    }
    let clone = world.home().join("clone");
    world.repository.git(&["clone", "--quiet", "--no-local", ".", clone.to_str().unwrap()]).await;
    added(world.engine(), other, &clone).await.unwrap();
}

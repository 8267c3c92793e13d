//! Removing a repository from a project.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{TaskKey, WorkspaceStatus};
use forge_engine::{EngineError, LocalRepoSpec, PoolLimits, RemoteRepoSpec};
use forge_store::tables::{effects::next_due_at, repos};
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::test_repository::TestRepository;

const POOL: PoolLimits = PoolLimits { size: 1, disk_bytes: u64::MAX };

#[tokio::test]
async fn w_15_p_2_a_repository_without_tasks_is_removed_and_only_our_files_of_it() {
    let world = EngineFixture::with_pool(FaultSweep::counting(), None, POOL).await;
    let (engine, person) = (world.engine(), EngineFixture::acting_user());
    let before = world.repository.git(&["for-each-ref"]).await;
    let board = world.board_project().await;
    let other = world.project("Other", EngineFixture::workflow("default")).await.unwrap();
    let of = async |project| repos::list_of_project(engine.db(), project).await.unwrap();
    let shared = of(board).await[0].clone();
    let task = world.task(board, EngineFixture::task_request("Work")).await.unwrap();
    world.claim_by_hand(task).await;
    assert_eq!(world.pool().len(), 1);

    // While a task is worked on, and while its workspace is on the disk.
    let names_it = |refused: Result<(), EngineError>| {
        let error = refused.unwrap_err();
        assert!(
            matches!(&error, EngineError::RepoInUse { tasks, more: false, .. } if *tasks == [TaskKey(1)]),
            "{error}"
        );
        assert!(error.to_string().contains("T-1;"), "{error}");
    };
    names_it(engine.repos().remove_repo(person.clone(), board, shared.id).await);
    world.move_to(task, "cancelled").await;
    names_it(engine.repos().remove_repo(person.clone(), board, shared.id).await);
    world.clock.advance_to(next_due_at(engine.db()).await.unwrap().expect("its cleanup"));
    world.settle().await.unwrap();
    assert_eq!(world.load_task(task).await.workspace.unwrap().status, WorkspaceStatus::Cleaned);

    // Another project has it too, so the pool stays; another repository becomes the primary one.
    let second = TestRepository::create(&world.home().join("second")).await;
    let asked = LocalRepoSpec { path: second.path().to_owned(), name: None };
    engine.repos().add_repo(person.clone(), board, asked).await.unwrap();
    let url = format!("file://{}", second.path().display());
    let asked = RemoteRepoSpec { url, name: Some("clone".to_owned()), token: None };
    let clone = engine.repos().add_remote(person.clone(), board, asked).await.unwrap();
    world.settle().await.unwrap();
    let waiting = world.pool().len();
    engine.repos().remove_repo(person.clone(), board, shared.id).await.unwrap();
    world.settle().await.unwrap();
    assert_eq!(world.pool().len(), waiting);
    let left: Vec<_> = of(board).await.into_iter().map(|repo| (repo.name, repo.primary)).collect();
    assert_eq!(left, [("clone".to_owned(), false), ("second".to_owned(), true)]);
    let again = engine.repos().remove_repo(person.clone(), board, shared.id).await;
    assert!(matches!(again, Err(EngineError::NotFound { .. })), "{again:?}");
    assert!(world.load_task(task).await.repo_id.is_some(), "what ended still says where it was");

    // The last project that had it: the pool is removed from the disk and from git's list, and nothing else.
    let shared = of(other).await[0].clone();
    let elsewhere = engine.repos().remove_repo(person.clone(), board, shared.id).await;
    assert!(matches!(elsewhere, Err(EngineError::NotFound { .. })), "another project's");
    engine.repos().remove_repo(person.clone(), other, shared.id).await.unwrap();
    world.settle().await.unwrap();
    assert_eq!(world.pool().len(), waiting - 1);
    let list = world.repository.git(&["worktree", "list"]).await;
    assert_eq!(list.lines().count(), 1, "the person's own: {list}");
    let refs = world.repository.git(&["for-each-ref", "refs/heads/main", "refs/tags"]).await;
    assert!(
        before.contains(&refs) && world.repository.git(&["status", "--short"]).await.is_empty()
    );

    // A clone may hold journal entries that exist nowhere else, so it is kept.
    let path = std::path::PathBuf::from(clone.path.unwrap());
    engine.repos().remove_repo(person.clone(), board, clone.id).await.unwrap();
    world.settle().await.unwrap();
    assert!(!path.exists());
    let kept =
        TestRepository::open(&path.parent().unwrap().join(".kept").join(path.file_name().unwrap()));
    assert_eq!(kept.subjects("main").await, ["first"]);
    assert_eq!(kept.git(&["worktree", "list"]).await.lines().count(), 1);
}

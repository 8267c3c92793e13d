//! Pools of repositories that no project has are removed at start-up (W-15).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

use forge_engine::{EngineError, PoolLimits};
use forge_store::stmt;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use std::path::PathBuf;

const POOL: PoolLimits = PoolLimits { size: 2, disk_bytes: u64::MAX };

async fn waiting() -> EngineFixture {
    let world = EngineFixture::with_pool(FaultSweep::counting(), None, POOL).await;
    world.project("Board", EngineFixture::workflow("default")).await.unwrap();
    world.settle().await.unwrap();
    assert_eq!(world.pool().len(), 2);
    world
}

async fn remove_from_every_project(world: &EngineFixture) {
    let write = world.engine().db().write(|tx| {
        Box::pin(async move {
            tx.execute(stmt("DELETE FROM repos")).await?;
            Ok::<_, EngineError>(())
        })
    });
    write.await.unwrap();
}

fn pool_directories(world: &EngineFixture) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(world.workspaces().join(".pool")).unwrap().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

#[tokio::test]
async fn w_15_the_pool_of_an_unregistered_repository_is_removed_from_git_and_the_disk() {
    let mut world = waiting().await;
    // A worktree that a kill left incomplete and that no task can get.
    std::fs::remove_file(world.pool()[1].0.with_extension("ready")).unwrap();
    remove_from_every_project(&world).await;
    world.restart().await;
    world.settle().await.unwrap();
    assert_eq!(pool_directories(&world), Vec::<PathBuf>::new());
    let list = world.repository.git(&["worktree", "list"]).await;
    assert_eq!(list.lines().count(), 1, "the person's own: {list}");
    assert!(world.repository.try_git(&["fsck"]).await.0);
}

#[tokio::test]
async fn w_15_the_pool_of_a_deleted_repository_is_removed() {
    let mut world = waiting().await;
    remove_from_every_project(&world).await;
    std::fs::remove_dir_all(world.repository.path()).unwrap();
    world.restart().await;
    world.settle().await.unwrap();
    assert_eq!(pool_directories(&world), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn w_15_the_pool_of_an_unavailable_repository_stays() {
    let mut world = waiting().await;
    let before = world.pool();
    let (place, away) =
        (world.repository.path().to_owned(), world.repository.path().with_file_name("away"));
    std::fs::rename(&place, &away).unwrap();
    world.restart().await;
    world.settle().await.unwrap();
    assert_eq!(world.pool(), before);
    std::fs::rename(&away, &place).unwrap();
    world.restart().await;
    world.settle().await.unwrap();
    assert_eq!(world.pool(), before, "and is there when it is back");
}

//! Pools of repositories that no project has any more are cleared at the start (W-15).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

use forge_engine::{EngineError, PoolLimits};
use forge_store::stmt;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::world::World;
use std::path::PathBuf;

const POOL: PoolLimits = PoolLimits { size: 2, disk_bytes: u64::MAX };

async fn waiting() -> World {
    let world = World::with_pool(FaultSweep::counting(), None, POOL).await;
    world.project("Board", World::workflow("default")).await.unwrap();
    world.settle().await.unwrap();
    assert_eq!(world.pool().len(), 2);
    world
}

async fn remove_from_every_project(world: &World) {
    let write = world.engine().db().write(|tx| {
        Box::pin(async move {
            tx.execute(stmt("DELETE FROM repos")).await?;
            Ok::<_, EngineError>(())
        })
    });
    write.await.unwrap();
}

fn pool_directories(world: &World) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(world.workspaces().join(".pool")).unwrap().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

#[tokio::test]
async fn w_15_what_waits_for_a_repository_of_no_project_goes_from_gits_list_and_the_disk() {
    let mut world = waiting().await;
    // One that a kill left half-way, and that nobody can be given.
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
async fn w_15_what_waits_for_a_repository_that_is_gone_goes_too() {
    let mut world = waiting().await;
    remove_from_every_project(&world).await;
    std::fs::remove_dir_all(world.repository.path()).unwrap();
    world.restart().await;
    world.settle().await.unwrap();
    assert_eq!(pool_directories(&world), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn w_15_what_waits_for_a_repository_that_is_only_out_of_reach_stays() {
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

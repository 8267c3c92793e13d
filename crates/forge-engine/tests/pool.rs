//! Pooled worktrees (W-15) as a user sees them: claims use them, and nothing is lost.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::WorkspaceStatus;
use forge_domain::{Assignee, ProjectId, ResetScope, TaskCommand, TaskId, UserId};
use forge_engine::PoolLimits;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::test_repository::TestRepository;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use tokio::task::JoinSet;
use uuid::Uuid;

async fn world(size: usize, disk_bytes: u64) -> (EngineFixture, ProjectId) {
    let limits = PoolLimits { size, disk_bytes };
    let world = EngineFixture::with_pool(FaultSweep::counting(), None, limits).await;
    let project = world.board_project().await;
    world.settle().await.unwrap();
    (world, project)
}

async fn task(world: &EngineFixture, project: ProjectId, title: &str) -> TaskId {
    world.task(project, EngineFixture::task_request(title)).await.unwrap()
}

fn inode(directory: &Path) -> u64 {
    directory.join("numbers.txt").metadata().unwrap().ino()
}

fn ready(world: &EngineFixture) -> usize {
    world.pool().iter().filter(|(_, ready)| *ready).count()
}

#[tokio::test]
async fn w_15_a_claim_takes_a_pooled_worktree_and_another_one_is_made() {
    let (world, project) = world(2, u64::MAX).await;
    assert_eq!(ready(&world), 2);
    let waiting: Vec<u64> = world.pool().iter().map(|(path, _)| inode(path)).collect();
    let id = task(&world, project, "Walk").await;
    let claimed = world.claim_by_hand(id).await;
    let workspace = claimed.workspace.unwrap();
    assert_eq!(workspace.status, WorkspaceStatus::Ready);
    assert!(waiting.contains(&inode(Path::new(&workspace.path))), "no file was written again");
    assert_eq!(ready(&world), 2, "it was replaced");
    assert_eq!(world.repository.git(&["status", "--porcelain"]).await, "");
}

#[tokio::test]
async fn w_15_the_pool_follows_landings() {
    let (world, _) = world(1, u64::MAX).await;
    let id = world.worked_task("echo landed > landed.txt").await;
    assert_eq!(world.land_task(id).await.state.as_str(), "done");
    let [(waiting, true)] = &world.pool()[..] else { panic!("{:?}", world.pool()) };
    assert_eq!(std::fs::read_to_string(waiting.join("landed.txt")).unwrap(), "landed\n");
}

#[tokio::test]
async fn w_15_a_worktree_returns_to_the_pool_without_its_tasks_files() {
    let (world, _) = world(1, u64::MAX).await;
    let script = "echo .cache > .gitignore; echo secret > .cache; echo changed > README.md";
    let id = world.worked_task(script).await;
    // Make room in the pool for the task's own worktree.
    let (waiting, _) = world.pool().pop().unwrap();
    let used = world.workspace_dir(id).await;
    let number = inode(&used);
    std::fs::remove_file(waiting.with_extension("ready")).unwrap();
    let waiting = waiting.to_str().unwrap();
    world.repository.git(&["worktree", "remove", "--force", waiting]).await;
    let next = world.agent("next", "").await.unwrap();
    world.reassign(id, next, ResetScope::Workspace).await;
    assert!(!used.exists());
    let [(waiting, true)] = &world.pool()[..] else { panic!("{:?}", world.pool()) };
    assert_eq!(inode(waiting), number, "the same worktree");
    assert!(!waiting.join(".cache").exists(), "ignored files are another task's business");
    let status = TestRepository::open(waiting).git(&["status", "--porcelain", "--ignored"]).await;
    assert_eq!(status, "");
}

#[tokio::test]
async fn w_15_the_pool_survives_a_restart_and_outside_changes_are_undone() {
    let (mut world, project) = world(2, u64::MAX).await;
    let before: Vec<u64> = world.pool().iter().map(|(path, _)| inode(path)).collect();
    std::fs::write(world.pool()[1].0.join("left.txt"), "left").unwrap();
    world.restart().await;
    world.settle().await.unwrap();
    let after: Vec<u64> = world.pool().iter().map(|(path, _)| inode(path)).collect();
    assert_eq!((after, ready(&world)), (before, 2));
    for (path, _) in world.pool() {
        assert!(!path.join("left.txt").exists());
    }
    let id = task(&world, project, "After").await;
    assert!(world.claim_by_hand(id).await.workspace.is_some());
}

#[tokio::test]
async fn w_15_the_disk_limit_holds_and_claims_continue() {
    let (world, project) = world(3, 1000).await;
    assert_eq!(world.pool(), []);
    let id = task(&world, project, "Without").await;
    assert_eq!(world.claim_by_hand(id).await.workspace.unwrap().status, WorkspaceStatus::Ready);
    assert_eq!(world.pool(), []);
}

#[tokio::test]
async fn w_12_fifty_claims_at_once_all_get_a_workspace_and_git_agrees() {
    const CLAIMS: usize = 50;
    let (world, project) = world(5, u64::MAX).await;
    let before = world.repository.git(&["status", "--porcelain=v2", "--branch"]).await;
    let mut tasks = Vec::new();
    for number in 0..CLAIMS {
        tasks.push(task(&world, project, &format!("Task {number}")).await);
    }
    let mut claiming = JoinSet::new();
    for id in tasks.iter().copied() {
        let engine = world.engine().clone();
        claiming.spawn(async move {
            let claimer = Assignee::User { id: UserId::new(Uuid::from_u128(7)) };
            engine
                .commands()
                .handle(EngineFixture::acting_user(), id, TaskCommand::Claim { claimer })
                .await
                .unwrap();
        });
    }
    claiming.join_all().await;
    world.settle().await.unwrap();
    let mut ours = vec![world.repository.path().canonicalize().unwrap()];
    for id in tasks {
        let workspace = world.engine().records().task(id).await.unwrap().workspace.unwrap();
        assert_eq!(workspace.status, WorkspaceStatus::Ready);
        ours.push(workspace.path.into());
    }
    ours.extend(world.pool().into_iter().map(|(path, _)| path.canonicalize().unwrap()));
    let listed = world.repository.git(&["worktree", "list", "--porcelain"]).await;
    let mut listed: Vec<std::path::PathBuf> =
        listed.lines().filter_map(|line| line.strip_prefix("worktree ")).map(Into::into).collect();
    listed.sort();
    ours.sort();
    assert_eq!(listed, ours);
    assert_eq!(world.repository.git(&["status", "--porcelain=v2", "--branch"]).await, before);
}

/// After a first burst of claims the next one of that size finds as many worktrees ready; half an hour later the pool is
/// back at its size.
#[tokio::test]
async fn w_15_the_pool_grows_with_a_burst_and_shrinks_when_idle() {
    const BURST: usize = 10;
    let (world, project) = world(1, u64::MAX).await;
    for number in 0..BURST {
        let id = task(&world, project, &format!("First {number}")).await;
        world.claim_by_hand(id).await;
    }
    world.settle().await.unwrap();
    assert_eq!(ready(&world), BURST);
    world.clock.advance_to(world.engine().now().plus_seconds(30 * 60));
    world.engine().worktree_pools().maintain_pools().await;
    world.settle().await.unwrap();
    assert_eq!(ready(&world), 1);
}

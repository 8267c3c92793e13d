//! Ignored files of a task that the next task may or may not get (W-15).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use forge_git::{IgnoredFilesOwner, LOCK_FILE, LockedWorktree, WorktreeBranch, WorktreePool};
use support::{World, branch, git_in, read, write};

async fn pool(world: &World, keepers: &[&str]) -> WorktreePool {
    let pool = WorktreePool::open(&world.repo, &world.root, &world.locks).expect("opens");
    pool.for_ignored_files_owners(keepers.iter().map(IgnoredFilesOwner::new).collect())
}

/// A repository that ignores `cache/`, and a worktree of it that a task has used.
async fn used(world: &World) -> LockedWorktree {
    write(&world.person().join(".gitignore"), "cache/\n");
    world.person_git(&["add", "-A"]);
    world.person_git(&["commit", "-q", "-m", "ignores"]);
    let worktree = world.add("one").await;
    let path = worktree.path();
    write(&path.join("cache/built"), "slow to make\n");
    write(&path.join("a.txt"), "changed\n");
    write(&path.join("untracked"), "from before\n");
    // Only the task's own rules ignore this file.
    write(&path.join(".gitignore"), "cache/\nsecret\n");
    write(&path.join("secret"), "the task's\n");
    git_in(path, &["add", ".gitignore"]);
    worktree
}

/// Recycles the worktree for some owners and repairs the pool for others; returns whether it is ready.
async fn recycled(world: &World, for_one: &[&str], for_all: &[&str]) -> bool {
    let worktree = used(world).await;
    let back = world.lock().await.recycle_worktree(&pool(world, for_one).await, &worktree).await;
    assert!(back.expect("goes back"));
    drop(worktree);
    tend(world, for_all).await
}

async fn tend(world: &World, for_all: &[&str]) -> bool {
    let pool = pool(world, for_all).await;
    let turn = pool.lock().await.expect("ours");
    turn.withdraw_foreign().await.expect("recalls");
    turn.inspect_ready().await.expect("looks");
    turn.repair(&world.main().await).await.expect("mends");
    pool.ready().len() == 1
}

async fn adopted(world: &World, keepers: &[&str], name: &str) -> Option<LockedWorktree> {
    let hold = world.hold(name).await;
    let wanted =
        WorktreeBranch::New { name: branch(&format!("forge/{name}")), base: world.main().await };
    let adopted = pool(world, keepers).await.adopt(&hold, &wanted).await.expect("looks")?;
    Some(adopted.finish().await.expect("finishes"))
}

#[tokio::test]
async fn w_15_ignored_files_of_an_allowed_owner_stay_and_nothing_else_does() {
    let world = World::new().await;
    assert!(recycled(&world, &["p"], &["p", "q"]).await);
    assert!(tend(&world, &["p", "q"]).await, "and looking again finds nothing wrong");
    let next = adopted(&world, &["p"], "two").await.expect("it waits");
    assert_eq!(read(&next.path().join("cache/built")), "slow to make\n");
    let status = git_in(next.path(), &["status", "--porcelain", "--ignored"]);
    assert_eq!(status.trim(), format!("!! {LOCK_FILE}\n!! cache/"), "{status}");
    assert!(!next.path().join("secret").exists() && !next.path().join("untracked").exists());
}

#[tokio::test]
async fn w_15_ignored_files_are_removed_unless_an_owner_may_keep_them() {
    let world = World::new().await;
    assert!(recycled(&world, &[], &["p"]).await);
    let next = adopted(&world, &["p"], "two").await.expect("it waits");
    assert!(!next.path().join("cache").exists());
}

#[tokio::test]
async fn w_15_no_task_gets_ignored_files_of_another_owner() {
    let world = World::new().await;
    assert!(recycled(&world, &["p"], &["p"]).await);
    assert!(adopted(&world, &[], "two").await.is_none());
    assert!(adopted(&world, &["q"], "three").await.is_none());
    assert!(adopted(&world, &["p"], "four").await.is_some());
}

#[tokio::test]
async fn w_15_ignored_files_are_removed_once_their_owner_may_not_keep_them() {
    let world = World::new().await;
    assert!(recycled(&world, &["p"], &["p"]).await);
    assert!(tend(&world, &["q"]).await, "it is made ready again");
    let next = adopted(&world, &[], "two").await.expect("any task may have it now");
    assert!(!next.path().join("cache").exists());
}

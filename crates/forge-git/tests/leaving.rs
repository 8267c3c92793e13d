//! Worktrees that are moved out of the way and dealt with later.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use forge_git::{DirectoryName, HeldWorktree, Patience, WorkspaceHold};
use support::{World, branch, directory, git_in, holder, read, write};

/// A worktree with work in every place where git keeps some.
async fn worked_on(world: &World, name: &str) -> HeldWorktree {
    let worktree = world.add(name).await;
    write(&worktree.path().join("staged"), "staged\n");
    git_in(worktree.path(), &["add", "staged"]);
    write(&worktree.path().join("a.txt"), "edited\n");
    write(&worktree.path().join("loose"), "loose\n");
    worktree
}

const STATUS: &str = " M a.txt\nA  staged\n?? loose\n";

/// What left, as a workspace of its own.
async fn left(world: &World, name: &DirectoryName) -> WorkspaceHold {
    let root = world.root.leaving();
    let holding = world.workspace_locks.hold(&root, name, holder("later"), Patience::Reject);
    holding.await.expect("nobody is in it")
}

#[tokio::test]
async fn w_7_a_worktree_that_leaves_stays_one() {
    let world = World::new().await;
    let place = worked_on(&world, "one").await.path().to_owned();
    assert!(world.lock().await.set_leaving(&world.hold("one").await).await.expect("moves"));
    assert!(!place.exists());
    world.release_holds().await;
    let hold = left(&world, &directory("one")).await;
    let worktree = hold.worktree(&world.repo, &branch("forge/one")).await.expect("reads");
    let worktree = worktree.expect("it is there");
    worktree.verify().await.expect("sound");
    assert_eq!(git_in(worktree.path(), &["status", "--porcelain"]), STATUS);
    assert_eq!(git_in(worktree.path(), &["branch", "--show-current"]), "forge/one\n");
    world.fsck();
}

#[tokio::test]
async fn w_7_a_move_that_was_cut_off_goes_on_in_either_direction() {
    let world = World::new().await;
    let place = worked_on(&world, "one").await.path().to_owned();
    let away = world.root.leaving().directory(&directory("one"));
    std::fs::create_dir(world.root.leaving().path()).expect("made");
    // Killed after the rename, before git's record followed.
    std::fs::rename(&place, &away).expect("moves");
    let (locked, hold) = (world.lock().await, world.hold("one").await);
    assert!(locked.set_leaving(&hold).await.expect("goes on"));
    assert_eq!(git_in(&away, &["status", "--porcelain"]), STATUS);
    // Killed on the way back, after git's record had followed.
    assert!(locked.take_back(&hold).await.expect("moves back"));
    std::fs::rename(&place, &away).expect("moves");
    assert!(locked.take_back(&hold).await.expect("goes on"));
    assert_eq!(git_in(&place, &["status", "--porcelain"]), STATUS);
    assert!(!locked.take_back(&hold).await.expect("it is back"));
}

#[tokio::test]
async fn w_7_what_left_before_is_not_covered_by_what_comes_after() {
    let world = World::new().await;
    let place = worked_on(&world, "one").await.path().to_owned();
    let away = world.root.leaving().directory(&directory("one"));
    write(&away.join("older"), "older\n");
    let (locked, hold) = (world.lock().await, world.hold("one").await);
    assert!(locked.set_leaving(&hold).await.expect("looks"), "something is to be dealt with");
    assert_eq!(read(&away.join("older")), "older\n");
    assert_eq!(git_in(&place, &["status", "--porcelain"]), STATUS);
    assert!(!locked.take_back(&hold).await.expect("looks"), "its place is taken");
    let nothing = world.hold("two").await;
    assert!(!locked.set_leaving(&nothing).await.expect("looks"), "there is none of this name");
}

#[tokio::test]
async fn w_5_a_symlink_in_a_worktrees_place_leaves_alone() {
    let world = World::new().await;
    let place = world.add("one").await.path().to_owned();
    let precious = world.home().join("precious");
    write(&precious.join("file"), "mine\n");
    std::fs::remove_dir_all(&place).expect("there");
    std::os::unix::fs::symlink(&precious, &place).expect("links");
    assert!(world.lock().await.set_leaving(&world.hold("one").await).await.expect("moves"));
    assert!(place.symlink_metadata().is_err());
    assert_eq!(read(&precious.join("file")), "mine\n");
}

//! Staged removal of worktrees: moved aside now, deleted later.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use forge_git::{DirectoryName, LockWait, LockedWorktree, WorkspaceLockGuard, WorkspaceRoot};
use support::{World, branch, directory, git_in, holder, read, write};

/// A worktree with changes in every place where git keeps state.
async fn worked_on(world: &World, name: &str) -> LockedWorktree {
    let worktree = world.add(name).await;
    write(&worktree.path().join("staged"), "staged\n");
    git_in(worktree.path(), &["add", "staged"]);
    write(&worktree.path().join("a.txt"), "edited\n");
    write(&worktree.path().join("loose"), "loose\n");
    worktree
}

const STATUS: &str = " M a.txt\nA  staged\n?? loose\n";

/// Locks a staged worktree as a workspace of its own.
async fn left(world: &World, name: &DirectoryName) -> WorkspaceLockGuard {
    let root = world.root.staged_removals();
    let holding = world.workspace_locks.acquire(&root, name, holder("later"), LockWait::Reject);
    holding.await.expect("it is not locked")
}

#[tokio::test]
async fn w_7_a_staged_worktree_stays_a_valid_worktree() {
    let world = World::new().await;
    let place = worked_on(&world, "one").await.path().to_owned();
    assert!(world.lock().await.stage_removal(&world.hold("one").await).await.expect("moves"));
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
async fn w_7_an_interrupted_move_continues_in_either_direction() {
    let world = World::new().await;
    let place = worked_on(&world, "one").await.path().to_owned();
    let away = world.root.staged_removals().directory(&directory("one"));
    std::fs::create_dir(world.root.staged_removals().path()).expect("made");
    // Killed after the rename, before git's record was updated.
    std::fs::rename(&place, &away).expect("moves");
    let (locked, hold) = (world.lock().await, world.hold("one").await);
    assert!(locked.stage_removal(&hold).await.expect("goes on"));
    assert_eq!(git_in(&away, &["status", "--porcelain"]), STATUS);
    // Killed on the way back, after git's record was updated.
    assert!(locked.cancel_removal(&hold).await.expect("moves back"));
    std::fs::rename(&place, &away).expect("moves");
    assert!(locked.cancel_removal(&hold).await.expect("goes on"));
    assert_eq!(git_in(&place, &["status", "--porcelain"]), STATUS);
    assert!(!locked.cancel_removal(&hold).await.expect("it is back"));
}

/// D-2: earlier versions staged removals in `.leaving`, and git's records name that path.
#[tokio::test]
async fn d_2_a_removal_staged_by_an_earlier_version_continues_in_either_direction() {
    let world = World::new().await;
    let place = worked_on(&world, "one").await.path().to_owned();
    let old = world.root.path().join(".leaving");
    for back in [true, false] {
        std::fs::create_dir(&old).expect("made");
        let (from, to) = (place.to_str().unwrap(), old.join("one"));
        world.person_git(&["worktree", "move", from, to.to_str().unwrap()]);
        let root = WorkspaceRoot::open(world.root.path()).await.expect("opens");
        assert!(!old.exists() && root.staged_removals().directory(&directory("one")).exists());
        let (locked, hold) = (world.lock().await, world.hold("one").await);
        if back {
            assert!(locked.cancel_removal(&hold).await.expect("moves back"));
            assert_eq!(git_in(&place, &["status", "--porcelain"]), STATUS);
            std::fs::remove_dir(root.staged_removals().path()).expect("empty");
        } else {
            assert!(locked.stage_removal(&hold).await.expect("goes on"));
            let staged = root.staged_removals().directory(&directory("one"));
            assert_eq!(git_in(&staged, &["status", "--porcelain"]), STATUS);
        }
        drop((locked, hold));
        world.release_holds().await;
    }
    world.fsck();
}

#[tokio::test]
async fn w_7_a_pending_removal_is_not_overwritten_by_a_later_one() {
    let world = World::new().await;
    let place = worked_on(&world, "one").await.path().to_owned();
    let away = world.root.staged_removals().directory(&directory("one"));
    write(&away.join("older"), "older\n");
    let (locked, hold) = (world.lock().await, world.hold("one").await);
    assert!(locked.stage_removal(&hold).await.expect("looks"), "something is to be dealt with");
    assert_eq!(read(&away.join("older")), "older\n");
    assert_eq!(git_in(&place, &["status", "--porcelain"]), STATUS);
    assert!(!locked.cancel_removal(&hold).await.expect("looks"), "its place is taken");
    let nothing = world.hold("two").await;
    assert!(!locked.stage_removal(&nothing).await.expect("looks"), "there is none of this name");
}

#[tokio::test]
async fn w_5_staging_a_symlink_does_not_touch_its_target() {
    let world = World::new().await;
    let place = world.add("one").await.path().to_owned();
    let precious = world.home().join("precious");
    write(&precious.join("file"), "mine\n");
    std::fs::remove_dir_all(&place).expect("there");
    std::os::unix::fs::symlink(&precious, &place).expect("links");
    assert!(world.lock().await.stage_removal(&world.hold("one").await).await.expect("moves"));
    assert!(place.symlink_metadata().is_err());
    assert_eq!(read(&precious.join("file")), "mine\n");
}

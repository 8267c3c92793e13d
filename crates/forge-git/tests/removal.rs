//! Removing worktrees and branches.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use forge_git::BranchMoveError;
use support::{World, branch, read, write};

#[tokio::test]
async fn w_7_removal_deletes_the_directory_and_only_its_own_record() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    let other = world.add("two").await;
    world.person_git(&["worktree", "add", "-q", "../far"]);
    // A record of a worktree on an unmounted disk: a prune would delete it.
    std::fs::rename(world.home().join("far"), world.home().join("unmounted")).expect("moves");
    write(&worktree.path().join("untracked"), "x");
    let locked = world.lock().await;
    let removed = locked.remove_worktree(&world.hold("one").await).await.expect("removes");
    assert!(removed.directory && removed.record);
    assert!(!worktree.path().exists() && !worktree.git_dir().exists());
    let again = locked.remove_worktree(&world.hold("one").await).await.expect("nothing to do");
    assert!(!again.directory && !again.record);
    other.verify().await.expect("untouched");
    assert!(world.repo.common_dir().join("worktrees/far").exists());
    assert!(world.repo.tip(&branch("forge/one")).await.expect("reads").is_some());
}

#[tokio::test]
async fn w_7_an_interrupted_removal_is_finished() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    let trash = world.root.path().join(".trash");
    std::fs::create_dir(&trash).expect("made");
    std::fs::rename(worktree.path(), trash.join("one.0")).expect("moves");
    let removed =
        world.lock().await.remove_worktree(&world.hold("one").await).await.expect("finishes");
    assert!(!removed.directory && removed.record);
    assert_eq!(world.root.empty_trash().await.expect("deletes"), 1);
    assert_eq!(world.root.empty_trash().await.expect("nothing left"), 0);
}

#[tokio::test]
async fn w_5_removing_a_symlink_does_not_reach_through_it() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    let precious = world.home().join("precious");
    write(&precious.join("file"), "mine\n");
    std::fs::remove_dir_all(worktree.path()).expect("there");
    std::os::unix::fs::symlink(&precious, worktree.path()).expect("links");
    let removed =
        world.lock().await.remove_worktree(&world.hold("one").await).await.expect("removes");
    assert!(removed.directory && removed.record);
    assert_eq!(read(&precious.join("file")), "mine\n");
}

#[tokio::test]
async fn p_1_a_branch_is_deleted_only_at_the_expected_commit_and_if_unused() {
    let world = World::new().await;
    let head = world.commit_on("one", &[("work.txt", "x\n")]).await;
    let main = world.main().await;
    let name = branch("forge/one");
    let locked = world.lock().await;
    let moved = locked.delete_branch(&name, &main).await;
    assert!(
        matches!(&moved, Err(BranchMoveError::Moved { actual: Some(actual), .. }) if *actual == head)
    );
    let used = locked.delete_branch(&name, &head).await;
    assert!(matches!(used, Err(BranchMoveError::CheckedOut { .. })), "{used:?}");
    locked.remove_worktree(&world.hold("one").await).await.expect("removes");
    assert!(locked.delete_branch(&name, &head).await.expect("deletes"));
    assert!(!locked.delete_branch(&name, &head).await.expect("is gone"));
    assert_eq!(world.repo.tip(&name).await.expect("reads"), None);
}

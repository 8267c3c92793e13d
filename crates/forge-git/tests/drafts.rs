//! Files that are written before their worktree is there (W-15).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::path::PathBuf;

use forge_git::{AddError, Draft, HeldWorktree, ObjectId, WorktreeBranch};
use support::{World, branch, git_in, write};

async fn add(
    world: &World,
    name: &str,
    base: &ObjectId,
    draft: Draft,
) -> Result<HeldWorktree, AddError> {
    let hold = world.hold(name).await;
    let wanted = WorktreeBranch::New { name: branch(name), base: base.clone() };
    world.repo.add_drafted_worktree(&world.locks, &hold, &wanted, Some(draft)).await
}

fn drafts(world: &World) -> Vec<PathBuf> {
    let found = std::fs::read_dir(world.root.path().join(".drafts"));
    found.map(|found| found.map(|entry| entry.unwrap().path()).collect()).unwrap_or_default()
}

/// The person commits.
fn move_on(world: &World) {
    write(&world.person().join("a.txt"), "moved on\n");
    world.person_git(&["commit", "-q", "-a", "-m", "second"]);
}

/// Deleting is done on a thread of its own.
async fn nothing_is_left(world: &World) {
    while !drafts(world).is_empty() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn w_15_files_that_were_begun_before_are_the_worktrees() {
    let world = World::new().await;
    let base = world.main().await;
    let draft = Draft::begin(&world.repo, &world.root, base.clone());
    assert_eq!(draft.commit(), &base);
    let worktree = add(&world, "task", &base, draft).await.expect("made");
    assert_eq!(std::fs::read_to_string(worktree.path().join("dir/b.txt")).unwrap(), "b\n");
    assert_eq!(git_in(worktree.path(), &["status", "--porcelain"]), "");
    assert_eq!(git_in(worktree.path(), &["symbolic-ref", "HEAD"]).trim(), "refs/heads/task");
    worktree.verify().await.expect("as recorded");
    assert!(drafts(&world).is_empty());
}

#[tokio::test]
async fn w_15_files_of_another_commit_are_not_taken() {
    let world = World::new().await;
    let draft = Draft::begin(&world.repo, &world.root, world.main().await);
    move_on(&world);
    let worktree = add(&world, "task", &world.main().await, draft).await.expect("made");
    assert_eq!(std::fs::read_to_string(worktree.path().join("a.txt")).unwrap(), "moved on\n");
    assert_eq!(git_in(worktree.path(), &["status", "--porcelain"]), "");
    nothing_is_left(&world).await;
}

#[tokio::test]
async fn w_15_files_that_nobody_wants_are_gone() {
    let world = World::new().await;
    let base = world.main().await;
    drop(Draft::begin(&world.repo, &world.root, base.clone()));
    nothing_is_left(&world).await;

    move_on(&world);
    world.person_git(&["branch", "task"]);
    let draft = Draft::begin(&world.repo, &world.root, base.clone());
    let refused = add(&world, "task", &base, draft).await.expect_err("it is elsewhere");
    assert!(matches!(refused, AddError::BranchExists { .. }), "{refused}");
    nothing_is_left(&world).await;
    assert!(!world.root.path().join("task").exists());
}

#[tokio::test]
async fn w_15_what_is_in_the_way_stays_and_is_told() {
    let world = World::new().await;
    let base = world.main().await;
    write(&world.root.path().join("task/mine"), "a person's\n");
    let draft = Draft::begin(&world.repo, &world.root, base.clone());
    let refused = add(&world, "task", &base, draft).await.expect_err("in the way");
    assert!(matches!(refused, AddError::Occupied { .. }), "{refused}");
    let mine = world.root.path().join("task/mine");
    assert_eq!(std::fs::read_to_string(mine).unwrap(), "a person's\n");
    nothing_is_left(&world).await;
}

/// A repository whose files git alone can write: the draft is empty, and git writes them.
#[tokio::test]
async fn w_15_where_git_writes_the_files_nothing_was_begun() {
    let world = World::new().await;
    write(&world.person().join(".gitattributes"), "*.txt text eol=crlf\n");
    world.person_git(&["add", "-A"]);
    world.person_git(&["commit", "-q", "-m", "converted"]);
    let base = world.main().await;
    let draft = Draft::begin(&world.repo, &world.root, base.clone());
    let worktree = add(&world, "task", &base, draft).await.expect("made");
    assert_eq!(std::fs::read_to_string(worktree.path().join("dir/b.txt")).unwrap(), "b\r\n");
    assert_eq!(git_in(worktree.path(), &["status", "--porcelain"]), "");
    nothing_is_left(&world).await;
}

/// A kill leaves the files, and the next start throws them away.
#[tokio::test]
async fn p_4_what_a_killed_server_left_goes_at_the_next_start() {
    let world = World::new().await;
    write(&world.root.path().join(".drafts/1-0/half/made"), "x\n");
    world.root.discard_drafts().expect("discarded");
    assert!(drafts(&world).is_empty());
    assert_eq!(world.root.empty_trash().await.expect("emptied"), 1);
    world.root.discard_drafts().expect("nothing to discard");
    let base = world.main().await;
    let draft = Draft::begin(&world.repo, &world.root, base.clone());
    add(&world, "task", &base, draft).await.expect("made");
    world.root.discard_drafts().expect("an empty one goes");
    let base = world.main().await;
    let draft = Draft::begin(&world.repo, &world.root, base.clone());
    add(&world, "other", &base, draft).await.expect("made where none is");
}

/// W-5: an agent that puts a symlink in the place of all drafts has nothing written through it.
#[tokio::test]
async fn w_5_drafts_behind_a_symlink_are_not_begun() {
    let world = World::new().await;
    let elsewhere = world.home().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, world.root.path().join(".drafts")).unwrap();
    let base = world.main().await;
    let draft = Draft::begin(&world.repo, &world.root, base.clone());
    let worktree = add(&world, "task", &base, draft).await.expect("made in its own place");
    assert_eq!(git_in(worktree.path(), &["status", "--porcelain"]), "");
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
}

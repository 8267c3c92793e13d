//! Landing: merge in the object database, move the branch, bring a person's checkout forward.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::collections::BTreeMap;
use std::path::PathBuf;

use forge_git::{Checkout, FastForwardError, GitError, LockedRepo, MoveError, ObjectId, Squash};
use support::{World, branch, read, signature, write};

async fn land(world: &World, head: &ObjectId) -> (ObjectId, ObjectId) {
    let old = world.main().await;
    let Squash::Clean { tree } = world.repo.try_squash(&old, head).await.expect("merges") else {
        panic!("not clean");
    };
    let new = world
        .repo
        .commit_tree(&tree, std::slice::from_ref(&old), "squashed\n", &signature())
        .await
        .expect("commits");
    (old, new)
}

async fn checkout(world: &World) -> Checkout {
    let mut found = world.repo.checkouts_of(&branch("main")).await.expect("lists");
    assert_eq!(found.len(), 1);
    found.remove(0)
}

/// Brings the checkouts of main forward.
async fn forward(
    locked: &LockedRepo,
    old: &ObjectId,
    new: &ObjectId,
) -> Result<(), FastForwardError> {
    for held in locked.hold_checkouts(&branch("main"), old, new).await? {
        held.follow(locked, old, new).await?;
    }
    Ok(())
}

/// What it shows, the file that is in the way, and how it got there.
type Case = (&'static str, &'static str, fn(&World));

/// The files of the person, without git's directory.
fn files(world: &World) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = world.person_bytes();
    found.retain(|path, _| !path.starts_with(world.person().join(".git")));
    found
}

#[tokio::test]
async fn m_6_a_branch_is_squashed_without_any_checkout() {
    let world = World::new().await;
    let head = world
        .commit_on("one", &[("new.txt", "new\n"), ("a.txt", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n")])
        .await;
    write(&world.person().join("other.txt"), "other\n");
    world.person_git(&["add", "-A"]);
    world.person_git(&["commit", "-q", "-m", "meanwhile"]);
    let before = world.person_bytes();
    let (old, new) = land(&world, &head).await;
    assert_eq!(world.person_bytes(), before, "finding out changes nothing");
    let (_, again) = land(&world, &head).await;
    assert_eq!(again, new, "the same inputs make the same commit");
    let locked = world.lock().await;
    locked.move_branch(&branch("main"), &new, &old, "merge: forge/one").await.expect("moves");
    assert_eq!(world.main().await, new);
    let names = world.person_git(&["ls-tree", "-r", "--name-only", "main"]);
    assert_eq!(names, "a.txt\ndir/b.txt\nnew.txt\nother.txt\n");
    assert_eq!(world.person_git(&["rev-list", "--count", "main"]), "3\n");
    world.fsck();
}

#[tokio::test]
async fn m_8_already_merged_empty_and_same_content_are_nothing_to_merge() {
    let world = World::new().await;
    let main = world.main().await;
    assert_eq!(world.repo.try_squash(&main, &main).await.expect("merges"), Squash::Nothing);
    let head = world.commit_on("one", &[("new.txt", "new\n")]).await;
    let (old, new) = land(&world, &head).await;
    world.lock().await.move_branch(&branch("main"), &new, &old, "land").await.expect("moves");
    // Squashed already: the branch is no ancestor, but its content is all there.
    assert!(!world.repo.is_ancestor(&head, &new).await.expect("asks"));
    assert_eq!(world.repo.try_squash(&new, &head).await.expect("merges"), Squash::Nothing);
    assert_eq!(world.repo.try_squash(&new, &old).await.expect("merges"), Squash::Nothing);
}

#[tokio::test]
async fn m_9_a_conflict_names_the_files_and_changes_nothing() {
    let world = World::new().await;
    let head =
        world.commit_on("one", &[("a.txt", "mine\n"), ("dir/b.txt", "mine\n"), ("ok", "x")]).await;
    write(&world.person().join("a.txt"), "theirs\n");
    write(&world.person().join("dir/b.txt"), "theirs\n");
    world.person_git(&["commit", "-q", "-a", "-m", "meanwhile"]);
    let main = world.main().await;
    let before = world.person_bytes();
    let found = world.repo.try_squash(&main, &head).await.expect("merges");
    let Squash::Conflict { files, tree } = found else { panic!("{found:?}") };
    assert_eq!(files, ["a.txt", "dir/b.txt"]);
    let hunks = world.repo.load_hunks(&tree, &files).await.expect("reads");
    assert_eq!(hunks.len(), 2, "both sides of each file are told: {hunks:?}");
    assert!(hunks.iter().all(|hunk| hunk.text.contains("\n=======\n")), "{hunks:?}");
    assert_eq!(world.person_bytes(), before);
}

#[tokio::test]
async fn m_6_attributes_of_the_target_decide_how_files_merge() {
    let world = World::new().await;
    write(&world.person().join(".gitattributes"), "list merge=union\n");
    write(&world.person().join("list"), "start\n");
    world.person_git(&["add", "-A"]);
    world.person_git(&["commit", "-q", "-m", "list"]);
    let head = world.commit_on("one", &[("list", "start\nmine\n")]).await;
    write(&world.person().join("list"), "start\ntheirs\n");
    world.person_git(&["commit", "-q", "-a", "-m", "meanwhile"]);
    let main = world.main().await;
    let found = world.repo.try_squash(&main, &head).await.expect("merges");
    assert!(matches!(found, Squash::Clean { .. }), "{found:?}");
}

#[tokio::test]
async fn m_9_a_moved_target_is_contention_and_a_repeated_move_is_done() {
    let world = World::new().await;
    let head = world.commit_on("one", &[("new.txt", "new\n")]).await;
    let (old, new) = land(&world, &head).await;
    world.person_git(&["commit", "-q", "--allow-empty", "-m", "meanwhile"]);
    let actual = world.main().await;
    let main = branch("main");
    let locked = world.lock().await;
    match locked.move_branch(&main, &new, &old, "land").await {
        Err(MoveError::Moved { actual: Some(found), .. }) => assert_eq!(found, actual),
        other => panic!("{other:?}"),
    }
    assert_eq!(world.main().await, actual);
    let (old, new) = land(&world, &head).await;
    locked.move_branch(&main, &new, &old, "land").await.expect("moves");
    locked.move_branch(&main, &new, &old, "land").await.expect("is done");
    let gone = locked.move_branch(&branch("gone"), &new, &old, "land").await;
    assert!(matches!(gone, Err(MoveError::Moved { actual: None, .. })), "{gone:?}");
}

#[tokio::test]
async fn m_7_checkouts_of_a_branch_include_the_person_and_linked_ones() {
    let world = World::new().await;
    assert_eq!(checkout(&world).await.path(), world.person());
    world.person_git(&["worktree", "add", "-q", "../with space", "-b", "side"]);
    let side = world.repo.checkouts_of(&branch("side")).await.expect("lists");
    assert_eq!(side.len(), 1);
    assert_eq!(side[0].path(), world.home().join("with space"));
    world.person_git(&["checkout", "-q", "--detach"]);
    assert!(world.repo.checkouts_of(&branch("main")).await.expect("lists").is_empty());
}

#[tokio::test]
async fn m_7_a_checkout_goes_forward_and_local_work_elsewhere_stays_byte_by_byte() {
    let world = World::new().await;
    let person = world.person();
    let head = world.commit_on("one", &[("new.txt", "new\n"), ("a.txt", "changed\n")]).await;
    write(&person.join("dir/b.txt"), "local edit\n");
    write(&person.join("staged.txt"), "staged\n");
    world.person_git(&["add", "staged.txt"]);
    write(&person.join("untracked"), "untracked\n");
    // Written anew with the same content: only its time stamp differs, which is no local work.
    let same = read(&person.join("a.txt"));
    std::fs::remove_file(person.join("a.txt")).expect("there");
    write(&person.join("a.txt"), same);
    let (old, new) = land(&world, &head).await;
    let checkout = checkout(&world).await;
    let before = world.person_bytes();
    checkout.can_fast_forward(&old, &new).await.expect("can");
    assert_eq!(world.person_bytes(), before, "asking changes nothing, not even the index");
    let kept = |mut all: BTreeMap<PathBuf, Vec<u8>>| {
        all.retain(|path, _| !["a.txt", "new.txt"].iter().any(|name| *path == person.join(name)));
        all
    };
    let work = kept(files(&world));
    let locked = world.lock().await;
    locked.move_branch(&branch("main"), &new, &old, "land").await.expect("moves");
    // As after a crash between the two: done once, and once more.
    for _ in 0..2 {
        forward(&locked, &old, &new).await.expect("goes forward");
        assert_eq!(kept(files(&world)), work);
        assert_eq!(read(&person.join("a.txt")), "changed\n");
        assert_eq!(read(&person.join("new.txt")), "new\n");
        let status = world.person_git(&["status", "--porcelain"]);
        assert_eq!(status, " M dir/b.txt\nA  staged.txt\n?? untracked\n");
    }
}

#[tokio::test]
async fn m_7_local_work_in_the_way_is_named_and_nothing_is_touched() {
    let cases: &[Case] = &[
        ("edited", "a.txt", |world| write(&world.person().join("a.txt"), "mine\n")),
        ("deleted", "a.txt", |world| {
            std::fs::remove_file(world.person().join("a.txt")).expect("there");
        }),
        ("staged", "a.txt", |world| {
            write(&world.person().join("a.txt"), "mine\n");
            world.person_git(&["add", "a.txt"]);
            write(&world.person().join("a.txt"), "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
        }),
        ("untracked", "new.txt", |world| write(&world.person().join("new.txt"), "mine\n")),
        ("ignored", "new.txt", |world| {
            write(&world.person().join(".git/info/exclude"), "new.txt\n");
            write(&world.person().join("new.txt"), "secret\n");
        }),
        ("ignored file where a directory comes", "deep", |world| {
            write(&world.person().join(".git/info/exclude"), "deep\n");
            write(&world.person().join("deep"), "secret\n");
        }),
        ("ignored files where a file comes", "new.txt/inner", |world| {
            write(&world.person().join(".git/info/exclude"), "inner\n");
            write(&world.person().join("new.txt/inner"), "secret\n");
        }),
        ("not assumed unchanged", "a.txt", |world| {
            world.person_git(&["update-index", "--assume-unchanged", "a.txt"]);
            write(&world.person().join("a.txt"), "mine\n");
        }),
    ];
    for (case, file, prepare) in cases {
        let world = World::new().await;
        let changes = [("a.txt", "changed\n"), ("new.txt", "new\n"), ("deep/er/file", "x\n")];
        let head = world.commit_on("one", &changes).await;
        prepare(&world);
        let (old, new) = land(&world, &head).await;
        let checkout = checkout(&world).await;
        let before = world.person_bytes();
        let locked = world.lock().await;
        for refused in
            [checkout.can_fast_forward(&old, &new).await, forward(&locked, &old, &new).await]
        {
            match refused {
                Err(FastForwardError::Dirty { files, path }) => {
                    assert_eq!(files, [*file], "{case}");
                    assert_eq!(path, world.person());
                }
                other => panic!("{case}: {other:?}"),
            }
        }
        assert_eq!(world.person_bytes(), before, "{case}");
    }
}

#[tokio::test]
async fn m_7_a_checkout_where_git_runs_is_busy() {
    let world = World::new().await;
    let head = world.commit_on("one", &[("new.txt", "new\n")]).await;
    let (old, new) = land(&world, &head).await;
    write(&world.person().join(".git/index.lock"), "");
    let refused = forward(&world.lock().await, &old, &new).await;
    assert!(matches!(refused, Err(FastForwardError::Busy { .. })), "{refused:?}");
    assert!(!world.person().join("new.txt").exists());
}

#[tokio::test]
async fn m_7_the_lock_of_another_repository_does_not_do() {
    let world = World::new().await;
    let other = World::new().await;
    let main = world.main().await;
    let locked = world.lock().await;
    let held = locked.hold_checkouts(&branch("main"), &main, &main).await.expect("holds").remove(0);
    let refused = held.follow(&other.lock().await, &main, &main).await;
    assert!(matches!(refused, Err(FastForwardError::OtherRepository(_))), "{refused:?}");
}

#[tokio::test]
async fn p_4_a_reference_locked_by_someone_else_is_an_error_and_no_move() {
    let world = World::new().await;
    let head = world.commit_on("one", &[("new.txt", "new\n")]).await;
    world.lock().await.remove_worktree(&world.hold("one").await).await.expect("removes");
    let (old, new) = land(&world, &head).await;
    write(&world.person().join(".git/refs/heads/main.lock"), "");
    let refused = world.lock().await.move_branch(&branch("main"), &new, &old, "land").await;
    assert!(matches!(refused, Err(MoveError::Git(GitError::Failed { .. }))), "{refused:?}");
    assert_eq!(world.main().await, old);
}

/// M-7: from before the branch moves until the files have followed, no commit can be made that takes the landing back.
#[tokio::test]
async fn m_7_a_held_checkout_lets_nobody_commit_an_index_that_is_behind_its_branch() {
    let world = World::new().await;
    let head = world.commit_on("one", &[("new.txt", "new\n")]).await;
    let (old, new) = land(&world, &head).await;
    write(&world.person().join("dir/b.txt"), "mine\n");
    let locked = world.lock().await;
    let held = locked.hold_checkouts(&branch("main"), &old, &new).await.expect("holds");
    locked.move_branch(&branch("main"), &new, &old, "land").await.expect("moves");
    let commit = ["commit", "-q", "-a", "-m", "mine"];
    let (committed, said) = support::try_git_in(&world.person(), &commit);
    assert!(!committed && said.contains("index.lock"), "{said}");
    for held in held {
        held.follow(&locked, &old, &new).await.expect("follows");
    }
    assert!(support::try_git_in(&world.person(), &commit).0, "and then they can");
    assert_eq!(world.person_git(&["diff", "--name-only", "HEAD~1", "HEAD"]), "dir/b.txt\n");
    assert_eq!(read(&world.person().join("new.txt")), "new\n");
}

/// P-4, M-7: killed between the files and the index, or before both; the lock that is left is known by its word.
#[tokio::test]
async fn p_4_a_lock_that_a_killed_landing_left_is_taken_over_and_its_work_finished() {
    for with_files in [false, true] {
        let world = World::new().await;
        let head = world.commit_on("one", &[("new.txt", "new\n"), ("a.txt", "changed\n")]).await;
        let (old, new) = land(&world, &head).await;
        let lock = world.person().join(".git/index.lock");
        let locked = world.lock().await;
        locked.move_branch(&branch("main"), &new, &old, "land").await.expect("moves");
        if with_files {
            write(&world.person().join("new.txt"), "new\n");
            write(&world.person().join("a.txt"), "changed\n");
        }
        write(&lock, "forge-lock-999999999-1-boot-0\n");
        forward(&locked, &old, &new).await.expect("goes on");
        assert!(!lock.exists());
        assert_eq!(world.person_git(&["status", "--porcelain"]), "");
        assert_eq!(read(&world.person().join("new.txt")), "new\n");
    }
}

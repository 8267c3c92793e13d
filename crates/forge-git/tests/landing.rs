//! Landing: merge in the object database, move the branch, fast-forward the user's checkouts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::collections::BTreeMap;
use std::path::PathBuf;

use forge_git::{BranchMoveError, Checkout, FastForwardError, LockedRepo, ObjectId, SquashOutcome};
use support::{World, branch, git_in, read, signature, write};

async fn land(world: &World, head: &ObjectId) -> (ObjectId, ObjectId) {
    let old = world.main().await;
    let SquashOutcome::Clean { tree } = world.repo.try_squash(&old, head).await.expect("merges")
    else {
        panic!("not clean");
    };
    let new = world
        .repo
        .commit_tree(&tree, std::slice::from_ref(&old), "squashed\n", &signature())
        .await
        .expect("commits");
    (old, new)
}

/// A landing that is repeated after a crash stores its commit once more; git may have packed the first one meanwhile.
#[tokio::test]
async fn m_6_a_commit_that_is_packed_already_is_stored_again() {
    let world = World::new().await;
    let head = world.commit_on("one", &[("new.txt", "new\n")]).await;
    let (_, first) = land(&world, &head).await;
    git_in(&world.person(), &["update-ref", "refs/heads/kept", first.as_str()]);
    git_in(&world.person(), &["gc", "--quiet", "--prune=now"]);
    let (_, second) = land(&world, &head).await;
    assert_eq!(first, second);
}

async fn checkout(world: &World) -> Checkout {
    let mut found = world.repo.checkouts_of(&branch("main")).await.expect("lists");
    assert_eq!(found.len(), 1);
    found.remove(0)
}

/// Fast-forwards the checkouts of main.
async fn forward(
    locked: &LockedRepo,
    old: &ObjectId,
    new: &ObjectId,
) -> Result<(), FastForwardError> {
    for held in locked.lock_checkouts(&branch("main"), old, new).await?.take_following() {
        held.fast_forward(locked, old, new).await?;
    }
    Ok(())
}

/// What the case shows, the file in the way, and a function that creates it.
type Case = (&'static str, &'static str, fn(&World));

/// The user's files, without git's directory.
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
async fn m_8_merged_empty_and_identical_branches_have_nothing_to_merge() {
    let world = World::new().await;
    let main = world.main().await;
    assert_eq!(
        world.repo.try_squash(&main, &main).await.expect("merges"),
        SquashOutcome::AlreadyMerged
    );
    let head = world.commit_on("one", &[("new.txt", "new\n")]).await;
    let (old, new) = land(&world, &head).await;
    world.lock().await.move_branch(&branch("main"), &new, &old, "land").await.expect("moves");
    // Squashed already: the branch is no ancestor, but the target has its content.
    assert!(!world.repo.is_ancestor(&head, &new).await.expect("asks"));
    assert_eq!(
        world.repo.try_squash(&new, &head).await.expect("merges"),
        SquashOutcome::AlreadyMerged
    );
    assert_eq!(
        world.repo.try_squash(&new, &old).await.expect("merges"),
        SquashOutcome::AlreadyMerged
    );
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
    let SquashOutcome::Conflict { files, tree } = found else { panic!("{found:?}") };
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
    assert!(matches!(found, SquashOutcome::Clean { .. }), "{found:?}");
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
        Err(BranchMoveError::Moved { actual: Some(found), .. }) => assert_eq!(found, actual),
        other => panic!("{other:?}"),
    }
    assert_eq!(world.main().await, actual);
    let (old, new) = land(&world, &head).await;
    locked.move_branch(&main, &new, &old, "land").await.expect("moves");
    locked.move_branch(&main, &new, &old, "land").await.expect("is done");
    let gone = locked.move_branch(&branch("gone"), &new, &old, "land").await;
    assert!(matches!(gone, Err(BranchMoveError::Moved { actual: None, .. })), "{gone:?}");
}

#[tokio::test]
async fn m_7_checkouts_of_a_branch_include_the_users_and_linked_ones() {
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
async fn m_7_a_fast_forward_keeps_unrelated_local_work_byte_by_byte() {
    let world = World::new().await;
    let person = world.person();
    let head = world.commit_on("one", &[("new.txt", "new\n"), ("a.txt", "changed\n")]).await;
    write(&person.join("dir/b.txt"), "local edit\n");
    write(&person.join("staged.txt"), "staged\n");
    world.person_git(&["add", "staged.txt"]);
    write(&person.join("untracked"), "untracked\n");
    // Rewritten with the same content: only its time stamp differs, which is no local work.
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
    // As after a crash between the two: run it once, and once more.
    for _ in 0..2 {
        let finished = locked.finish_checkouts(&branch("main"), Some((&old, &new))).await;
        finished.expect("goes forward");
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
async fn m_7_the_lock_of_another_repository_is_refused() {
    let world = World::new().await;
    let other = World::new().await;
    let main = world.main().await;
    let locked = world.lock().await;
    let mut held = locked.lock_checkouts(&branch("main"), &main, &main).await.expect("holds");
    let held = held.take_following().remove(0);
    let refused = held.fast_forward(&other.lock().await, &main, &main).await;
    assert!(matches!(refused, Err(FastForwardError::OtherRepository(_))), "{refused:?}");
}

#[tokio::test]
async fn p_4_a_reference_locked_by_another_process_is_not_moved() {
    let world = World::new().await;
    let head = world.commit_on("one", &[("new.txt", "new\n")]).await;
    world.lock().await.remove_worktree(&world.hold("one").await).await.expect("removes");
    let (old, new) = land(&world, &head).await;
    write(&world.person().join(".git/refs/heads/main.lock"), "");
    let refused = world.lock().await.move_branch(&branch("main"), &new, &old, "land").await;
    assert!(matches!(refused, Err(BranchMoveError::Locked { .. })), "{refused:?}");
    assert_eq!(world.main().await, old);
}

/// M-7: from before the branch moves until the files have followed, no commit can undo the landing.
#[tokio::test]
async fn m_7_no_commit_is_possible_while_a_locked_checkout_is_behind_its_branch() {
    let world = World::new().await;
    let head = world.commit_on("one", &[("new.txt", "new\n")]).await;
    let (old, new) = land(&world, &head).await;
    write(&world.person().join("dir/b.txt"), "mine\n");
    let locked = world.lock().await;
    let mut held = locked.lock_checkouts(&branch("main"), &old, &new).await.expect("holds");
    locked.move_branch(&branch("main"), &new, &old, "land").await.expect("moves");
    let commit = ["commit", "-q", "-a", "-m", "mine"];
    let (committed, said) = support::try_git_in(&world.person(), &commit);
    assert!(!committed && said.contains("index.lock"), "{said}");
    for held in held.take_following() {
        held.fast_forward(&locked, &old, &new).await.expect("follows");
    }
    assert!(support::try_git_in(&world.person(), &commit).0, "and then they can");
    assert_eq!(world.person_git(&["diff", "--name-only", "HEAD~1", "HEAD"]), "dir/b.txt\n");
    assert_eq!(read(&world.person().join("new.txt")), "new\n");
}

/// P-4, M-7: killed between the files and the index, or before both; the content of the stale lock identifies its
/// owner.
#[tokio::test]
async fn p_4_the_lock_of_a_killed_landing_is_taken_over_and_its_work_finished() {
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
        let finished = locked.finish_checkouts(&branch("main"), Some((&old, &new))).await;
        finished.expect("goes on");
        assert!(!lock.exists());
        assert_eq!(world.person_git(&["status", "--porcelain"]), "");
        assert_eq!(read(&world.person().join("new.txt")), "new\n");
    }
}

/// Issue 13.1: a power cut while files were written, and a user who continued to work meanwhile.
#[tokio::test]
async fn issue_13_01_a_move_is_finished_file_by_file_and_keeps_the_users_changes() {
    let world = World::new().await;
    let changes = [
        ("written.txt", "written\n"),
        ("torn.txt", "torn in the middle\n"),
        ("missing.txt", "missing\n"),
        ("mine.txt", "theirs\n"),
        ("a.txt", "changed\n"),
    ];
    let head = world.commit_on("one", &changes).await;
    let (old, new) = land(&world, &head).await;
    let person = world.person();
    let locked = world.lock().await;
    drop(locked.lock_checkouts(&branch("main"), &old, &new).await.expect("holds"));
    locked.move_branch(&branch("main"), &new, &old, "forge: landed").await.expect("moves");
    write(&person.join("written.txt"), "written\n");
    write(&person.join("torn.txt"), "torn in");
    write(&person.join("mine.txt"), "a person's\n");
    locked.finish_checkouts(&branch("main"), None).await.expect("finishes");
    assert_eq!(world.person_git(&["status", "--porcelain"]), " M mine.txt\n");
    for (file, content) in changes.iter().filter(|(file, _)| *file != "mine.txt") {
        assert_eq!(read(&person.join(file)), *content, "{file}");
    }
    assert_eq!(read(&person.join("mine.txt")), "a person's\n");
    assert!(!person.join(".git/index.lock").exists());
    write(&person.join("mine.txt"), "theirs\n");
    world.person_git(&["commit", "-q", "--allow-empty", "-m", "next"]);
    assert_eq!(world.person_git(&["diff", "--name-only", "HEAD~1", "HEAD"]), "");
    // The move is no longer recorded: what the user stages from now on is their own change.
    world.person_git(&["rm", "-q", "--cached", "written.txt"]);
    locked.finish_checkouts(&branch("main"), None).await.expect("has nothing to do");
    assert!(world.person_git(&["status", "--porcelain"]).starts_with("D  written.txt"));
}

/// Issue 13.1: another program moved the branch, and the user's index is behind it.
#[tokio::test]
async fn issue_13_01_nothing_lands_on_a_branch_that_another_program_moved() {
    let world = World::new().await;
    let head = world.commit_on("one", &[("new.txt", "new\n")]).await;
    let (old, foreign) = land(&world, &head).await;
    world.person_git(&["update-ref", "refs/heads/main", foreign.as_str()]);
    let other = world.commit_on("two", &[("other.txt", "other\n")]).await;
    let (_, new) = land(&world, &other).await;
    let locked = world.lock().await;
    let refused = locked.lock_checkouts(&branch("main"), &foreign, &new).await;
    match refused {
        Err(FastForwardError::Stale { files, path, .. }) => {
            assert_eq!((files, path), (vec!["new.txt".to_owned()], world.person()));
        }
        other => panic!("{other:?}"),
    }
    assert_ne!(world.main().await, old);
    // A staged change of the user is not a stale index.
    world.person_git(&["reset", "-q", "--hard"]);
    write(&world.person().join("mine.txt"), "mine\n");
    world.person_git(&["add", "mine.txt"]);
    world.person_git(&["rm", "-q", "a.txt"]);
    locked.lock_checkouts(&branch("main"), &foreign, &new).await.expect("can follow");
}

/// Issue 13.1: the check at startup. Forge moved the branch and wrote the files, but not the index, and no record is
/// left.
#[tokio::test]
async fn issue_13_01_a_stale_index_is_updated_if_the_files_are_landed() {
    let world = World::new().await;
    let head = world.commit_on("one", &[("new.txt", "new\n"), ("a.txt", "changed\n")]).await;
    let (old, new) = land(&world, &head).await;
    let locked = world.lock().await;
    locked.move_branch(&branch("main"), &new, &old, "forge: landed").await.expect("moves");
    write(&world.person().join("new.txt"), "new\n");
    write(&world.person().join("a.txt"), "changed\n");
    assert_eq!(locked.check_indexes(&branch("main")).await.expect("finishes"), 1);
    assert_eq!(world.person_git(&["status", "--porcelain"]), "");
    assert_eq!(locked.check_indexes(&branch("main")).await.expect("is level"), 0);
}

/// P-2: a `git switch` has written the files of the branch's old commit when a landing moves the branch, and moves `HEAD`
/// afterwards. The next commit would take the landing back.
#[tokio::test]
async fn p_2_a_checkout_that_switches_to_the_branch_while_it_moves_is_brought_forward() {
    let world = World::new().await;
    let head = world.commit_on("one", &[("new.txt", "new\n"), ("a.txt", "changed\n")]).await;
    let (old, new) = land(&world, &head).await;
    world.person_git(&["switch", "-q", "-c", "side"]);
    write(&world.person().join("side.txt"), "side\n");
    world.person_git(&["add", "-A"]);
    world.person_git(&["commit", "-q", "-m", "side"]);
    let locked = world.lock().await;
    // The steps of `git switch main`, with the landing between them.
    world.person_git(&["read-tree", "-m", "-u", "HEAD", "main"]);
    let held = locked.lock_checkouts(&branch("main"), &old, &new).await.expect("holds");
    locked.move_branch(&branch("main"), &new, &old, "forge: landed").await.expect("moves");
    world.person_git(&["symbolic-ref", "HEAD", "refs/heads/main"]);
    held.release(&locked, &branch("main")).await.expect("releases");
    assert_eq!(world.person_git(&["status", "--porcelain"]), "");
    assert_eq!(read(&world.person().join("new.txt")), "new\n");
    world.person_git(&["commit", "-q", "--allow-empty", "-a", "-m", "mine"]);
    assert_eq!(world.person_git(&["diff", "--name-only", "HEAD~1", "HEAD"]), "");
    // What the person stages after the switch is theirs, also if it is the state before the landing.
    world.person_git(&["checkout", "-q", old.as_str(), "--", "a.txt"]);
    world.person_git(&["rm", "-q", "new.txt"]);
    let refused = locked.check_indexes(&branch("main")).await;
    assert!(matches!(refused, Err(FastForwardError::Stale { .. })), "{refused:?}");
    assert_eq!(world.person_git(&["status", "--porcelain"]), "M  a.txt\nD  new.txt\n");
}

/// P-2: no landing moves the branch while another git writes in the main checkout, which may be switching to the branch;
/// one that keeps its lock, as with an open editor, does not hold up landings into another branch.
#[tokio::test]
async fn p_2_a_landing_waits_for_a_git_at_work_in_the_main_checkout_but_not_for_long() {
    let world = World::new().await;
    let head = world.commit_on("one", &[("new.txt", "new\n")]).await;
    let (old, new) = land(&world, &head).await;
    world.person_git(&["switch", "-q", "-c", "side"]);
    let locked = world.lock().await;
    let lock = world.person().join(".git/index.lock");
    write(&lock, "");
    let main = branch("main");
    let (held, ()) = tokio::join!(locked.lock_checkouts(&main, &old, &new), async {
        std::fs::remove_file(&lock).expect("removed");
    });
    let (switched, said) = support::try_git_in(&world.person(), &["switch", "-q", "main"]);
    assert!(!switched && said.contains("index.lock"), "{said}");
    drop(held.expect("holds"));
    assert!(!lock.exists());
    write(&lock, "");
    let held = locked.lock_checkouts(&main, &old, &new).await.expect("goes on without");
    held.release(&locked, &main).await.expect("releases");
    assert_eq!(read(&lock), "", "another git's");
}

//! Worktrees: created, found again after a kill, verified, committed, removed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use forge_git::{
    GitError, LockWait, Repo, WorkspaceRoot, Worktree, WorktreeAddError, WorktreeBranch,
    WorktreeCorruption, WorktreeVerifyError,
};
use support::{World, branch, directory, git_in, holder, read, signature, write};

async fn corruption(worktree: &Worktree) -> WorktreeCorruption {
    match worktree.verify().await {
        Err(WorktreeVerifyError::Corrupt(corruption)) => corruption,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn w_2_a_worktree_has_its_branch_its_files_and_its_path() {
    let world = World::new().await;
    let before = world.person_bytes();
    let worktree = world.add("one").await;
    assert_eq!(worktree.path(), world.root.path().join("one"));
    assert_eq!(read(&worktree.path().join("dir/b.txt")), "b\n");
    assert!(worktree.is_clean().await.expect("reads"));
    let verified = worktree.verify().await.expect("sound");
    assert_eq!(verified.head, world.main().await);
    assert_eq!(verified.lock_files, Vec::<std::path::PathBuf>::new());
    assert_eq!(git_in(worktree.path(), &["branch", "--show-current"]), "forge/one\n");
    let mut after = world.person_bytes();
    after.retain(|path, _| !path.starts_with(world.person().join(".git/refs/heads/forge")));
    assert_eq!(before, after);
}

#[tokio::test]
async fn w_2_adding_again_gives_the_same_worktree_with_its_work() {
    let world = World::new().await;
    let first = world.add("one").await;
    write(&first.path().join("a.txt"), "edited\n");
    write(&first.path().join("new"), "untracked\n");
    git_in(first.path(), &["commit", "-q", "-m", "work", "a.txt"]);
    let new = WorktreeBranch::New { name: branch("forge/one"), base: world.main().await };
    let again = world
        .repo
        .add_worktree(&world.locks, &world.hold("one").await, &new)
        .await
        .expect("the same");
    assert_eq!(again.git_dir(), first.git_dir());
    assert_eq!(read(&again.path().join("new")), "untracked\n");
    assert_eq!(read(&again.path().join("a.txt")), "edited\n");
}

/// The name of the state, and a function that creates it, given the worktree's directory and record.
type Stage = (&'static str, fn(&Path, &Path));

/// Every state that a killed `add_worktree` can leave, made by hand.
#[tokio::test]
async fn w_2_a_killed_add_is_finished_by_the_next() {
    let stages: &[Stage] = &[
        ("branch only", |path, admin| {
            std::fs::remove_dir_all(path).expect("there");
            std::fs::remove_dir_all(admin).expect("there");
        }),
        ("empty record", |path, admin| {
            std::fs::remove_dir_all(path).expect("there");
            std::fs::remove_dir_all(admin).expect("there");
            std::fs::create_dir(admin).expect("made");
        }),
        ("record while initializing", |path, admin| {
            std::fs::remove_dir_all(path).expect("there");
            for file in ["HEAD", "commondir", "index", "forge-checked-out"] {
                std::fs::remove_file(admin.join(file)).expect("there");
            }
            write(&admin.join("locked"), "initializing");
        }),
        ("record whose last file was opened and not written", |path, admin| {
            std::fs::remove_dir_all(path).expect("there");
            std::fs::create_dir(path).expect("made");
            for file in ["HEAD", "index", "forge-checked-out"] {
                std::fs::remove_file(admin.join(file)).expect("there");
            }
            write(&admin.join("commondir"), "");
            write(&admin.join("locked"), "initializing");
        }),
        ("record without a written branch", |path, admin| {
            std::fs::remove_dir_all(path).expect("there");
            std::fs::create_dir(path).expect("made");
            for file in ["index", "forge-checked-out"] {
                std::fs::remove_file(admin.join(file)).expect("there");
            }
            write(&admin.join("HEAD"), "");
            write(&admin.join("locked"), "initializing");
        }),
        ("record and empty directory", |path, admin| {
            std::fs::remove_dir_all(path).expect("there");
            std::fs::create_dir(path).expect("made");
            std::fs::remove_file(admin.join("HEAD")).expect("there");
        }),
        ("not checked out", |path, admin| {
            for file in ["a.txt", "dir/b.txt"] {
                std::fs::remove_file(path.join(file)).expect("there");
            }
            for file in ["index", "forge-checked-out"] {
                std::fs::remove_file(admin.join(file)).expect("there");
            }
        }),
        ("half checked out", |path, admin| {
            write(&path.join("a.txt"), "1\n2");
            std::fs::remove_file(path.join("dir/b.txt")).expect("there");
            for file in ["index", "forge-checked-out"] {
                std::fs::remove_file(admin.join(file)).expect("there");
            }
            write(&admin.join("index.lock"), "half");
        }),
        ("checked out but not marked", |_, admin| {
            std::fs::remove_file(admin.join("forge-checked-out")).expect("there");
        }),
        ("directory gone (W-8)", |path, _| {
            std::fs::remove_dir_all(path).expect("there");
        }),
    ];
    for (stage, break_it) in stages {
        let world = World::new().await;
        let worktree = world.add("one").await;
        break_it(worktree.path(), worktree.git_dir());
        let found =
            Worktree::open(&world.repo, &world.root, &directory("one"), &branch("forge/one"))
                .await
                .expect("reads");
        if let Some(found) = found {
            corruption(&found).await;
        }
        let again = world.add("one").await;
        again.verify().await.unwrap_or_else(|error| panic!("{stage}: {error}"));
        assert!(again.is_clean().await.expect("reads"), "{stage}");
        assert_eq!(read(&again.path().join("a.txt")).lines().count(), 10, "{stage}");
        let list = world.person_git(&["worktree", "list", "--porcelain"]);
        assert_eq!(list.matches("worktree ").count(), 2, "{stage}: {list}");
        assert!(!list.contains("prunable"), "{stage}: {list}");
        world.fsck();
    }
}

/// Git refuses to list any worktree while one record is incomplete, so one task's incomplete record must not block
/// others.
#[tokio::test]
async fn w_12_a_killed_add_does_not_block_other_tasks() {
    let world = World::new().await;
    let killed = world.add("killed").await;
    std::fs::remove_dir_all(killed.path()).expect("there");
    for file in ["HEAD", "index", "forge-checked-out"] {
        std::fs::remove_file(killed.git_dir().join(file)).expect("there");
    }
    write(&killed.git_dir().join("commondir"), "");
    write(&killed.git_dir().join("locked"), "initializing");
    let other = world.add("other").await;
    other.verify().await.expect("sound");
    world.add("killed").await.verify().await.expect("repaired");
}

/// Git stops with an error at a record that names a directory and has no complete `commondir`.
fn half_written_record(records: &Path) -> Option<String> {
    let entries = std::fs::read_dir(records).ok()?;
    entries.flatten().map(|entry| entry.path()).find_map(|record| {
        let is_named = || std::fs::read(record.join("gitdir")).is_ok_and(|text| !text.is_empty());
        let is_complete =
            || std::fs::read(record.join("commondir")).is_ok_and(|text| text == b"../..\n");
        // Named before and after the look at `commondir`: the record was not created or removed in between.
        (is_named() && !is_complete() && is_named()).then(|| record.display().to_string())
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn w_12_the_users_git_never_meets_a_half_written_or_half_removed_record() {
    let world = World::new().await;
    let records = world.repo.common_dir().join("worktrees");
    let (stop, stopped) = std::sync::mpsc::channel::<()>();
    let watching = std::thread::spawn(move || {
        let mut met = Vec::new();
        while stopped.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty) {
            met.extend(half_written_record(&records));
        }
        met
    });
    for round in 0..60 {
        let name = format!("t{round}");
        world.add(&name).await;
        let hold = world.hold(&name).await;
        world.lock().await.remove_worktree(&hold).await.expect("removed");
    }
    drop(stop);
    assert_eq!(watching.join().expect("watched"), Vec::<String>::new());
}

/// The same with git really killed, a little later each time.
#[tokio::test]
async fn p_4_an_add_interrupted_at_any_moment_is_finished_by_the_next() {
    let world = World::new().await;
    let base = world.main().await;
    for step in 0..40_u64 {
        let hold = world.hold(&format!("t{step}")).await;
        let new =
            WorktreeBranch::New { name: branch(&format!("forge/t{step}")), base: base.clone() };
        let add = || world.repo.add_worktree(&world.locks, &hold, &new);
        let cut = Duration::from_micros(step * 700);
        tokio::time::timeout(cut, add()).await.ok();
        let worktree = add().await.unwrap_or_else(|error| panic!("{cut:?}: {error}"));
        worktree.verify().await.unwrap_or_else(|error| panic!("{cut:?}: {error}"));
        assert!(worktree.is_clean().await.expect("reads"), "{cut:?}");
        assert_eq!(read(&worktree.path().join("a.txt")).lines().count(), 10, "{cut:?}");
    }
    let records = std::fs::read_dir(world.repo.common_dir().join("worktrees")).expect("reads");
    assert_eq!(records.count(), 40);
    world.fsck();
}

#[tokio::test]
async fn p_4_a_commit_interrupted_at_any_moment_is_finished_by_the_next() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    for step in 0..30_u64 {
        let content = format!("{step}\n");
        write(&worktree.path().join("work"), &content);
        let signature = signature();
        let collect = || worktree.commit_all("m", &signature);
        let cut = Duration::from_micros(step * 700);
        tokio::time::timeout(cut, collect()).await.ok();
        let head = collect().await.unwrap_or_else(|error| panic!("{cut:?}: {error}")).head;
        assert!(worktree.is_clean().await.expect("reads"), "{cut:?}");
        let committed = git_in(worktree.path(), &["show", &format!("{head}:work")]);
        assert_eq!(committed, content, "{cut:?}");
    }
    world.fsck();
}

#[tokio::test]
async fn w_8_a_worktree_is_rebuilt_for_a_branch_that_exists() {
    let world = World::new().await;
    let head = world.commit_on("one", &[("work.txt", "kept\n")]).await;
    let locked = world.lock().await;
    locked.remove_worktree(&world.hold("one").await).await.expect("removed");
    drop(locked);
    let existing = WorktreeBranch::Existing(branch("forge/one"));
    let worktree = world
        .repo
        .add_worktree(&world.locks, &world.hold("one").await, &existing)
        .await
        .expect("rebuilt");
    assert_eq!(worktree.head().await.expect("reads"), head);
    assert_eq!(read(&worktree.path().join("work.txt")), "kept\n");
    let missing = WorktreeBranch::Existing(branch("forge/none"));
    let refused = world.repo.add_worktree(&world.locks, &world.hold("none").await, &missing).await;
    assert!(matches!(refused, Err(WorktreeAddError::BranchMissing(_))), "{refused:?}");
}

#[tokio::test]
async fn w_3_a_branch_is_never_checked_out_twice_nor_taken_over() {
    let world = World::new().await;
    let add = async |name: &str, branch: WorktreeBranch| {
        world.repo.add_worktree(&world.locks, &world.hold(name).await, &branch).await
    };
    let refused = add("x", WorktreeBranch::Existing(branch("main"))).await;
    match refused {
        Err(WorktreeAddError::CheckedOut { path, .. }) => assert_eq!(path, world.person()),
        other => panic!("{other:?}"),
    }
    let head = world.commit_on("one", &[("work.txt", "x\n")]).await;
    let refused = add("two", WorktreeBranch::Existing(branch("forge/one"))).await;
    match refused {
        Err(WorktreeAddError::CheckedOut { path, .. }) => {
            assert_eq!(path, world.root.path().join("one"))
        }
        other => panic!("{other:?}"),
    }
    world.lock().await.remove_worktree(&world.hold("one").await).await.expect("removed");
    let base = world.main().await;
    let new = WorktreeBranch::New { name: branch("forge/one"), base };
    match add("three", new).await {
        Err(WorktreeAddError::BranchExists { tip, .. }) => assert_eq!(tip, head),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn w_5_existing_files_at_the_path_are_never_overwritten() {
    let world = World::new().await;
    let base = world.main().await;
    let new = WorktreeBranch::New { name: branch("b"), base };
    let add = async |root: &WorkspaceRoot, name: &str| {
        let hold = world
            .workspace_locks
            .acquire(root, &directory(name), holder("a test"), LockWait::Reject)
            .await
            .expect("is free");
        world.repo.add_worktree(&world.locks, &hold, &new).await
    };
    let precious = world.root.path().join("files/precious");
    write(&precious, "mine\n");
    assert!(matches!(add(&world.root, "files").await, Err(WorktreeAddError::Occupied { .. })));
    assert_eq!(read(&precious), "mine\n");
    let elsewhere = world.home().join("elsewhere");
    std::fs::create_dir(&elsewhere).expect("made");
    std::os::unix::fs::symlink(&elsewhere, world.root.path().join("link")).expect("links");
    assert!(matches!(add(&world.root, "link").await, Err(WorktreeAddError::Occupied { .. })));
    assert_eq!(std::fs::read_dir(&elsewhere).expect("reads").count(), 0);
    let inside = WorkspaceRoot::open(&world.person().join("ws")).await.expect("opens");
    assert!(matches!(add(&inside, "x").await, Err(WorktreeAddError::RootInsideCheckout { .. })));
    assert_eq!(world.repo.tip(&branch("b")).await.expect("reads"), None);
}

#[tokio::test]
async fn w_12_many_at_once_all_succeed() {
    let world = std::sync::Arc::new(World::new().await);
    let tasks: Vec<_> = (0..8)
        .map(|number| {
            let world = std::sync::Arc::clone(&world);
            tokio::spawn(async move { world.add(&format!("t{number}")).await })
        })
        .collect();
    for task in tasks {
        task.await.expect("no panic").verify().await.expect("sound");
    }
    assert_eq!(world.person_git(&["worktree", "list"]).lines().count(), 9);
    world.fsck();
}

#[tokio::test]
async fn e_6_all_changes_are_committed_even_with_unusual_names() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    let not_utf8 = std::ffi::OsStr::from_bytes(b"caf\xe9");
    write(&worktree.path().join("with space"), "x");
    write(&worktree.path().join("-rf"), "x");
    write(&worktree.path().join(":(top)*"), "x");
    write(&worktree.path().join(not_utf8), "x");
    std::fs::remove_file(worktree.path().join("a.txt")).expect("there");
    let message = "T-1: work\n\nForge-Task: T-1\n";
    let collected = worktree.commit_all(message, &signature()).await.expect("commits");
    assert!(collected.changed);
    assert!(worktree.is_clean().await.expect("reads"));
    let names = git_in(worktree.path(), &["-c", "core.quotePath=true", "ls-files"]);
    assert_eq!(names, "-rf\n:(top)*\n\"caf\\351\"\ndir/b.txt\nwith space\n");
    let shown = git_in(worktree.path(), &["log", "-1", "--format=%an <%ae>|%cn|%ct|%B"]);
    assert_eq!(
        shown.trim_end(),
        "Ada <ada@example.org>|Forge|1700000000|T-1: work\n\nForge-Task: T-1"
    );
    let again = worktree.commit_all(message, &signature()).await.expect("nothing to do");
    assert!(!again.changed);
    assert_eq!(again.head, collected.head);
}

#[tokio::test]
async fn w_11_locks_of_a_killed_git_do_not_block_a_commit() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    write(&worktree.path().join("new"), "work\n");
    write(&worktree.git_dir().join("index.lock"), "");
    write(&worktree.git_dir().join("HEAD.lock"), "");
    write(&world.repo.common_dir().join("refs/heads/forge/one.lock"), "");
    assert_eq!(worktree.verify().await.expect("sound").lock_files.len(), 3);
    let collected = worktree.commit_all("m", &signature()).await.expect("commits");
    assert!(collected.changed);
    assert_eq!(worktree.verify().await.expect("sound").lock_files.len(), 0);
}

#[tokio::test]
async fn w_2_worktrees_of_a_bare_repository_work_the_same() {
    let world = World::new().await;
    git_in(&world.home(), &["clone", "-q", "--bare", "person", "bare.git"]);
    let bare = Repo::open(&world.git, &world.home().join("bare.git")).await.expect("opens");
    let base = bare.tip(&branch("main")).await.expect("reads").expect("there");
    let new = WorktreeBranch::New { name: branch("forge/x"), base };
    let worktree =
        bare.add_worktree(&world.locks, &world.hold("x").await, &new).await.expect("made");
    worktree.verify().await.expect("sound");
    write(&worktree.path().join("n"), "x");
    let collected = worktree.commit_all("m", &signature()).await;
    assert!(collected.expect("commits").changed);
}

#[tokio::test]
async fn w_17_a_root_that_cannot_be_created_is_a_typed_error() {
    let world = World::new().await;
    let blocked = world.home().join("file");
    write(&blocked, "no directory");
    let refused = WorkspaceRoot::open(&blocked.join("root")).await;
    assert!(matches!(refused, Err(GitError::File { .. })), "{refused:?}");
}

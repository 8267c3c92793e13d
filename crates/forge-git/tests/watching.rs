//! Watched worktrees: an unchanged one costs no git process, and every change is noticed (W-16).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use forge_git::{
    DiffLimits, DiffScope, GitProgram, Repo, Worktree, WorktreeCache, WorktreeCorruption,
    WorktreeSummary, WorktreeVerifyError, WorktreeWatcher,
};
use support::{World, branch, directory, git_in, write};

const SCOPES: [DiffScope; 3] = [DiffScope::Uncommitted, DiffScope::Branch, DiffScope::All];

/// A watched worktree, with a git program that logs each of its runs.
struct Scene {
    world: World,
    worktree: Worktree,
    sights: WorktreeCache,
    watcher: WorktreeWatcher,
    runs: PathBuf,
}

impl Scene {
    async fn new(ceiling: usize) -> Self {
        let world = World::new().await;
        world.add("one").await;
        let tools = world.home().join("tools");
        let runs = world.home().join("runs");
        let script = format!(
            "#!/bin/sh\necho x >> '{}'\nPATH=/usr/local/bin:/usr/bin:/bin exec git \"$@\"\n",
            runs.display()
        );
        write(&tools.join("git"), script);
        std::fs::set_permissions(tools.join("git"), PermissionsExt::from_mode(0o755)).unwrap();
        let git = GitProgram::locate(tools.as_os_str()).expect("a git");
        let repo = Repo::open(&git, &world.person()).await.expect("opens");
        let (name, on) = (directory("one"), branch("forge/one"));
        let found = Worktree::open(&repo, &world.root, &name, &on);
        let worktree = found.await.expect("reads").expect("is there");
        let watcher = WorktreeWatcher::with_ceiling(ceiling).expect("watches");
        let sights = WorktreeCache::new(Some(watcher.clone()));
        write(&runs, "");
        Self { world, worktree, sights, watcher, runs }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.worktree.path().join(name)
    }

    fn runs(&self) -> usize {
        std::fs::read(&self.runs).expect("reads").len() / 2
    }

    async fn summary(&self) -> WorktreeSummary {
        let main = self.world.main().await;
        self.sights.summary(&self.worktree, &main).await.expect("a summary")
    }

    /// Runs all queries and compares each answer with a fresh one of git.
    async fn check(&self, what: &str) {
        let main = self.world.main().await;
        let fresh = self.worktree.summary(&main).await.expect("a summary");
        assert_eq!(self.summary().await, fresh, "{what}");
        let limits = DiffLimits::default();
        for scope in SCOPES {
            let head = self.worktree.head().await.expect("a head");
            let base = self.world.repo.merge_base(&main, &head).await.unwrap().unwrap();
            let fresh = self.worktree.diff(&base, scope, limits).await.expect("a diff");
            let found = self.sights.diff(&self.worktree, &main, scope, limits).await;
            assert_eq!(found.expect("a diff").diff, fresh, "{what}, {scope:?}");
        }
    }
}

#[tokio::test]
async fn w_16_an_unchanged_worktree_costs_no_git_run() {
    let scene = Scene::new(1000).await;
    write(&scene.path("a.txt"), "changed\n");
    write(&scene.path("new/file"), "new\n");
    scene.sights.subscribe(&scene.worktree).await.expect("is watched");
    scene.check("first").await;
    let main = scene.world.main().await;
    let before = scene.runs();
    for _ in 0..5 {
        let summary = scene.summary().await;
        assert_eq!((summary.modified, summary.untracked), (1, 1));
        for scope in SCOPES {
            let limits = DiffLimits::default();
            scene.sights.diff(&scene.worktree, &main, scope, limits).await.expect("a diff");
        }
        let (name, on) = (directory("one"), branch("forge/one"));
        let repo = scene.worktree.repo();
        let found = scene.sights.worktree(repo, &scene.world.root, &name, &on);
        assert!(found.await.expect("reads").is_some());
    }
    assert_eq!(scene.runs(), before, "git ran");
    write(&scene.path("a.txt"), "changed again\n");
    assert_eq!(scene.summary().await.modified, 1);
    assert_eq!(scene.runs(), before + 1, "one run for one change");
}

#[tokio::test]
async fn w_16_every_kind_of_change_is_noticed() {
    let scene = Scene::new(1000).await;
    let top = scene.worktree.path().to_owned();
    scene.sights.subscribe(&scene.worktree).await.expect("is watched");
    scene.check("nothing").await;
    let odd = std::ffi::OsStr::from_bytes(b"caf\xe9");
    type Change = (&'static str, Box<dyn Fn(&Path)>);
    let changes: Vec<Change> = vec![
        ("a file is written", Box::new(|top| write(&top.join("a.txt"), "x\n"))),
        ("and again", Box::new(|top| write(&top.join("a.txt"), "y\nz\n"))),
        ("a file is new", Box::new(|top| write(&top.join("dir/new.txt"), "n\n"))),
        ("its name is not UTF-8", Box::new(move |top| write(&top.join(odd), "n\n"))),
        ("that one is written again", Box::new(move |top| write(&top.join(odd), "m\nm\n"))),
        ("directories are new", Box::new(|top| write(&top.join("p/q/r/s.txt"), "deep\n"))),
        ("and written in", Box::new(|top| write(&top.join("p/q/r/t.txt"), "deep\n"))),
        (
            "one is moved",
            Box::new(|top| std::fs::rename(top.join("p/q"), top.join("moved")).unwrap()),
        ),
        ("and written in where it is", Box::new(|top| write(&top.join("moved/r/t.txt"), "more\n"))),
        (
            "a tracked file is moved",
            Box::new(|top| std::fs::rename(top.join("dir/b.txt"), top.join("dir/c.txt")).unwrap()),
        ),
        (
            "and back",
            Box::new(|top| std::fs::rename(top.join("dir/c.txt"), top.join("dir/b.txt")).unwrap()),
        ),
        ("it is binary", Box::new(|top| write(&top.join("dir/b.txt"), b"\0\x01"))),
        (
            "it is huge",
            Box::new(|top| write(&top.join("dir/b.txt"), "long line\n".repeat(100_000))),
        ),
        (
            "it is a symlink",
            Box::new(|top| {
                std::fs::remove_file(top.join("dir/b.txt")).unwrap();
                symlink("../a.txt", top.join("dir/b.txt")).unwrap();
            }),
        ),
        (
            "it can be run",
            Box::new(|top| {
                std::fs::set_permissions(top.join("a.txt"), PermissionsExt::from_mode(0o755))
                    .unwrap();
            }),
        ),
        ("names are ignored", Box::new(|top| write(&top.join(".gitignore"), "moved/\n*.log\n"))),
        ("ignored files are written", Box::new(|top| write(&top.join("x.log"), "l\n"))),
        (
            "names are not ignored",
            Box::new(|top| std::fs::remove_file(top.join(".gitignore")).unwrap()),
        ),
        (
            "and what was ignored is written",
            Box::new(|top| write(&top.join("moved/r/t.txt"), "again\n")),
        ),
        ("it is staged", Box::new(|top| drop(git_in(top, &["add", "-A"])))),
        ("it is unstaged", Box::new(|top| drop(git_in(top, &["reset", "-q"])))),
        (
            "it is committed",
            Box::new(|top| {
                git_in(top, &["add", "-A"]);
                git_in(top, &["commit", "-q", "-m", "all"]);
            }),
        ),
        (
            "the commit is taken back",
            Box::new(|top| drop(git_in(top, &["reset", "-q", "--soft", "HEAD~1"]))),
        ),
        (
            "a directory is deleted",
            Box::new(|top| std::fs::remove_dir_all(top.join("dir")).unwrap()),
        ),
        ("a directory is a file", Box::new(|top| write(&top.join("dir"), "file\n"))),
        (
            "only a date changes",
            Box::new(|top| {
                let file = std::fs::File::options().append(true).open(top.join("a.txt")).unwrap();
                file.set_modified(std::time::UNIX_EPOCH).unwrap();
            }),
        ),
        (
            "everything is as it was",
            Box::new(|top| {
                git_in(top, &["reset", "-q", "--hard", "main"]);
                git_in(top, &["clean", "-fdxq", "-e", ".forge.lock"]);
            }),
        ),
    ];
    for (what, change) in changes {
        change(&top);
        scene.check(what).await;
    }
    let summary = scene.summary().await;
    assert_eq!((summary.staged, summary.modified, summary.untracked), (0, 0, 0));
    scene.world.person_git(&["commit", "-q", "--allow-empty", "-m", "elsewhere"]);
    assert_eq!(scene.summary().await.behind, 1);
    scene.check("the target moved").await;
}

#[tokio::test]
async fn w_16_subscribers_are_woken() {
    let scene = Scene::new(1000).await;
    let mut changes = scene.sights.subscribe(&scene.worktree).await.expect("is watched");
    changes.mark_unchanged();
    write(&scene.path("dir/b.txt"), "x\n");
    changes.changed().await.expect("is told");
    std::fs::rename(scene.worktree.path(), scene.world.home().join("away")).unwrap();
    while changes.changed().await.is_ok() {}
    assert_eq!(scene.watcher.watched_count(), 0, "all watches are given back");
}

#[tokio::test]
async fn w_16_the_lock_file_and_ignored_directories_are_no_change() {
    let scene = Scene::new(1000).await;
    write(&scene.path(".gitignore"), "node_modules/\n");
    write(&scene.path("node_modules/a/b/c.js"), "x\n");
    let changes = scene.sights.subscribe(&scene.worktree).await.expect("is watched");
    // The top level, `dir`, and the git directory.
    assert_eq!(scene.watcher.watched_count(), 3);
    scene.check("first").await;
    let (before, runs) = (*changes.borrow(), scene.runs());
    write(&scene.path("node_modules/a/b/c.js"), "y\n");
    scene.world.release_holds().await;
    scene.world.hold("one").await;
    let summary = scene.summary().await;
    assert_eq!((summary.untracked, *changes.borrow(), scene.runs()), (1, before, runs));
}

#[tokio::test]
async fn w_16_after_dropped_events_everything_is_read_again() {
    let scene = Scene::new(1000).await;
    scene.sights.subscribe(&scene.worktree).await.expect("is watched");
    scene.check("first").await;
    scene.watcher.overflow();
    write(&scene.path("dir/b.txt"), "x\n");
    write(&scene.path("unseen/file"), "x\n");
    scene.check("after the overflow").await;
    write(&scene.path("unseen/file"), "y\nz\n");
    scene.check("written in a directory that no event told of").await;
}

#[tokio::test]
async fn w_16_a_worktree_beyond_the_watch_limit_is_queried_with_git() {
    let scene = Scene::new(4).await;
    write(&scene.path("p/q/r/file"), "x\n");
    assert!(scene.sights.subscribe(&scene.worktree).await.is_none());
    assert_eq!(scene.watcher.watched_count(), 0, "none is kept in vain");
    scene.check("not watched").await;
    let runs = scene.runs();
    write(&scene.path("p/q/r/file"), "y\n");
    scene.check("and changed").await;
    assert!(scene.runs() > runs);
    // A worktree that fits grows beyond the limit.
    let small = scene.world.add("two").await;
    scene.sights.subscribe(&small).await.expect("fits");
    assert_eq!(scene.watcher.watched_count(), 3);
    write(&small.path().join("s/t/u"), "x\n");
    let main = scene.world.main().await;
    let summary = scene.sights.summary(&small, &main).await.expect("a summary");
    assert_eq!((summary.untracked, scene.watcher.watched_count()), (1, 0));
    // Its watches are free now.
    std::fs::remove_dir_all(scene.path("p")).unwrap();
    scene.sights.subscribe(&scene.worktree).await.expect("fits now");
}

#[tokio::test]
async fn w_17_a_worktree_with_a_nested_repository_is_not_watched() {
    let scene = Scene::new(1000).await;
    scene.sights.subscribe(&scene.worktree).await.expect("is watched");
    scene.check("first").await;
    git_in(scene.worktree.path(), &["init", "-q", "inner"]);
    write(&scene.path("inner/file"), "x\n");
    scene.check("a repository inside").await;
    git_in(&scene.path("inner"), &["add", "-A"]);
    git_in(&scene.path("inner"), &["commit", "-q", "-m", "inner"]);
    git_in(scene.worktree.path(), &["add", "-A"]);
    scene.check("it is a submodule").await;
    git_in(&scene.path("inner"), &["commit", "-q", "--allow-empty", "-m", "more"]);
    scene.check("it moved on").await;
    assert!(scene.sights.subscribe(&scene.worktree).await.is_none());
}

#[tokio::test]
async fn w_5_a_replaced_directory_is_not_answered_from_the_cache() {
    let scene = Scene::new(1000).await;
    scene.sights.subscribe(&scene.worktree).await.expect("is watched");
    scene.check("first").await;
    let (top, away) = (scene.worktree.path().to_owned(), scene.world.home().join("away"));
    std::fs::rename(&top, &away).unwrap();
    symlink(&away, &top).unwrap();
    let main = scene.world.main().await;
    let refused = scene.sights.summary(&scene.worktree, &main).await;
    assert!(
        matches!(refused, Err(WorktreeVerifyError::Corrupt(WorktreeCorruption::NotADirectory(_)))),
        "{refused:?}"
    );
    std::fs::remove_file(&top).unwrap();
    let refused = scene.sights.summary(&scene.worktree, &main).await;
    assert!(matches!(
        refused,
        Err(WorktreeVerifyError::Corrupt(WorktreeCorruption::DirectoryMissing(_)))
    ));
    // Another directory with the same `.git` file is read anew.
    std::fs::create_dir(&top).unwrap();
    std::fs::copy(away.join(".git"), top.join(".git")).unwrap();
    write(&top.join("a.txt"), "other\n");
    scene.sights.subscribe(&scene.worktree).await.expect("is watched");
    scene.check("another directory").await;
    assert_eq!(scene.summary().await.modified, 2, "one changed, one gone");
}

#[tokio::test]
async fn w_16_after_any_sequence_of_changes_the_answer_equals_that_of_git() {
    let scene = Scene::new(1000).await;
    scene.sights.subscribe(&scene.worktree).await.expect("is watched");
    let names = ["a.txt", "dir/b.txt", "dir/n1", "n2", "d1/f", "d1/d2/f", "d1/d2/g"];
    let mut number: u64 = 0x9e37_79b9;
    let mut next = |below: usize| {
        number =
            number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) as usize % below
    };
    let top = scene.worktree.path().to_owned();
    for step in 0..25 {
        for _ in 0..=next(3) {
            let name = top.join(names[next(names.len())]);
            match next(9) {
                0..=3 if !name.is_dir() => write(&name, format!("{step}\n")),
                4 => drop(std::fs::remove_file(&name)),
                5 => drop(std::fs::rename(&name, top.join(names[next(names.len())]))),
                6 => drop(std::fs::rename(top.join("d1"), top.join(format!("e{}", next(3))))),
                7 => drop(git_in(&top, &["add", "-A"])),
                8 => {
                    git_in(&top, &["add", "-A"]);
                    git_in(&top, &["commit", "-q", "--allow-empty", "-m", "step"]);
                }
                _ => {}
            }
        }
        scene.check(&format!("step {step}")).await;
    }
}

/// The kernel gives two watches of one directory the same number, so the end of the first must not end the second.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn w_16_a_watch_that_ends_does_not_end_a_newer_one_of_the_same_worktree() {
    let scene = Scene::new(1000).await;
    for round in 0..60 {
        let older = scene.watcher.watch(&scene.worktree).await.expect("is watched");
        let (newer, ()) = if round == 0 {
            (scene.watcher.watch(&scene.worktree).await, drop(older))
        } else {
            let ending = tokio::task::spawn_blocking(move || drop(older));
            let newer = scene.watcher.watch(&scene.worktree).await;
            (newer, ending.await.unwrap())
        };
        let newer = newer.expect("is watched");
        let before = newer.generation().unwrap_or_else(|| panic!("round {round}: not watched"));
        write(&scene.path("a.txt"), format!("{round}\n"));
        assert!(newer.generation().is_some_and(|now| now > before), "round {round}: not reported");
    }
}

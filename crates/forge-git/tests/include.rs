//! Which ignored files a new worktree gets from the user's checkout (W-13).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use forge_git::{IncludeError, IncludeList, IncludeOutcome, LockedWorktree, Repo, WorktreeBranch};
use support::{World, branch, git_in, read, write};

async fn ignoring(patterns: &str) -> World {
    let world = World::new().await;
    write(&world.person().join(".gitignore"), patterns);
    world.person_git(&["add", ".gitignore"]);
    world.person_git(&["commit", "-q", "-m", "ignore"]);
    world
}

async fn list(world: &World, worktree: &LockedWorktree) -> Option<IncludeList> {
    worktree.include_list(&world.main().await).await.expect("a list or none")
}

async fn include(world: &World, patterns: &str) -> (LockedWorktree, IncludeOutcome) {
    write(&world.person().join(".worktreeinclude"), patterns);
    let worktree = world.add("task").await;
    let list = list(world, &worktree).await.expect("a list");
    let included = worktree.include(&list, || false).await.expect("copies");
    (worktree, included)
}

#[tokio::test]
async fn w_13_ignored_files_that_the_list_names_are_copied_with_mode_and_time() {
    let world = ignoring(".env*\nnode_modules/\n*.key\n").await;
    let person = world.person();
    write(&person.join(".env"), "A=1\n");
    write(&person.join(".env.prod"), "no\n");
    write(&person.join("node_modules/m/cli.js"), "js\n");
    std::fs::create_dir_all(person.join("node_modules/.bin")).unwrap();
    symlink("../m/cli.js", person.join("node_modules/.bin/cli")).unwrap();
    write(&person.join("sub/a b\u{e9}.key"), "k\n");
    write(&person.join("untracked.txt"), "not ignored\n");
    std::fs::set_permissions(person.join(".env"), std::fs::Permissions::from_mode(0o640)).unwrap();
    let before = world.person_bytes();
    let patterns =
        "# what it needs\n.env*\n!.env.prod\nnode_modules/\n*.key\nuntracked.txt\na.txt\n";
    let (worktree, included) = include(&world, patterns).await;
    let path = worktree.path();
    assert_eq!((included.files, included.symlinks, included.skipped), (3, 1, 0), "{included:?}");
    assert_eq!(read(&path.join(".env")), "A=1\n");
    assert_eq!(read(&path.join("sub/a b\u{e9}.key")), "k\n");
    assert_eq!(read(&path.join("node_modules/.bin/cli")), "js\n", "a link that stays inside");
    assert!(!path.join(".env.prod").exists() && !path.join("untracked.txt").exists());
    let (one, other) =
        (person.join(".env").metadata().unwrap(), path.join(".env").metadata().unwrap());
    assert_eq!(other.permissions().mode() & 0o777, 0o640);
    assert_eq!(one.mtime(), other.mtime(), "build tools go by the time");
    assert!(worktree.is_clean().await.unwrap(), "git sees nothing of it");
    let mut after = world.person_bytes();
    after.remove(&person.join(".worktreeinclude"));
    after.retain(|path, _| !path.starts_with(person.join(".git/refs/heads/forge")));
    assert_eq!(before, after, "P-2: the person's checkout is as it was");
}

#[tokio::test]
async fn w_13_nothing_is_overwritten_and_a_second_time_copies_nothing() {
    let world = ignoring("*.log\n").await;
    write(&world.person().join("one.log"), "person\n");
    write(&world.person().join("two.log"), "person\n");
    write(&world.person().join(".worktreeinclude"), "*.log\n");
    let worktree = world.add("task").await;
    write(&worktree.path().join("one.log"), "agent\n");
    // The temporary file of a killed copy.
    write(&worktree.path().join(".forge.include"), "half");
    let list = list(&world, &worktree).await.unwrap();
    let first = worktree.include(&list, || false).await.unwrap();
    assert_eq!((first.files, first.already_present), (1, 1));
    assert_eq!(read(&worktree.path().join("one.log")), "agent\n");
    assert!(!worktree.path().join(".forge.include").exists());
    let second = worktree.include(&list, || false).await.unwrap();
    assert_eq!((second.files, second.already_present), (0, 2));
}

#[tokio::test]
async fn w_13_climbing_and_absolute_patterns_select_nothing_outside() {
    let world = ignoring("ignored/\n").await;
    write(&world.home().join("secret"), "s\n");
    write(&world.person().join("ignored/etc/passwd"), "inside\n");
    let patterns =
        "../secret\n/../secret\n/etc/passwd\n../*\nignored/../../secret\n--exclude-standard\n";
    let (worktree, included) = include(&world, patterns).await;
    assert_eq!(included, IncludeOutcome::default());
    let mut names: Vec<_> = std::fs::read_dir(world.root.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["task"], "beside the worktree is nothing of it");
    assert!(!worktree.path().join("secret").exists());
}

#[tokio::test]
async fn w_13_symlinks_that_lead_outside_are_reported_and_not_followed() {
    let world = ignoring("ignored/\nlink\nout\n").await;
    let (person, outside) = (world.person(), world.home().join("outside"));
    write(&outside.join("secret"), "s\n");
    symlink(&outside, person.join("link")).unwrap();
    symlink("../outside/secret", person.join("out")).unwrap();
    write(&person.join("ignored/real"), "r\n");
    symlink("x/../../../outside/secret", person.join("ignored/sly")).unwrap();
    let (worktree, included) = include(&world, "link\nout\nignored/\n").await;
    assert_eq!((included.files, included.symlinks, included.skipped), (1, 0, 3), "{included:?}");
    assert!(included.reasons.iter().any(|why| why.starts_with("out: ")), "{included:?}");
    for name in ["link", "out", "ignored/sly"] {
        assert!(worktree.path().join(name).symlink_metadata().is_err(), "{name}");
    }
}

#[tokio::test]
async fn w_13_a_symlink_in_the_worktree_redirects_no_copy() {
    let world = ignoring("cache/\n").await;
    write(&world.person().join("cache/a"), "a\n");
    write(&world.person().join(".worktreeinclude"), "cache/\n");
    let worktree = world.add("task").await;
    let outside = world.home().join("outside");
    std::fs::create_dir(&outside).unwrap();
    symlink(&outside, worktree.path().join("cache")).unwrap();
    let list = list(&world, &worktree).await.unwrap();
    let included = worktree.include(&list, || false).await.unwrap();
    assert_eq!((included.files, included.skipped), (0, 1), "{included:?}");
    assert!(!outside.join("a").exists());
}

#[tokio::test]
async fn w_13_a_directory_of_ten_thousand_files_is_copied_and_can_be_stopped() {
    let world = ignoring("cache/\n").await;
    for n in 0..10_000 {
        let path = world.person().join(format!("cache/{}/{n}", n % 100));
        write(&path, n.to_string());
    }
    write(&world.person().join(".worktreeinclude"), "cache/\n");
    let worktree = world.add("task").await;
    let list = list(&world, &worktree).await.unwrap();
    let asked = std::sync::atomic::AtomicU32::new(0);
    let soon = move || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 100;
    let cut = worktree.include(&list, soon).await.unwrap();
    assert_eq!((cut.files, cut.stopped), (100, true));
    let rest = worktree.include(&list, || false).await.unwrap();
    assert_eq!((rest.files, rest.already_present, rest.stopped), (9_900, 100, false));
    assert_eq!(read(&worktree.path().join("cache/99/9999")), "9999");
}

#[tokio::test]
async fn w_13_fifos_sockets_and_nested_repositories_are_skipped() {
    let world = ignoring("ignored/\n").await;
    let ignored = world.person().join("ignored");
    write(&ignored.join("file"), "f\n");
    git_in(&world.person(), &["init", "-q", "ignored/nested"]);
    write(&ignored.join("nested/file"), "f\n");
    let _socket = std::os::unix::net::UnixListener::bind(ignored.join("socket")).unwrap();
    assert!(
        std::process::Command::new("mkfifo").arg(ignored.join("pipe")).status().unwrap().success()
    );
    let (worktree, included) = include(&world, "ignored/\n").await;
    assert_eq!(included.files, 1, "{included:?}");
    let mut names: Vec<_> = std::fs::read_dir(worktree.path().join("ignored"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["file"]);
}

#[tokio::test]
async fn w_13_the_list_comes_from_the_users_checkout_or_else_from_the_base_commit() {
    let world = ignoring("*.log\n").await;
    let worktree = world.add("before").await;
    assert_eq!(list(&world, &worktree).await, None, "no list, nothing to do");
    write(&world.person().join(".worktreeinclude"), "committed.log\n");
    world.person_git(&["add", "-A"]);
    world.person_git(&["commit", "-q", "-m", "a list"]);
    std::fs::remove_file(world.person().join(".worktreeinclude")).unwrap();
    let worktree = world.add("task").await;
    let text = list(&world, &worktree).await.expect("the commit's").text().to_vec();
    assert_eq!(text, b"committed.log\n");
    write(&worktree.path().join(".worktreeinclude"), "*.log\n");
    let text = list(&world, &worktree).await.expect("the commit's").text().to_vec();
    assert_eq!(text, b"committed.log\n", "an agent cannot ask for more");
    write(&world.person().join(".worktreeinclude"), "mine.log\n");
    let text = list(&world, &worktree).await.expect("the person's").text().to_vec();
    assert_eq!(text, b"mine.log\n");
}

#[tokio::test]
async fn w_13_a_list_that_is_a_symlink_or_too_long_is_refused() {
    let world = ignoring("*.log\n").await;
    let (path, base) = (world.person().join(".worktreeinclude"), world.main().await);
    let worktree = world.add("task").await;
    symlink("a.txt", &path).unwrap();
    let refused = worktree.include_list(&base).await;
    assert!(matches!(refused, Err(IncludeError::Unusable { .. })), "{refused:?}");
    std::fs::remove_file(&path).unwrap();
    write(&path, "x\n".repeat(40_000));
    let refused = worktree.include_list(&base).await;
    assert!(matches!(refused, Err(IncludeError::Unusable { .. })), "{refused:?}");
}

#[tokio::test]
async fn w_13_a_bare_repository_has_nothing_to_copy() {
    let world = ignoring("*.log\n").await;
    write(&world.person().join(".worktreeinclude"), "*.log\n");
    world.person_git(&["add", "-A"]);
    world.person_git(&["commit", "-q", "-m", "a list"]);
    git_in(&world.home(), &["clone", "-q", "--bare", "person", "bare.git"]);
    let bare = Repo::open(&world.git, &world.home().join("bare.git")).await.unwrap();
    let base = world.main().await;
    let new = WorktreeBranch::New { name: branch("forge/bare"), base: base.clone() };
    let hold = world.hold("bare").await;
    let worktree = bare.add_worktree(&world.locks, &hold, &new).await.unwrap();
    assert_eq!(worktree.include_list(&base).await.unwrap(), None);
}

#[tokio::test]
async fn w_13_the_setup_note_is_kept_outside_the_worktrees_files() {
    let world = World::new().await;
    let worktree = world.add("task").await;
    assert_eq!(worktree.load_setup_note().await.unwrap(), None);
    worktree.save_setup_note("one").await.unwrap();
    assert_eq!(worktree.load_setup_note().await.unwrap().as_deref(), Some("one"));
    assert!(worktree.is_clean().await.unwrap());
    worktree.remove_setup_note().await.unwrap();
    worktree.remove_setup_note().await.unwrap();
    assert_eq!(worktree.load_setup_note().await.unwrap(), None);
}

//! Unusual repositories (W-17): docs/WORKSPACES.md lists the outcome of each in a table.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]
#![allow(clippy::print_stderr, reason = "a test that this machine does not allow says so")]

mod support;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use forge_git::{
    GitError, Journal, JournalEntryMetadata, JournalReason, LockedWorktree, ObjectId, Repo,
    SquashOutcome, WorktreeAddError, WorktreeBranch,
};
use support::{World, branch, git_in, read, signature, try_git_in, write};

/// A worktree of any repository, on a new branch.
async fn worktree_of(world: &World, repo: &Repo, name: &str) -> LockedWorktree {
    let base =
        repo.tip(&repo.default_branch(None).await.unwrap()).await.unwrap().expect("a commit");
    let new = WorktreeBranch::New { name: branch(&format!("forge/{name}")), base };
    let hold = world.hold(name).await;
    repo.add_worktree(&world.locks, &hold, &new).await.expect("a worktree")
}

async fn open(world: &World, name: &str) -> Repo {
    Repo::open(&world.git, &world.home().join(name)).await.expect("opens")
}

async fn squashed(repo: &Repo, target: &ObjectId, head: &ObjectId) -> ObjectId {
    match repo.try_squash(target, head).await.expect("merges") {
        SquashOutcome::Clean { tree } => tree,
        other => panic!("{other:?}"),
    }
}

fn commit_in(directory: &Path, message: &str) {
    git_in(directory, &["add", "-A"]);
    git_in(directory, &["commit", "-q", "-m", message]);
}

#[tokio::test]
async fn issue_13_21_an_unborn_branch_beside_others_is_ignored() {
    let world = World::new().await;
    world.person_git(&["checkout", "-q", "--orphan", "fresh"]);
    let found = world.repo.default_branch(None).await.expect("the only one with a commit");
    assert_eq!(found.as_str(), "main");
}

#[tokio::test]
async fn w_17_a_detached_head_of_the_user_affects_no_worktree() {
    let world = World::new().await;
    world.person_git(&["checkout", "-q", "--detach"]);
    let head = world.commit_on("task", &[("new.txt", "new\n")]).await;
    squashed(&world.repo, &world.main().await, &head).await;
    assert_eq!(
        world.person_git(&["status", "--porcelain=v2", "--branch"]).lines().nth(1).unwrap(),
        "# branch.head (detached)"
    );
}

#[tokio::test]
async fn w_17_a_shallow_clone_works_like_any_other() {
    let world = World::new().await;
    for n in 0..3 {
        write(&world.person().join("n.txt"), n.to_string());
        commit_in(&world.person(), "more");
    }
    let url = format!("file://{}", world.person().display());
    git_in(&world.home(), &["clone", "-q", "--depth", "1", &url, "shallow"]);
    let repo = open(&world, "shallow").await;
    let worktree = worktree_of(&world, &repo, "task").await;
    write(&worktree.path().join("new.txt"), "new\n");
    let head = worktree.commit_all("new", &signature()).await.unwrap().head;
    let main = repo.tip(&branch("main")).await.unwrap().unwrap();
    squashed(&repo, &main, &head).await;
    assert_eq!(worktree.summary(&main).await.unwrap().ahead, 1);
    assert_eq!(
        git_in(&world.home().join("shallow"), &["rev-parse", "--is-shallow-repository"]),
        "true\n"
    );
}

#[tokio::test]
async fn w_17_submodules_stay_as_recorded_and_are_not_fetched() {
    let world = World::new().await;
    git_in(&world.home(), &["clone", "-q", "person", "library"]);
    world.person_git(&["submodule", "--quiet", "add", "../library", "lib"]);
    world.person_git(&["commit", "-q", "-m", "a submodule"]);
    let recorded = world.person_git(&["rev-parse", "HEAD:lib"]);
    let worktree = world.add("task").await;
    assert_eq!(std::fs::read_dir(worktree.path().join("lib")).unwrap().count(), 0, "empty");
    assert!(worktree.is_clean().await.unwrap());
    write(&worktree.path().join("new.txt"), "new\n");
    let head = worktree.commit_all("new", &signature()).await.unwrap().head;
    assert_eq!(world.person_git(&["rev-parse", &format!("{head}:lib")]), recorded);
    let tree = squashed(&world.repo, &world.main().await, &head).await;
    assert_eq!(world.person_git(&["rev-parse", &format!("{tree}:lib")]), recorded);
    assert!(worktree.nested_repositories().await.unwrap().is_empty());
}

#[tokio::test]
async fn w_17_lfs_pointers_stay_pointers_and_no_filter_runs() {
    let world = World::new().await;
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n";
    write(&world.person().join(".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    write(&world.person().join("big.bin"), pointer);
    commit_in(&world.person(), "a pointer");
    // The state after `git lfs install --local`, on a machine without git-lfs.
    let missing = support::tripwire(&world.home(), "git-lfs");
    for (key, value) in [
        ("filter.lfs.process", format!("{} filter-process", missing.display())),
        ("filter.lfs.smudge", format!("{} smudge -- %f", missing.display())),
        ("filter.lfs.clean", format!("{} clean -- %f", missing.display())),
        ("filter.lfs.required", "true".to_owned()),
    ] {
        world.person_git(&["config", key, &value]);
    }
    let worktree = world.add("task").await;
    assert_eq!(read(&worktree.path().join("big.bin")), pointer);
    assert!(worktree.is_clean().await.unwrap());
    write(&worktree.path().join("new.txt"), "new\n");
    let head = worktree.commit_all("new", &signature()).await.unwrap().head;
    let kept = world.person_git(&["cat-file", "blob", &format!("{head}:big.bin")]);
    assert_eq!(kept, pointer);
    squashed(&world.repo, &world.main().await, &head).await;
    assert!(!world.home().join("git-lfs.ran").exists(), "nothing of the repository's was run");
}

#[tokio::test]
async fn w_17_symlinks_are_checked_out_and_committed_as_symlinks() {
    let world = World::new().await;
    let person = world.person();
    symlink("a.txt", person.join("to-file")).unwrap();
    symlink("dir", person.join("to-dir")).unwrap();
    symlink("/nonexistent/place", person.join("dangling")).unwrap();
    commit_in(&person, "links");
    let worktree = world.add("task").await;
    for (name, target) in
        [("to-file", "a.txt"), ("to-dir", "dir"), ("dangling", "/nonexistent/place")]
    {
        assert_eq!(std::fs::read_link(worktree.path().join(name)).unwrap(), Path::new(target));
    }
    std::fs::remove_file(worktree.path().join("dir/b.txt")).unwrap();
    symlink("../a.txt", worktree.path().join("dir/b.txt")).unwrap();
    let head = worktree.commit_all("a link", &signature()).await.unwrap().head;
    assert!(world.person_git(&["ls-tree", head.as_str(), "dir/b.txt"]).starts_with("120000 "));
}

#[tokio::test]
async fn w_17_names_keep_spaces_and_bytes_that_are_not_utf_8() {
    let world = World::new().await;
    let names: [&[u8]; 6] = [
        b"with space",
        b"\xff\xfe",
        b"new\nline",
        b"-rf",
        b"*.txt",
        "sm\u{f6}rg\u{e5}s".as_bytes(),
    ];
    for name in names {
        write(&world.person().join(OsStr::from_bytes(name)), name);
    }
    commit_in(&world.person(), "names");
    let worktree = world.add("task").await;
    for name in names {
        let path = worktree.path().join(OsStr::from_bytes(name));
        assert_eq!(std::fs::read(&path).unwrap(), name);
        write(&path, "changed");
    }
    write(&worktree.path().join(OsStr::from_bytes(b"more\xff")), "m");
    let head = worktree.commit_all("all", &signature()).await.unwrap().head;
    let changed = world.person_git(&["diff", "--name-only", "-z", "main", head.as_str()]);
    assert_eq!(changed.matches('\0').count(), 7);
    squashed(&world.repo, &world.main().await, &head).await;
    assert_eq!(
        world.person_git(&["show", &format!("{head}:a.txt")]),
        "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n",
        "`*.txt` is a name"
    );
}

#[tokio::test]
async fn w_17_autocrlf_converts_on_checkout_and_commit() {
    let world = World::new().await;
    world.person_git(&["config", "core.autocrlf", "true"]);
    let worktree = world.add("task").await;
    assert_eq!(read(&worktree.path().join("dir/b.txt")), "b\r\n", "as the person has it");
    assert!(worktree.is_clean().await.unwrap());
    write(&worktree.path().join("new.txt"), "one\r\ntwo\r\n");
    let head = worktree.commit_all("new", &signature()).await.unwrap().head;
    assert_eq!(world.person_git(&["cat-file", "blob", &format!("{head}:new.txt")]), "one\ntwo\n");
    let changed = world.person_git(&["diff", "--name-only", "main", head.as_str()]);
    assert_eq!(changed, "new.txt\n", "no line ending makes a change");
}

#[tokio::test]
async fn w_17_a_worktree_inherits_a_sparse_checkout_and_loses_nothing() {
    let world = World::new().await;
    write(&world.person().join("far/away.txt"), "far\n");
    commit_in(&world.person(), "more");
    world.person_git(&["sparse-checkout", "set", "--cone", "dir"]);
    let before = world.person_git(&["config", "--list", "--local"]);
    let worktree = world.add("task").await;
    assert!(worktree.path().join("dir/b.txt").exists());
    assert!(worktree.is_clean().await.unwrap());
    write(&worktree.path().join("far/new.txt"), "outside the cone\n");
    write(&worktree.path().join("dir/new.txt"), "inside\n");
    let head = worktree.commit_all("new", &signature()).await.expect("both are kept").head;
    let names = world.person_git(&["ls-tree", "-r", "--name-only", head.as_str()]);
    assert_eq!(names, "a.txt\ndir/b.txt\ndir/new.txt\nfar/away.txt\nfar/new.txt\n");
    assert_eq!(world.person_git(&["config", "--list", "--local"]), before, "P-2");
    assert!(!world.person().join("far").exists(), "P-2: the person's is as sparse as it was");
}

#[tokio::test]
async fn w_17_a_branch_name_conflict_names_the_other_branch() {
    let world = World::new().await;
    world.person_git(&["branch", "feat"]);
    world.person_git(&["branch", "fix/deep"]);
    let base = world.main().await;
    for (place, wanted, other) in [("one", "feat/x", "feat"), ("two", "fix", "fix/deep")] {
        let new = WorktreeBranch::New { name: branch(wanted), base: base.clone() };
        let hold = world.hold(place).await;
        let refused = world.repo.add_worktree(&world.locks, &hold, &new).await;
        let said = refused.expect_err("git cannot hold both").to_string();
        assert!(said.contains(other), "{said}");
        assert_eq!(world.repo.tip(&branch(wanted)).await.unwrap(), None);
        assert!(!hold.path().join("a.txt").exists(), "nothing was begun");
    }
    world.add("three").await;
}

/// Runs the named test again in its own mount namespace, where it may mount file systems. Returns true in that run;
/// false if the test is over, because the inner run has passed or this machine allows no namespaces.
fn inside(test: &str) -> bool {
    if std::env::var_os("FORGE_TEST_NAMESPACE").is_some() {
        return true;
    }
    let unshare = |flags: &str| {
        let mut command = std::process::Command::new("unshare");
        command.arg(flags);
        command
    };
    let allowed = |flags: &&&str| {
        let tried = unshare(flags).args(["mount", "-t", "tmpfs", "tmpfs", "/mnt"]).output();
        tried.is_ok_and(|tried| tried.status.success())
    };
    let Some(flags) = ["-m", "-rm"].iter().find(allowed) else {
        eprintln!("not run: this machine lets no test mount a filesystem of its own");
        return false;
    };
    let program = std::env::current_exe().expect("this program");
    let again = unshare(flags)
        .arg(program)
        .args(["--exact", test, "--nocapture"])
        .env("FORGE_TEST_NAMESPACE", "1")
        .output()
        .expect("runs");
    let said = String::from_utf8_lossy(&again.stdout).into_owned()
        + &String::from_utf8_lossy(&again.stderr);
    assert!(again.status.success() && said.contains("1 passed"), "{said}");
    false
}

fn mount(arguments: &[&str], place: &Path) {
    let done = std::process::Command::new("mount").args(arguments).arg(place).status();
    assert!(done.expect("mount runs").success(), "mount {arguments:?}");
}

#[tokio::test]
async fn w_17_a_read_only_object_store_is_an_error_until_it_is_writable() {
    if !inside("w_17_a_read_only_object_store_is_an_error_until_it_is_writable") {
        return;
    }
    let world = World::new().await;
    let worktree = world.add("task").await;
    write(&worktree.path().join("new.txt"), "work\n");
    let objects = world.person().join(".git/objects");
    let text = objects.to_str().unwrap().to_owned();
    mount(&["--bind", &text], &objects);
    mount(&["-o", "remount,bind,ro"], &objects);
    let refused = worktree.commit_all("new", &signature()).await;
    let Err(GitError::Failed { stderr, .. }) = refused else { panic!("{refused:?}") };
    assert!(
        stderr.contains("Read-only file system") || stderr.contains("insufficient permission"),
        "{stderr}"
    );
    let journal = Journal::for_task(&world.repo, "task").expect("a name");
    let note = JournalEntryMetadata {
        reason: JournalReason::Periodic,
        execution: None,
        signature: signature(),
    };
    let refused = journal.save_workspace(&world.locks, &worktree.snapshot_source(), &note).await;
    assert!(refused.is_err(), "it does not pretend: {refused:?}");
    assert_eq!(read(&worktree.path().join("new.txt")), "work\n", "P-1");
    mount(&["-o", "remount,bind,rw"], &objects);
    assert!(worktree.commit_all("new", &signature()).await.expect("now it can").changed);
    world.fsck();
}

fn fill(place: &Path) -> PathBuf {
    let path = place.join("filler");
    let mut file = std::fs::File::create(&path).unwrap();
    while std::io::Write::write_all(&mut file, &[7; 4096]).is_ok() {}
    path
}

#[tokio::test]
async fn w_17_a_full_disk_is_an_error_until_there_is_room() {
    if !inside("w_17_a_full_disk_is_an_error_until_there_is_room") {
        return;
    }
    let world = World::new().await;
    let big: Vec<u8> =
        (0..1_000_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    write(&world.person().join("big"), &big);
    commit_in(&world.person(), "big");
    mount(&["-t", "tmpfs", "-o", "size=8m", "tmpfs"], world.root.path());
    let filler = fill(world.root.path());
    let base = world.main().await;
    let new = WorktreeBranch::New { name: branch("forge/task"), base };
    let hold = world.hold("task").await;
    let refused = world.repo.add_worktree(&world.locks, &hold, &new).await;
    let Err(WorktreeAddError::Git(error)) = refused else { panic!("{refused:?}") };
    assert!(error.to_string().contains("No space left"), "{error}");
    std::fs::remove_file(&filler).unwrap();
    let worktree =
        world.repo.add_worktree(&world.locks, &hold, &new).await.expect("the same again");
    assert_eq!(std::fs::read(worktree.path().join("big")).unwrap(), big);
    worktree.verify().await.expect("whole");
    // The worktree's files fit, but the repository's disk is full.
    write(&worktree.path().join("new.txt"), &big);
    let objects = world.person().join(".git/objects");
    let saved = world.home().join("objects");
    git_in(&world.home(), &["clone", "-q", "--bare", "person", "copy.git"]);
    std::fs::rename(world.home().join("copy.git/objects"), &saved).unwrap();
    mount(&["-t", "tmpfs", "-o", "size=4m", "tmpfs"], &objects);
    let copied =
        std::process::Command::new("cp").arg("-a").arg(saved.join(".")).arg(&objects).status();
    assert!(copied.unwrap().success());
    let filler = fill(&objects);
    let refused = worktree.commit_all("new", &signature()).await;
    let said = refused.expect_err("no room").to_string();
    assert!(said.contains("No space left"), "{said}");
    assert_eq!(std::fs::read(worktree.path().join("new.txt")).unwrap(), big, "P-1");
    std::fs::remove_file(filler).unwrap();
    assert!(worktree.commit_all("new", &signature()).await.expect("now it can").changed);
    let (sound, said) = try_git_in(&world.person(), &["fsck", "--full", "--no-dangling"]);
    assert!(sound, "{said}");
}

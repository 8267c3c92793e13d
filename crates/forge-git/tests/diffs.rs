//! Diffs and summaries of worktrees (W-16).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::os::unix::ffi::OsStrExt;

use forge_git::{DiffLimits, DiffScope, FileDiff, FileStatus, GitDiff, Worktree};
use support::{World, git_in, signature, try_git_in, write};

async fn diff(world: &World, worktree: &Worktree, scope: DiffScope) -> GitDiff {
    let base = world.main().await;
    worktree.diff(&base, scope, DiffLimits::default()).await.expect("a diff")
}

fn names(diff: &GitDiff) -> Vec<(&str, FileStatus)> {
    diff.files.iter().map(|file| (file.path.text.as_str(), file.status)).collect()
}

fn file<'a>(diff: &'a GitDiff, name: &str) -> &'a FileDiff {
    diff.files.iter().find(|file| file.path.text == name).expect("listed")
}

#[tokio::test]
async fn w_16_scopes_show_commits_files_and_both() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    write(&worktree.path().join("committed.txt"), "c\n");
    worktree.commit_all("m", &signature()).await.expect("commits");
    write(&worktree.path().join("dir/b.txt"), "b2\n");
    write(&worktree.path().join("staged.txt"), "s\n");
    git_in(worktree.path(), &["add", "staged.txt"]);
    write(&worktree.path().join("untracked.txt"), "u1\nu2\n");
    let index = std::fs::read(worktree.git_dir().join("index")).expect("reads");
    use FileStatus::{Added, Modified};
    assert_eq!(
        names(&diff(&world, &worktree, DiffScope::Branch).await),
        [("committed.txt", Added)]
    );
    let uncommitted = diff(&world, &worktree, DiffScope::Uncommitted).await;
    let local = [("dir/b.txt", Modified), ("staged.txt", Added), ("untracked.txt", Added)];
    assert_eq!(names(&uncommitted), local);
    let all = diff(&world, &worktree, DiffScope::All).await;
    assert_eq!(names(&all).len(), 4);
    let untracked = file(&all, "untracked.txt");
    assert_eq!((untracked.additions, untracked.deletions), (2, 0));
    assert!(untracked.patch.as_deref().expect("a patch").ends_with("@@ -0,0 +1,2 @@\n+u1\n+u2\n"));
    assert_eq!(std::fs::read(worktree.git_dir().join("index")).expect("reads"), index);
    assert!(!worktree.git_dir().join("index.lock").exists());
}

#[tokio::test]
async fn w_16_the_patch_applies() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    write(&worktree.path().join("a.txt"), "1\n2\nthree\n4\n5\n6\n7\n8\n9\n10\n");
    write(&worktree.path().join("sub/new.txt"), "no newline at the end");
    std::fs::rename(worktree.path().join("dir/b.txt"), worktree.path().join("dir/c.txt"))
        .expect("moves");
    std::os::unix::fs::symlink("a.txt", worktree.path().join("link")).expect("links");
    let all = diff(&world, &worktree, DiffScope::All).await;
    let moved = file(&all, "dir/c.txt");
    assert_eq!(moved.status, FileStatus::Renamed);
    assert_eq!(moved.old_path.as_ref().map(|path| path.text.as_str()), Some("dir/b.txt"));
    write(&world.home().join("patch"), all.to_patch());
    world.person_git(&["apply", "--index", "../patch"]);
    let landed = world.person_git(&["write-tree"]);
    git_in(worktree.path(), &["add", "-A"]);
    assert_eq!(git_in(worktree.path(), &["write-tree"]), landed);
}

#[tokio::test]
async fn w_16_a_file_that_becomes_a_symlink_keeps_the_patches_apart() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    std::fs::remove_file(worktree.path().join("a.txt")).expect("there");
    std::os::unix::fs::symlink("dir", worktree.path().join("a.txt")).expect("links");
    write(&worktree.path().join("dir/b.txt"), "b2\n");
    write(&worktree.path().join("z.txt"), "diff --git a/x b/x\n");
    let all = diff(&world, &worktree, DiffScope::All).await;
    assert_eq!(file(&all, "a.txt").status, FileStatus::TypeChanged);
    let patch = |name| file(&all, name).patch.as_deref().expect("a patch");
    assert_eq!(patch("a.txt").matches("\nindex ").count(), 2);
    assert!(patch("dir/b.txt").starts_with("diff --git a/dir/b.txt b/dir/b.txt\n"));
    assert!(patch("z.txt").ends_with("+diff --git a/x b/x\n"));
}

#[tokio::test]
async fn w_16_binary_huge_and_many_files_are_named_not_inlined() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    write(&worktree.path().join("binary"), b"\0\x01\x02");
    write(&worktree.path().join("huge.txt"), "line of text\n".repeat(10_000));
    write(&worktree.path().join("small.txt"), "s\n");
    let base = world.main().await;
    let limits = DiffLimits { file_bytes: 10_000, ..DiffLimits::default() };
    let found = worktree.diff(&base, DiffScope::All, limits).await.expect("a diff");
    let binary = file(&found, "binary");
    assert!(binary.binary && binary.patch.is_none() && !binary.truncated);
    let huge = file(&found, "huge.txt");
    assert!(huge.truncated && huge.patch.is_none());
    assert_eq!(huge.additions, 10_000);
    assert!(file(&found, "small.txt").patch.is_some());
    assert!(found.truncated);
    let limits = DiffLimits { total_bytes: 1_000, ..DiffLimits::default() };
    let found = worktree.diff(&base, DiffScope::All, limits).await.expect("a diff");
    assert_eq!(found.files.len(), 3);
    assert!(found.truncated && file(&found, "small.txt").patch.is_none());
    let limits = DiffLimits { files: 1, ..DiffLimits::default() };
    let found = worktree.diff(&base, DiffScope::All, limits).await.expect("a diff");
    assert_eq!(found.files.len(), 1);
    assert!(found.truncated && found.to_patch().ends_with("# the diff is truncated\n"));
}

#[tokio::test]
async fn w_17_unusual_names_are_shown_and_keep_their_bytes() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    let odd = std::ffi::OsStr::from_bytes(b"caf\xe9");
    write(&worktree.path().join(odd), "x\n");
    for name in ["-rf", "with space", ":(exclude)*", "*", "tab\there", "new\nline"] {
        write(&worktree.path().join(name), "x\n");
    }
    let all = diff(&world, &worktree, DiffScope::All).await;
    assert_eq!(all.files.len(), 7);
    assert!(all.files.iter().all(|file| file.additions == 1 && file.patch.is_some()));
    let raw = all.files.iter().find_map(|file| file.path.raw.as_deref());
    assert_eq!(raw, Some(b"caf\xe9".as_slice()));
}

#[tokio::test]
async fn w_16_a_summary_counts_distance_and_local_work() {
    let world = World::new().await;
    let head = world.commit_on("one", &[("x", "x\n")]).await;
    let worktree = world.add("one").await;
    for number in 0..2 {
        world.person_git(&["commit", "-q", "--allow-empty", "-m", &number.to_string()]);
    }
    write(&worktree.path().join("a.txt"), "edited\n");
    git_in(worktree.path(), &["mv", "dir/b.txt", "dir/c.txt"]);
    write(&worktree.path().join("u/1"), "");
    write(&worktree.path().join("u/2"), "");
    let summary = worktree.summary(&world.main().await).await.expect("a summary");
    assert_eq!(summary.branch.as_deref(), Some("forge/one"));
    assert_eq!(summary.head, Some(head));
    assert_eq!((summary.ahead, summary.behind), (1, 2));
    let counts = (summary.staged, summary.modified, summary.untracked, summary.unmerged);
    assert_eq!(counts, (1, 1, 2, 0));
}

#[tokio::test]
async fn w_16_a_worktree_in_conflict_has_a_summary_and_a_diff() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    write(&worktree.path().join("a.txt"), "mine\n");
    worktree.commit_all("mine", &signature()).await.expect("commits");
    write(&world.person().join("a.txt"), "theirs\n");
    world.person_git(&["commit", "-q", "-a", "-m", "theirs"]);
    assert!(!try_git_in(worktree.path(), &["merge", "main"]).0);
    let main = world.main().await;
    assert_eq!(worktree.summary(&main).await.expect("a summary").unmerged, 1);
    let found =
        worktree.diff(&main, DiffScope::Uncommitted, DiffLimits::default()).await.expect("a diff");
    let patch = file(&found, "a.txt").patch.as_deref().expect("a patch");
    assert!(patch.contains("+<<<<<<< HEAD\n"), "{patch}");
    // `commit_all` concludes the merge that the agent resolved but did not commit, with both parents.
    write(&worktree.path().join("a.txt"), "both\n");
    let collected = worktree.commit_all("merged", &signature()).await.expect("commits");
    assert!(collected.changed);
    assert!(world.repo.is_ancestor(&main, &collected.head).await.expect("asks"));
}

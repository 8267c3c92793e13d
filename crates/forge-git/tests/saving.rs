//! Work is saved before it is discarded (P-1), and changes by checks are reset (M-2).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use forge_git::GitError;
use support::{World, directory, git_in, read, signature, try_git_in, write};

#[tokio::test]
async fn m_2_tracked_files_are_restored_and_untracked_ones_stay() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    let original = read(&worktree.path().join("a.txt"));
    write(&worktree.path().join("a.txt"), "changed by a check\n");
    write(&worktree.path().join("artifact"), "kept\n");
    std::fs::remove_file(worktree.path().join("dir/b.txt")).unwrap();
    write(&worktree.git_dir().join("index.lock"), "");
    worktree.restore_tracked().await.unwrap();
    assert_eq!(read(&worktree.path().join("a.txt")), original);
    assert!(worktree.path().join("dir/b.txt").exists());
    assert_eq!(read(&worktree.path().join("artifact")), "kept\n");
}

#[tokio::test]
async fn t_14_discarding_keeps_only_commits_and_ignored_files() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    write(&worktree.path().join(".gitignore"), "cache\n");
    worktree.commit_all("ignore\n", &signature()).await.unwrap();
    let head = worktree.head().await.unwrap();
    write(&worktree.path().join("a.txt"), "edited\n");
    write(&worktree.path().join("new/file"), "x\n");
    write(&worktree.path().join("cache"), "kept\n");
    worktree.discard_changes().await.unwrap();
    assert!(worktree.is_clean().await.unwrap());
    assert_eq!(worktree.head().await.unwrap(), head);
    assert!(!worktree.path().join("new").exists());
    assert_eq!(read(&worktree.path().join("cache")), "kept\n");
}

#[tokio::test]
async fn p_1_a_nested_repository_is_neither_committed_nor_lost() {
    let world = World::new().await;
    let worktree = world.add("one").await;
    let inner = worktree.path().join("app");
    std::fs::create_dir(&inner).unwrap();
    git_in(&inner, &["init", "--quiet"]);
    write(&inner.join("main.c"), "code\n");
    git_in(&inner, &["add", "."]);
    git_in(
        &inner,
        &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "inner"],
    );
    assert_eq!(worktree.nested_repositories().await.unwrap(), ["app"]);
    let refused = worktree.commit_all("m\n", &signature()).await;
    assert!(matches!(refused, Err(GitError::NotCommittable { paths, .. }) if paths == ["app"]));
    let name = directory("one");
    let aside = world
        .lock()
        .await
        .keep_worktree_files(&world.hold(name.as_str()).await)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(read(&aside.join("app/main.c")), "code\n");
    assert!(!worktree.path().exists());
}

#[tokio::test]
async fn e_6_a_merge_left_in_conflict_is_not_committed() {
    let world = World::new().await;
    world.commit_on("other", &[("a.txt", "theirs\n")]).await;
    let worktree = world.add("one").await;
    write(&worktree.path().join("a.txt"), "ours\n");
    worktree.commit_all("ours\n", &signature()).await.unwrap();
    let before = worktree.head().await.unwrap();
    let arguments = ["-c", "user.name=a", "-c", "user.email=a@b", "merge", "forge/other"];
    let (merged, _) = try_git_in(worktree.path(), &arguments);
    assert!(!merged, "it conflicts");
    let refused = worktree.commit_all("m\n", &signature()).await;
    assert!(matches!(refused, Err(GitError::NotCommittable { paths, .. }) if paths == ["a.txt"]));
    assert_eq!(worktree.head().await.unwrap(), before);
}

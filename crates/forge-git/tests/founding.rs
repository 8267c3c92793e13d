//! Repositories that Forge makes itself.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::path::Path;

use forge_git::{InitialFile, Repo, RepoInitError};
use support::{World, branch, git_in, locate, read, signature};

const FILES: &[InitialFile] = &[
    InitialFile { path: "README.md", content: "hello\n" },
    InitialFile { path: "deep/er/-odd name.txt", content: "odd\n" },
];

async fn found(path: &Path, files: &[InitialFile]) -> Result<Repo, RepoInitError> {
    Repo::init_with(&locate(), path, &branch("main"), files, "First\n", &signature()).await
}

/// SPEC §7: the demo needs a repository like one that a user could have created.
#[tokio::test]
async fn a_new_repository_has_one_commit_and_a_clean_checkout() {
    let home = tempfile::tempdir().expect("a directory");
    let path = home.path().join("new");
    let repo = found(&path, FILES).await.expect("a repository");
    assert_eq!(repo.default_branch(None).await.expect("a branch"), branch("main"));
    assert_eq!(git_in(&path, &["status", "--porcelain"]), "");
    assert_eq!(git_in(&path, &["log", "--format=%an %cn %s"]), "Ada Forge First\n");
    let files = git_in(&path, &["ls-files", "-z"]);
    assert_eq!(files, "README.md\0deep/er/-odd name.txt\0");
    assert_eq!(read(&path.join("deep/er/-odd name.txt")), "odd\n");
    git_in(&path, &["fsck", "--full", "--strict"]);
    let config = read(&path.join(".git/config"));
    assert!(!config.contains("worktree"), "a plain repository, wherever it is moved: {config}");
    assert!(!path.join(".git/hooks").exists());
}

#[tokio::test]
async fn p_1_an_existing_path_is_left_alone() {
    let world = World::new().await;
    let before = world.person_bytes();
    for path in [world.person(), world.person().join("a.txt")] {
        let made = found(&path, FILES).await;
        assert!(matches!(made, Err(RepoInitError::Taken(taken)) if taken == path));
    }
    assert_eq!(world.person_bytes(), before);
}

#[tokio::test]
async fn w_5_a_first_file_cannot_be_outside_the_work_tree() {
    let home = tempfile::tempdir().expect("a directory");
    for path in ["", "..", "../x", "a/../../x", "/tmp/x", ".git/config", "a/.GIT/hooks/x", "."] {
        let files = [InitialFile { path, content: "x" }];
        let new = home.path().join("new");
        let made = found(&new, &files).await;
        assert!(matches!(made, Err(RepoInitError::Outside(_))), "{path:?}");
        assert!(!new.exists(), "{path:?} left something behind");
    }
    let made = found(Path::new("new"), &[]).await;
    assert!(matches!(made, Err(RepoInitError::NotAbsolute(_))));
}

#[tokio::test]
async fn m_6_the_log_is_newest_first_and_limited() {
    let world = World::new().await;
    let feature = world.commit_on("side", &[("side.txt", "s\n")]).await;
    world.person_git(&["commit", "-q", "--allow-empty", "-m", "second"]);
    world.person_git(&["merge", "-q", "--no-ff", "-m", "joined", feature.as_str()]);
    let drawn = world.repo.log_lines(&branch("main"), 10).await.expect("a log");
    let subjects: Vec<_> = drawn
        .iter()
        .filter(|line| line.contains('*'))
        .map(|line| line.rsplit(' ').next().unwrap_or_default())
        .collect();
    assert_eq!(subjects.first(), Some(&"joined"));
    assert_eq!(subjects.last(), Some(&"first"));
    assert!(drawn.iter().any(|line| line.contains("|\\")), "branches are visible: {drawn:#?}");
    let last = world.repo.log_lines(&branch("main"), 1).await.expect("a log");
    assert_eq!(last.iter().filter(|line| line.contains('*')).count(), 1);
    assert!(world.repo.log_lines(&branch("gone"), 1).await.is_err());
}

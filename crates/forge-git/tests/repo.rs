//! Opening repositories and asking them questions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::path::Path;

use forge_git::{DefaultBranchError, OpenError, Repo, RepoLocks};
use support::{World, branch, git_in};

#[tokio::test]
async fn t_1_a_repository_is_opened_by_its_top_level_only() {
    let world = World::new().await;
    let git = &world.git;
    let person = world.person();
    assert_eq!(world.repo.common_dir(), person.join(".git"));
    let open = async |path: &Path| Repo::open(git, path).await.expect_err("refused");
    assert!(matches!(open(Path::new("person")).await, OpenError::NotAbsolute(_)));
    assert!(matches!(open(&world.home().join("gone")).await, OpenError::Missing(_)));
    assert!(matches!(open(&world.home()).await, OpenError::NotARepository(_)));
    assert!(matches!(open(&person.join("a.txt")).await, OpenError::NotARepository(_)));
    for inside in ["dir", ".git", ".git/refs"] {
        match open(&person.join(inside)).await {
            OpenError::Inside { top, .. } => assert_eq!(top, person, "{inside}"),
            other => panic!("{inside}: {other}"),
        }
    }
}

#[tokio::test]
async fn t_1_bare_linked_and_symlinked_repositories_open() {
    let world = World::new().await;
    git_in(&world.home(), &["clone", "-q", "--bare", "person", "bare.git"]);
    let bare = Repo::open(&world.git, &world.home().join("bare.git")).await.expect("opens");
    assert_eq!(bare.default_branch().await.expect("detected"), branch("main"));
    world.person_git(&["worktree", "add", "-q", "../linked"]);
    let linked = Repo::open(&world.git, &world.home().join("linked")).await.expect("opens");
    assert_eq!(linked.common_dir(), world.repo.common_dir());
    std::os::unix::fs::symlink(world.person(), world.home().join("link")).expect("links");
    let link = Repo::open(&world.git, &world.home().join("link")).await.expect("opens");
    assert_eq!(link.common_dir(), world.repo.common_dir());
}

#[tokio::test]
async fn w_17_a_repository_of_another_user_is_refused() {
    let world = World::new().await;
    // Only root can give files away; anybody else has no such repository to meet.
    if std::os::unix::fs::chown(world.person(), Some(12345), None).is_ok() {
        std::os::unix::fs::chown(world.person().join(".git"), Some(12345), None).expect("as above");
        let refused = Repo::open(&world.git, &world.person()).await;
        assert!(matches!(refused, Err(OpenError::OwnedByAnother(_))), "{refused:?}");
    }
}

#[tokio::test]
async fn w_17_the_default_branch_is_detected_never_assumed() {
    let world = World::new().await;
    assert_eq!(world.repo.default_branch().await.expect("HEAD's"), branch("main"));
    world.person_git(&["branch", "-m", "trunk"]);
    assert_eq!(world.repo.default_branch().await.expect("renamed"), branch("trunk"));
    world.person_git(&["checkout", "-q", "--detach"]);
    let detached = world.repo.default_branch().await;
    assert!(matches!(detached, Err(DefaultBranchError::Detached(_))), "{detached:?}");
    world.person_git(&["update-ref", "refs/remotes/origin/trunk", "HEAD"]);
    world.person_git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"]);
    assert_eq!(world.repo.default_branch().await.expect("origin's"), branch("trunk"));
}

#[tokio::test]
async fn w_17_an_empty_repository_says_to_make_a_commit() {
    let world = World::new().await;
    let empty = world.home().join("empty");
    std::fs::create_dir(&empty).expect("a directory");
    git_in(&empty, &["init", "-q", "-b", "start"]);
    let repo = Repo::open(&world.git, &empty).await.expect("opens");
    match repo.default_branch().await {
        Err(DefaultBranchError::Unborn { branch: found, .. }) => assert_eq!(found, branch("start")),
        other => panic!("{other:?}"),
    }
    assert_eq!(repo.tip(&branch("start")).await.expect("reads"), None);
}

#[tokio::test]
async fn w_12_the_lock_excludes_tasks_and_other_instances_but_not_other_repositories() {
    let world = World::new().await;
    let held = world.lock().await;
    // A second set of locks on the same directory stands for a second process.
    let other_process = RepoLocks::new(world.home().join("locks"));
    let repo = world.repo.clone();
    let mut waiting = tokio::spawn(async move { other_process.acquire(&repo).await.map(drop) });
    git_in(&world.home(), &["clone", "-q", "person", "second"]);
    let second = Repo::open(&world.git, &world.home().join("second")).await.expect("opens");
    world.locks.acquire(&second).await.expect("does not wait");
    // It had every chance to run while we did all that.
    assert!(!waiting.is_finished());
    drop(held);
    (&mut waiting).await.expect("runs").expect("gets its turn");
}

//! Opening repositories and querying them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::path::Path;

use forge_git::{DefaultBranchError, Repo, RepoLocks, RepoOpenError};
use support::{World, branch, git_in};

#[tokio::test]
async fn t_1_a_repository_is_opened_by_its_top_level_only() {
    let world = World::new().await;
    let git = &world.git;
    let person = world.person();
    assert_eq!(world.repo.common_dir(), person.join(".git"));
    let open = async |path: &Path| Repo::open(git, path).await.expect_err("refused");
    assert!(matches!(open(Path::new("person")).await, RepoOpenError::NotAbsolute(_)));
    assert!(matches!(open(&world.home().join("gone")).await, RepoOpenError::Missing(_)));
    assert!(matches!(open(&world.home()).await, RepoOpenError::NotARepository(_)));
    assert!(matches!(open(&person.join("a.txt")).await, RepoOpenError::NotARepository(_)));
    for inside in ["dir", ".git", ".git/refs"] {
        match open(&person.join(inside)).await {
            RepoOpenError::Inside { top, .. } => assert_eq!(top, person, "{inside}"),
            other => panic!("{inside}: {other}"),
        }
    }
}

#[tokio::test]
async fn t_1_bare_linked_and_symlinked_repositories_open() {
    let world = World::new().await;
    git_in(&world.home(), &["clone", "-q", "--bare", "person", "bare.git"]);
    let bare = Repo::open(&world.git, &world.home().join("bare.git")).await.expect("opens");
    assert_eq!(bare.default_branch(None).await.expect("detected"), branch("main"));
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
    // Only root can change the owner of a file; other users cannot set this test up.
    if std::os::unix::fs::chown(world.person(), Some(12345), None).is_ok() {
        std::os::unix::fs::chown(world.person().join(".git"), Some(12345), None).expect("as above");
        let refused = Repo::open(&world.git, &world.person()).await;
        assert!(matches!(refused, Err(RepoOpenError::OwnedByAnother(_))), "{refused:?}");
    }
}

#[tokio::test]
async fn w_17_the_default_branch_is_detected_never_assumed() {
    let world = World::new().await;
    assert_eq!(world.repo.default_branch(None).await.expect("HEAD's"), branch("main"));
    world.person_git(&["branch", "-m", "trunk"]);
    assert_eq!(world.repo.default_branch(None).await.expect("renamed"), branch("trunk"));
    world.person_git(&["checkout", "-q", "--detach"]);
    assert_eq!(world.repo.default_branch(None).await.expect("the only one"), branch("trunk"));
    world.person_git(&["checkout", "-q", "-b", "topic"]);
    world.person_git(&["update-ref", "refs/remotes/origin/trunk", "HEAD"]);
    world.person_git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"]);
    assert_eq!(world.repo.default_branch(None).await.expect("origin's"), branch("trunk"));
}

#[tokio::test]
async fn issue_13_21_what_is_checked_out_is_not_the_default_branch() {
    let world = World::new().await;
    let found = async |configured| world.repo.default_branch(configured).await;
    world.person_git(&["checkout", "-q", "-b", "topic"]);
    assert_eq!(found(None).await.expect("main is there"), branch("main"));
    assert_eq!(found(Some("topic")).await.expect("as configured"), branch("topic"));
    assert_eq!(found(Some("absent")).await.expect("main is there"), branch("main"));
    world.person_git(&["branch", "-m", "main", "trunk"]);
    match found(None).await {
        Err(DefaultBranchError::Unclear { candidates, .. }) => {
            assert_eq!(candidates, [branch("topic"), branch("trunk")]);
        }
        other => panic!("{other:?}"),
    }
    world.person_git(&["branch", "-m", "topic", "forge/1-topic"]);
    assert_eq!(found(None).await.expect("the only one of a person"), branch("trunk"));
    world.person_git(&["branch", "master"]);
    assert_eq!(found(None).await.expect("master is there"), branch("master"));
}

#[tokio::test]
async fn issue_13_21_the_users_own_setting_is_asked_for() {
    let world = World::new().await;
    assert_eq!(world.git.init_default_branch(world.home().as_os_str()).await, None);
    std::fs::write(world.home().join(".gitconfig"), "[init]\n\tdefaultBranch = trunk\n").unwrap();
    let found = world.git.init_default_branch(world.home().as_os_str()).await;
    assert_eq!(found.as_deref(), Some("trunk"));
}

#[tokio::test]
async fn w_17_an_empty_repository_says_to_make_a_commit() {
    let world = World::new().await;
    let empty = world.home().join("empty");
    std::fs::create_dir(&empty).expect("a directory");
    git_in(&empty, &["init", "-q", "-b", "start"]);
    let repo = Repo::open(&world.git, &empty).await.expect("opens");
    match repo.default_branch(None).await {
        Err(DefaultBranchError::Unborn { branch: found, .. }) => assert_eq!(found, branch("start")),
        other => panic!("{other:?}"),
    }
    assert_eq!(repo.tip(&branch("start")).await.expect("reads"), None);
}

#[tokio::test]
async fn w_12_the_lock_excludes_tasks_and_other_instances_but_not_other_repositories() {
    let world = World::new().await;
    let held = world.lock().await;
    // A second set of locks on the same directory represents a second process.
    let other_process = RepoLocks::new(world.home().join("locks"));
    let repo = world.repo.clone();
    let mut waiting = tokio::spawn(async move { other_process.acquire(&repo).await.map(drop) });
    git_in(&world.home(), &["clone", "-q", "person", "second"]);
    let second = Repo::open(&world.git, &world.home().join("second")).await.expect("opens");
    world.locks.acquire(&second).await.expect("does not wait");
    // The task had enough time to run meanwhile.
    assert!(!waiting.is_finished());
    drop(held);
    (&mut waiting).await.expect("runs").expect("gets its turn");
}

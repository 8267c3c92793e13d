//! Remote repositories by address (issue: remote repositories, W-12).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::path::PathBuf;

use forge_git::{
    BranchName, FollowOutcome, RemoteCredentials, RemoteRepo, RemoteUrl, Repo, RepoCloneError,
};
use support::{World, git_in, write};

fn at(world: &World, path: &std::path::Path) -> RemoteRepo {
    let url = RemoteUrl::new(format!("file://{}", path.display())).expect("plain");
    RemoteRepo::new(url, RemoteCredentials::Anonymous, world.home().join("isolated-git"))
}

fn address(world: &World) -> RemoteRepo {
    at(world, &world.person())
}

fn place(world: &World) -> PathBuf {
    world.home().join("repos").join("one.git")
}

fn main() -> BranchName {
    BranchName::new("main").expect("valid")
}

#[tokio::test]
async fn a_remote_is_cloned_bare_with_its_default_branch_as_a_local_one() {
    let world = World::new().await;
    world.person_git(&["branch", "other"]);
    let repo =
        Repo::clone_bare(&world.git, &address(&world), &place(&world)).await.expect("cloned");
    assert_eq!(repo.default_branch(None).await.expect("one"), main());
    assert_eq!(repo.tip(&main()).await.expect("read"), Some(world.main().await));
    let refs = git_in(&place(&world), &["for-each-ref", "--format=%(refname)"]);
    let refs: Vec<_> = refs.lines().collect();
    let wanted = [
        "refs/heads/main",
        "refs/remotes/origin/HEAD",
        "refs/remotes/origin/main",
        "refs/remotes/origin/other",
    ];
    assert_eq!(refs, wanted, "other branches take no name away");
    let left: Vec<_> = std::fs::read_dir(world.home().join("repos")).expect("read").collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[tokio::test]
async fn a_failed_clone_leaves_nothing_and_says_why() {
    let world = World::new().await;
    let gone = at(&world, &world.home().join("gone"));
    let error = Repo::clone_bare(&world.git, &gone, &place(&world)).await.expect_err("gone");
    assert!(matches!(&error, RepoCloneError::Unreachable { .. }), "{error}");
    assert!(error.to_string().contains("check the address"), "{error}");
    let empty = world.home().join("empty");
    std::fs::create_dir(&empty).expect("made");
    git_in(&empty, &["init", "-q", "-b", "main"]);
    let url = at(&world, &empty);
    let error = Repo::clone_bare(&world.git, &url, &place(&world)).await.expect_err("empty");
    assert!(matches!(&error, RepoCloneError::Empty(_)), "{error}");
    let left = std::fs::read_dir(world.home().join("repos")).expect("read").count();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn a_killed_clone_does_not_block_the_next() {
    let world = World::new().await;
    write(&place(&world).with_extension("git.part").join("objects/half"), "half");
    Repo::clone_bare(&world.git, &address(&world), &place(&world)).await.expect("cloned");
    assert!(!place(&world).with_extension("git.part").exists());
}

#[tokio::test]
async fn a_fetch_moves_the_local_branch_forward_and_never_back() {
    let world = World::new().await;
    let url = address(&world);
    let repo = Repo::clone_bare(&world.git, &url, &place(&world)).await.expect("cloned");
    let follow = async || {
        repo.fetch(&url, &world.locks, &main()).await.expect("fetched");
        repo.follow_remote(&world.locks, &main()).await.expect("followed")
    };
    assert_eq!(follow().await, FollowOutcome::Unchanged);
    world.person_git(&["commit", "-q", "--allow-empty", "-m", "second"]);
    let second = world.main().await;
    assert_eq!(follow().await, FollowOutcome::FastForwarded(second.clone()));
    assert_eq!(repo.tip(&main()).await.expect("read"), Some(second.clone()));

    let landed =
        git_in(&place(&world), &["commit-tree", "-p", "main", "-m", "landed", "main^{tree}"]);
    git_in(&place(&world), &["update-ref", "refs/heads/main", landed.trim()]);
    assert_eq!(follow().await, FollowOutcome::Unchanged, "ours is ahead: it landed here");
    world.person_git(&["commit", "-q", "--allow-empty", "-m", "third"]);
    let theirs = world.main().await;
    let FollowOutcome::Diverged { ours, theirs: found } = follow().await else {
        panic!("diverged")
    };
    assert_eq!((ours.as_str(), found), (landed.trim(), theirs.clone()));

    // Commits that the remote once had follow its rewrite; commits that only landed here do not.
    git_in(&place(&world), &["update-ref", "refs/heads/main", second.as_str()]);
    assert_eq!(follow().await, FollowOutcome::FastForwarded(theirs.clone()));
    world.person_git(&["reset", "-q", "--hard", second.as_str()]);
    assert_eq!(follow().await, FollowOutcome::Rewritten(second.clone()));
    assert_eq!(repo.tip(&main()).await.expect("read"), Some(second.clone()));
    let kept = format!("refs/forge/archive/rewritten/main/{theirs}");
    git_in(&place(&world), &["rev-parse", "--verify", &kept]);

    let other = BranchName::new("release/1").expect("valid");
    assert_eq!(
        repo.follow_remote(&world.locks, &other).await.expect("read"),
        FollowOutcome::BranchMissing
    );
    world.person_git(&["branch", "release/1", second.as_str()]);
    repo.fetch(&url, &world.locks, &other).await.expect("fetched");
    let made = repo.follow_remote(&world.locks, &other).await.expect("made");
    assert_eq!(made, FollowOutcome::FastForwarded(second));
}

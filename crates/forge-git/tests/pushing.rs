//! Pushing a commit to a remote repository (M-7, M-17).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use forge_git::{
    BranchName, ObjectId, PushOutcome, RemoteCredentials, RemoteError, RemoteErrorKind, RemoteRepo,
    RemoteUrl,
};
use support::{World, git_in, write};

fn main() -> BranchName {
    BranchName::new("main").expect("valid")
}

/// A bare repository with the user's first commit, and its address.
fn bare(world: &World) -> (PathBuf, RemoteRepo) {
    let path = world.home().join("hub.git");
    world.person_git(&["clone", "-q", "--bare", ".", path.to_str().expect("text")]);
    let url = RemoteUrl::new(format!("file://{}", path.display())).expect("plain");
    (path, RemoteRepo::new(url, RemoteCredentials::Anonymous, world.home().join("isolated-git")))
}

fn committed(world: &World, name: &str) -> ObjectId {
    let made = world.person_git(&["commit-tree", "-p", "main", "-m", name, "main^{tree}"]);
    ObjectId::new(made.trim()).expect("an id")
}

fn tip(path: &std::path::Path) -> String {
    git_in(path, &["rev-parse", "main"]).trim().to_owned()
}

#[tokio::test]
async fn m_7_a_commit_goes_to_the_branch_without_force() {
    let world = World::new().await;
    let (hub, remote) = bare(&world);
    let first = world.main().await;
    let (one, two) = (committed(&world, "one"), committed(&world, "two"));
    let push = async |id: &ObjectId| world.repo.push(&remote, id, &main()).await.expect("ran");
    assert_eq!(world.repo.remote_tip(&remote, &main()).await.expect("asked"), Some(first.clone()));
    assert_eq!(push(&one).await, PushOutcome::Accepted);
    assert_eq!(push(&one).await, PushOutcome::UpToDate);
    assert_eq!(push(&two).await, PushOutcome::NonFastForward, "others were first");
    assert_eq!(push(&first).await, PushOutcome::NonFastForward, "never back");
    assert_eq!(tip(&hub), one.as_str());
    assert_eq!(world.repo.remote_tip(&remote, &main()).await.expect("asked"), Some(one));
    let gone = BranchName::new("gone").expect("valid");
    assert_eq!(world.repo.remote_tip(&remote, &gone).await.expect("asked"), None);
    assert_eq!(world.repo.fetch(&remote, &world.locks, &gone).await.expect("asked"), None);
    assert_eq!(world.main().await, first, "a push does not move the local branch");
    let left = std::fs::read_dir(world.home().join("isolated-git")).expect("read").count();
    assert_eq!(left, 0, "nothing is left of the calls");
}

#[tokio::test]
async fn m_16_a_push_with_lease_replaces_only_the_expected_commit() {
    let world = World::new().await;
    let (hub, remote) = bare(&world);
    let branch = BranchName::new("task").expect("valid");
    let (one, two) = (committed(&world, "one"), committed(&world, "two"));
    let there = || git_in(&hub, &["rev-parse", "task"]).trim().to_owned();
    let over = async |id: &ObjectId, known: Option<&ObjectId>| {
        world.repo.push_with_lease(&remote, id, &branch, known).await.expect("ran")
    };
    assert_eq!(over(&one, None).await, PushOutcome::Accepted);
    assert_eq!(over(&two, None).await, PushOutcome::NonFastForward, "it was not to be there");
    assert_eq!(
        over(&two, Some(&world.main().await)).await,
        PushOutcome::NonFastForward,
        "it is somewhere else"
    );
    assert_eq!(there(), one.as_str());
    assert_eq!(over(&two, Some(&one)).await, PushOutcome::Accepted);
    assert_eq!(there(), two.as_str());
    assert_eq!(
        world.repo.nth_first_parent(&two, 1).await.expect("asked"),
        Some(world.main().await)
    );
    assert_eq!(world.repo.nth_first_parent(&two, 9).await.expect("asked"), None);
    assert_eq!(world.repo.count_since(&world.main().await, &two).await.expect("asked"), 1);
}

#[tokio::test]
async fn m_15_repository_settings_cannot_redirect_a_push() {
    let world = World::new().await;
    let (hub, remote) = bare(&world);
    let other = world.home().join("other.git");
    world.person_git(&["clone", "-q", "--bare", ".", other.to_str().expect("text")]);
    let rule = format!("url.file://{}.pushInsteadOf", other.display());
    world.person_git(&["config", &rule, remote.url().as_str()]);
    world.person_git(&["config", "push.followTags", "true"]);
    let hook = world.person().join(".git/hooks/pre-push");
    write(&hook, "#!/bin/sh\nexit 1\n");
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).expect("set");
    let one = committed(&world, "one");
    world.person_git(&["tag", "-a", "-m", "mine", "mine", one.as_str()]);
    assert_eq!(world.repo.push(&remote, &one, &main()).await.expect("ran"), PushOutcome::Accepted);
    assert_eq!(tip(&hub), one.as_str());
    assert_ne!(tip(&other), one.as_str());
    assert_eq!(git_in(&hub, &["tag"]), "", "nothing but the commit goes");
}

#[tokio::test]
async fn m_17_a_protected_branch_and_a_missing_repository_are_distinguished() {
    let world = World::new().await;
    let (hub, remote) = bare(&world);
    let one = committed(&world, "one");
    let hook = hub.join("hooks/pre-receive");
    write(&hook, "#!/bin/sh\necho 'main is protected: open a pull request' >&2\nexit 1\n");
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).expect("set");
    let declined = world.repo.push(&remote, &one, &main()).await.expect("ran");
    let PushOutcome::Rejected { message } = declined else { panic!("{declined:?}") };
    assert!(message.contains("pre-receive hook declined"), "{message}");
    assert!(message.contains("main is protected: open a pull request"), "{message}");
    assert_ne!(tip(&hub), one.as_str());
    std::fs::rename(&hub, hub.with_extension("away")).expect("moved");
    let failed = world.repo.push(&remote, &one, &main()).await.expect("ran");
    let PushOutcome::Failed(RemoteError { kind, .. }) = failed else { panic!("{failed:?}") };
    assert_eq!(kind, RemoteErrorKind::Network);
}

//! A program counts as started when it works in the expected directory (E-3).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use forge_proc::{
    ExpectedWorkdir, ProcessEnding, SupervisedProcess, SupervisionSpec, WorkdirError, spawn,
};
use support::ProcessFixture;
use tokio_util::sync::CancellationToken;

/// A program that has settled after these commands.
async fn start_settled(place: &ProcessFixture, commands: &str) -> SupervisedProcess {
    place.fifo("up");
    let home = place.path().display();
    let script = format!("{commands} echo up > {home}/up; exec sleep 1000");
    let running = spawn(place.spec(&script)).await.expect("starts");
    place.wait_for_fifo("up").await;
    running
}

async fn end(running: SupervisedProcess) {
    let stop = CancellationToken::new();
    stop.cancel();
    assert_eq!(running.wait(&stop).await.ending, ProcessEnding::Stopped);
}

/// A worktree as git creates it: a `.git` file that points into the repository.
fn worktree(place: &ProcessFixture) -> ExpectedWorkdir {
    let git_dir = place.path().join("repo/worktrees/w");
    std::fs::create_dir_all(&git_dir).expect("made");
    std::fs::write(git_dir.join("HEAD"), "ref: refs/heads/forge/t-1\n").expect("written");
    let pointer = format!("gitdir: {}\n", git_dir.display());
    std::fs::write(place.path().join(".git"), pointer).expect("written");
    ExpectedWorkdir::new(place.path()).git_dir(git_dir).branch("refs/heads/forge/t-1")
}

#[tokio::test]
async fn e_3_a_program_in_its_worktree_may_begin() {
    let place = ProcessFixture::new("inside");
    let site = worktree(&place);
    let running = start_settled(&place, "mkdir sub; cd sub;").await;
    assert_eq!(running.verify(&site), Ok(()));
    end(running).await;
}

#[tokio::test]
async fn e_3_a_program_in_another_directory_may_not_begin() {
    let place = ProcessFixture::new("outside");
    let running = start_settled(&place, "cd /;").await;
    let astray = running.verify(&ExpectedWorkdir::new(place.path())).expect_err("it left");
    assert!(
        matches!(&astray, WorkdirError::Directory { found, .. } if found.as_os_str() == "/"),
        "{astray}"
    );
    end(running).await;
}

#[tokio::test]
async fn e_3_a_replaced_worktree_is_refused() {
    let place = ProcessFixture::new("replaced");
    let running = start_settled(&place, "mkdir tree; cd tree;").await;
    let tree = place.path().join("tree");
    assert_eq!(running.verify(&ExpectedWorkdir::new(&tree)), Ok(()));
    std::fs::rename(&tree, place.path().join("aside")).expect("moved");
    std::fs::create_dir(&tree).expect("made");
    assert!(matches!(
        running.verify(&ExpectedWorkdir::new(&tree)),
        Err(WorkdirError::Directory { .. })
    ));
    end(running).await;
}

#[tokio::test]
async fn e_3_an_environment_that_redirects_git_is_refused() {
    let place = ProcessFixture::new("diverted");
    place.fifo("up");
    let call = place.shell("echo up > up; exec sleep 1000").env("GIT_DIR", "/elsewhere");
    let spec = SupervisionSpec::new(call, place.mark.clone(), place.log());
    let running = spawn(spec).await.expect("starts");
    place.wait_for_fifo("up").await;
    let astray =
        running.verify(&ExpectedWorkdir::new(place.path())).expect_err("git looks elsewhere");
    assert!(
        matches!(&astray, WorkdirError::GitRedirected { name, .. } if name == "GIT_DIR"),
        "{astray}"
    );
    end(running).await;
}

#[tokio::test]
async fn e_3_another_repository_or_branch_is_refused() {
    let place = ProcessFixture::new("branch");
    let site = worktree(&place);
    let running = start_settled(&place, "").await;
    assert_eq!(running.verify(&site), Ok(()));
    let other = site.clone().branch("refs/heads/main");
    assert!(matches!(running.verify(&other), Err(WorkdirError::Branch { .. })));
    let other = site.clone().git_dir(place.path().join("repo"));
    assert!(matches!(running.verify(&other), Err(WorkdirError::GitDir { .. })));
    std::fs::remove_file(place.path().join(".git")).expect("removed");
    assert!(matches!(running.verify(&site), Err(WorkdirError::GitDir { .. })));
    end(running).await;
}

#[tokio::test]
async fn e_3_an_ended_program_passes_the_directory_check() {
    let place = ProcessFixture::new("over");
    let running = spawn(place.spec("exit 0")).await.expect("starts");
    place.wait_until_exited(running.identity()).await;
    assert_eq!(running.verify(&ExpectedWorkdir::new(place.path())), Ok(()));
    let ended = running.wait(&CancellationToken::new()).await;
    assert_eq!(ended.ending, ProcessEnding::Exited(0));
}

//! A run counts as begun when it stands where it should (E-3).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use forge_proc::{Astray, Ending, Running, Site, Spec, spawn};
use support::Place;
use tokio_util::sync::CancellationToken;

/// A program that has settled after these commands.
async fn standing(place: &Place, commands: &str) -> Running {
    place.fifo("up");
    let home = place.path().display();
    let script = format!("{commands} echo up > {home}/up; exec sleep 1000");
    let running = spawn(place.spec(&script)).await.expect("starts");
    place.reached("up").await;
    running
}

async fn end(running: Running) {
    let stop = CancellationToken::new();
    stop.cancel();
    assert_eq!(running.wait(&stop).await.ending, Ending::Stopped);
}

/// A worktree as git lays it out: a file that points into the repository.
fn worktree(place: &Place) -> Site {
    let git_dir = place.path().join("repo/worktrees/w");
    std::fs::create_dir_all(&git_dir).expect("made");
    std::fs::write(git_dir.join("HEAD"), "ref: refs/heads/forge/t-1\n").expect("written");
    let pointer = format!("gitdir: {}\n", git_dir.display());
    std::fs::write(place.path().join(".git"), pointer).expect("written");
    Site::new(place.path()).git_dir(git_dir).branch("refs/heads/forge/t-1")
}

#[tokio::test]
async fn e_3_a_program_in_its_worktree_may_begin() {
    let place = Place::new("inside");
    let site = worktree(&place);
    let running = standing(&place, "mkdir sub; cd sub;").await;
    assert_eq!(running.verify(&site), Ok(()));
    end(running).await;
}

#[tokio::test]
async fn e_3_a_program_elsewhere_may_not() {
    let place = Place::new("outside");
    let running = standing(&place, "cd /;").await;
    let astray = running.verify(&Site::new(place.path())).expect_err("it left");
    assert!(
        matches!(&astray, Astray::Directory { found, .. } if found.as_os_str() == "/"),
        "{astray}"
    );
    end(running).await;
}

#[tokio::test]
async fn e_3_a_worktree_that_was_replaced_under_it_is_not_its_own() {
    let place = Place::new("replaced");
    let running = standing(&place, "mkdir tree; cd tree;").await;
    let tree = place.path().join("tree");
    assert_eq!(running.verify(&Site::new(&tree)), Ok(()));
    std::fs::rename(&tree, place.path().join("aside")).expect("moved");
    std::fs::create_dir(&tree).expect("made");
    assert!(matches!(running.verify(&Site::new(&tree)), Err(Astray::Directory { .. })));
    end(running).await;
}

#[tokio::test]
async fn e_3_an_environment_that_sends_git_elsewhere_is_refused() {
    let place = Place::new("diverted");
    place.fifo("up");
    let call = place.shell("echo up > up; exec sleep 1000").env("GIT_DIR", "/elsewhere");
    let spec = Spec::new(call, place.mark.clone(), place.log());
    let running = spawn(spec).await.expect("starts");
    place.reached("up").await;
    let astray = running.verify(&Site::new(place.path())).expect_err("git looks elsewhere");
    assert!(matches!(&astray, Astray::Diverted { name, .. } if name == "GIT_DIR"), "{astray}");
    end(running).await;
}

#[tokio::test]
async fn e_3_another_repository_or_branch_is_refused() {
    let place = Place::new("branch");
    let site = worktree(&place);
    let running = standing(&place, "").await;
    assert_eq!(running.verify(&site), Ok(()));
    let other = site.clone().branch("refs/heads/main");
    assert!(matches!(running.verify(&other), Err(Astray::Branch { .. })));
    let other = site.clone().git_dir(place.path().join("repo"));
    assert!(matches!(running.verify(&other), Err(Astray::GitDir { .. })));
    std::fs::remove_file(place.path().join(".git")).expect("removed");
    assert!(matches!(running.verify(&site), Err(Astray::GitDir { .. })));
    end(running).await;
}

#[tokio::test]
async fn e_3_a_program_that_is_already_over_is_not_astray() {
    let place = Place::new("over");
    let running = spawn(place.spec("exit 0")).await.expect("starts");
    place.gone(running.identity()).await;
    assert_eq!(running.verify(&Site::new(place.path())), Ok(()));
    let ended = running.wait(&CancellationToken::new()).await;
    assert_eq!(ended.ending, Ending::Exited(0));
}

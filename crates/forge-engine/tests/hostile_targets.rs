//! Targets that do not stay where they were (M-7, M-9): deleted, renamed, rewritten, gone with their repository. Each
//! time the task says so and what to do, and goes on once that was done.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::TaskId;
use forge_domain::task::{AnnotationType, Snapshot};
use forge_testkit::world::World;
use serde_json::json;

/// A task at the gate, ready to land.
async fn ready(world: &World) -> TaskId {
    world.worked("echo x > x").await
}

/// Back to where it may land from, and into its target's line.
async fn again(world: &World, task: TaskId) -> Snapshot {
    if world.now(task).await.state.as_str() == "blocked" {
        assert_eq!(world.move_to(task, "review").await.state.as_str(), "review");
    }
    world.landed(task).await
}

fn says(task: &Snapshot, kind: AnnotationType, words: &[&str]) {
    let trouble = task.annotation.as_ref().expect("it says why");
    assert_eq!(trouble.kind, kind, "{trouble:?}");
    for word in words {
        assert!(trouble.message.contains(word), "{word}: {}", trouble.message);
    }
    let place = std::path::Path::new(&task.workspace.as_ref().expect("kept").path);
    assert!(place.is_dir(), "P-1: the work is there");
}

#[tokio::test]
async fn m_9_a_target_that_was_deleted_or_renamed_is_named_and_the_task_lands_once_it_is_back() {
    let world = World::new().await;
    let task = ready(&world).await;
    world.repository.git(&["branch", "--move", "main", "trunk"]).await;
    let refused = again(&world, task).await;
    let words = ["main does not exist", "merge_config.target_branch"];
    says(&refused, AnnotationType::WorkspaceError, &words);
    assert_eq!(world.repository.subjects("trunk").await, ["first"], "nothing half done");

    world.repository.git(&["checkout", "--quiet", "--detach"]).await;
    world.repository.git(&["branch", "--move", "trunk", "main"]).await;
    let tip = world.repository.git(&["rev-parse", "main"]).await;
    world.repository.git(&["branch", "--delete", "--force", "main"]).await;
    says(&again(&world, task).await, AnnotationType::WorkspaceError, &words);
    let heads = world.repository.git(&["branch", "--list", "main"]).await;
    assert_eq!(heads, "", "it is not made again by us");

    world.repository.git(&["branch", "main", &tip]).await;
    assert_eq!(again(&world, task).await.state.as_str(), "done");
    assert_eq!(world.repository.subjects("main").await, ["Work (T-1)", "first"]);
}

#[tokio::test]
async fn m_9_a_target_that_was_rewritten_gets_the_landing_on_top_and_nothing_of_what_was_taken_out()
{
    let world = World::new().await;
    world.repository.write("secret.txt", "oops\n");
    world.repository.commit("oops").await;
    let task = ready(&world).await;
    world.repository.git(&["reset", "--quiet", "--hard", "HEAD~1"]).await;
    world.repository.write("other.txt", "other\n");
    world.repository.commit("instead").await;
    let landed = again(&world, task).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    let subjects = world.repository.subjects("main").await;
    assert_eq!(subjects, ["Work (T-1)", "instead", "first"]);
    let files = world.repository.git(&["ls-tree", "--name-only", "main"]).await;
    assert!(!files.contains("secret.txt"), "what was taken out stays out: {files}");
    assert_eq!(world.repository.git(&["status", "--porcelain"]).await, "");
}

/// No commit in common: there is nothing to merge from, and nobody guesses.
#[tokio::test]
async fn m_9_a_target_with_another_history_altogether_is_told_and_left_alone() {
    let world = World::new().await;
    let task = ready(&world).await;
    world.repository.git(&["checkout", "--quiet", "--orphan", "fresh"]).await;
    world.repository.commit("anew").await;
    world.repository.git(&["branch", "--move", "--force", "main"]).await;
    let refused = again(&world, task).await;
    let words = ["no commit in common", "bring the branch onto it"];
    says(&refused, AnnotationType::WorkspaceError, &words);
    assert_eq!(world.repository.subjects("main").await, ["anew"]);
}

/// Two tasks in a train whose first check waits until something was done to the repository.
async fn while_the_train_runs(world: &World, deed: impl AsyncFnOnce()) -> Vec<Snapshot> {
    let waits = "mkdir \"$HOME/first\" 2>/dev/null && { echo > \"$HOME/up\"; read -r word < \"$HOME/go\"; }; true";
    let settings = json!({
        "merge": { "train": true },
        "default_review_config": { "ci_steps": [waits] },
    });
    let project =
        world.project_with("Board", World::workflow("no-review"), settings).await.unwrap();
    let go = world.home().join("go");
    nix::unistd::mkfifo(&go, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let mut tasks = Vec::new();
    for title in ["one", "two"] {
        let script = "echo x > \"$FORGE_TASK_ID\"";
        tasks.push(world.claimed(project, World::titled(title), "coder", script).await);
    }
    world
        .once_up(|| async {
            deed().await;
            tokio::fs::write(&go, "on\n").await.unwrap();
        })
        .await;
    let mut ends = Vec::new();
    for task in tasks {
        ends.push(world.now(task).await);
    }
    ends
}

#[tokio::test]
async fn m_11_a_target_that_is_renamed_under_its_train_parks_everybody_and_lands_them_later() {
    let world = World::new().await;
    let repository = &world.repository;
    let rename = async || drop(repository.git(&["branch", "--move", "main", "trunk"]).await);
    let ends = while_the_train_runs(&world, rename).await;
    for task in &ends {
        says(task, AnnotationType::WorkspaceError, &["main does not exist", "target_branch"]);
    }
    assert_eq!(repository.subjects("trunk").await, ["first"], "the other branch is not theirs");
    assert!(!repository.git(&["worktree", "list"]).await.contains("_merge-"));
    repository.git(&["branch", "--move", "trunk", "main"]).await;
    for task in ends {
        let landed = world.move_to(task.id, "in_progress").await;
        assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    }
    assert_eq!(repository.subjects("main").await.len(), 3);
}

#[tokio::test]
async fn m_11_a_repository_that_is_moved_away_under_its_train_is_named_and_lands_when_it_is_back() {
    let mut world = World::new().await;
    let (here, away) = (world.repository.path().to_owned(), world.home().join("away"));
    let leave = async || std::fs::rename(&here, &away).unwrap();
    let ends = while_the_train_runs(&world, leave).await;
    for task in &ends {
        says(task, AnnotationType::WorkspaceError, &["repository", &here.to_string_lossy()]);
    }
    std::fs::rename(&away, &here).unwrap();
    for task in ends {
        let landed = world.move_to(task.id, "in_progress").await;
        assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    }
    let left: Vec<_> = std::fs::read_dir(world.workspaces())
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("_merge-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    // What the repository itself knew of a trial goes with the next start.
    world.restart().await;
    world.settle().await.unwrap();
    assert!(!world.repository.git(&["worktree", "list"]).await.contains("_merge-"));
    assert_eq!(world.repository.subjects("main").await.len(), 3);
}

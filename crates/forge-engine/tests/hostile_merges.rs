//! Histories and conflicts that are no plain text (M-6, M-9), merge programs (M-6), and words that are no plain words: each
//! lands whole, or says what stands in its way.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{AnnotationType, MergeConfig, MergeStrategy, Snapshot};
use forge_domain::{ProjectId, TaskId};
use forge_engine::NewTask;
use forge_testkit::repository::Repository;
use forge_testkit::world::World;
use std::os::unix::fs::PermissionsExt;

const WHO: &str = "git config user.name A; git config user.email a@localhost";

async fn board(world: &World) -> ProjectId {
    world.project("Board", World::workflow("default")).await.unwrap()
}

/// A task at the gate whose agent did this.
async fn reviewed(world: &World, title: &str, strategy: MergeStrategy, script: &str) -> TaskId {
    let merge_config = MergeConfig { target_branch: None, strategy };
    let asked = NewTask { merge_config, ..World::titled(title) };
    let project = board(world).await;
    let task = world.claimed(project, asked, title, &format!("{WHO}; {script}")).await;
    world.settle().await.unwrap();
    let now = world.now(task).await;
    assert_eq!(now.state.as_str(), "review", "{:?}", now.annotation);
    task
}

fn clash(task: &Snapshot, files: &[&str]) {
    assert_eq!(task.state.as_str(), "merge_failed", "{:?}", task.annotation);
    let trouble = task.annotation.as_ref().expect("it says why");
    assert_eq!(trouble.kind, AnnotationType::MergeConflict, "{trouble:?}");
    assert_eq!(trouble.details["files"], serde_json::json!(files));
}

/// Lands nothing: the target, the person's files and the branch are as they were.
async fn refused(world: &World, task: TaskId, files: &[&str]) {
    let before = world.repository.git(&["rev-parse", "main"]).await;
    let branch = world.now(task).await.workspace.unwrap().branch;
    let head = world.repository.git(&["rev-parse", &branch]).await;
    clash(&world.landed(task).await, files);
    assert_eq!(world.repository.git(&["rev-parse", "main"]).await, before);
    assert_eq!(world.repository.git(&["rev-parse", &branch]).await, head);
    assert_eq!(world.repository.git(&["status", "--porcelain"]).await, "");
    assert!(!world.repository.git(&["worktree", "list"]).await.contains("_merge-"));
}

#[tokio::test]
async fn m_9_a_file_that_one_renamed_and_the_other_deleted_is_a_conflict_by_name() {
    let world = World::new().await;
    let renames =
        reviewed(&world, "renames", MergeStrategy::Squash, "git mv numbers.txt n.txt").await;
    let rebases =
        reviewed(&world, "rebases", MergeStrategy::Rebase, "git mv numbers.txt r.txt").await;
    world.repository.git(&["rm", "--quiet", "numbers.txt"]).await;
    world.repository.commit("no numbers").await;
    refused(&world, renames, &["n.txt"]).await;
    refused(&world, rebases, &["r.txt"]).await;
}

#[tokio::test]
async fn m_9_a_submodule_that_both_moved_is_a_conflict_by_name() {
    let world = World::new().await;
    let library = Repository::create(&world.home().join("library")).await;
    let path = library.path().to_str().unwrap().to_owned();
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &path, "lib"];
    world.repository.git(&add).await;
    world.repository.commit("a submodule").await;
    let (one, other) = ("1".repeat(40), "2".repeat(40));
    let moves = format!("git update-index --cacheinfo 160000,{one},lib; git commit -qm 'lib on'");
    let task = reviewed(&world, "moves", MergeStrategy::Squash, &moves).await;
    let index = format!("160000,{other},lib");
    world.repository.git(&["update-index", "--cacheinfo", &index]).await;
    world.repository.git(&["commit", "--quiet", "--message", "lib elsewhere"]).await;
    let before = world.repository.git(&["rev-parse", "main"]).await;
    clash(&world.landed(task).await, &["lib"]);
    assert_eq!(world.repository.git(&["rev-parse", "main"]).await, before);
    assert!(world.repository.path().join("lib/README.md").exists(), "P-2");
}

/// Each side merged the other's first commit: there are two bases, and neither is the right one alone.
#[tokio::test]
async fn m_6_criss_cross_histories_land_by_every_strategy() {
    for strategy in [MergeStrategy::Squash, MergeStrategy::Merge, MergeStrategy::Rebase] {
        let world = World::new().await;
        let project = board(&world).await;
        let repository = &world.repository;
        let begins =
            format!("{WHO}; echo theirs > theirs; git add -A; git commit -qm theirs || true");
        let merge_config = MergeConfig { target_branch: None, strategy };
        let asked = NewTask { merge_config, ..World::titled("Cross") };
        let task = world.claimed(project, asked, "coder", &begins).await;
        world.settle().await.unwrap();
        let branch = world.now(task).await.workspace.unwrap().branch;
        let theirs = repository.git(&["rev-parse", &branch]).await;
        repository.write("ours", "ours\n");
        repository.commit("ours").await;
        let ours = repository.git(&["rev-parse", "main"]).await;
        repository.git(&["merge", "--quiet", "--no-edit", &theirs]).await;
        let directory = Repository::at(&world.directory(task).await);
        directory.git(&["merge", "--quiet", "--no-edit", &ours]).await;
        directory.write("more", "more\n");
        directory.commit("more of theirs").await;
        let bases = repository.git(&["merge-base", "--all", "main", &branch]).await;
        assert_eq!(bases.lines().count(), 2, "criss-cross");
        world.move_to(task, "in_progress").await;
        let landed = world.landed(task).await;
        assert_eq!(landed.state.as_str(), "done", "{strategy:?}: {:?}", landed.annotation);
        let files = repository.git(&["ls-tree", "--name-only", "main"]).await;
        assert_eq!(files, "README.md\nmore\nnumbers.txt\nours\ntheirs", "{strategy:?}");
        assert_eq!(repository.git(&["status", "--porcelain"]).await, "");
    }
}

fn program(world: &World, name: &str, text: &str) -> std::path::PathBuf {
    let path = world.home().join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// An agent names a merge program in attributes of its own, and writes one: without a person's settings nothing of it runs.
#[tokio::test]
async fn m_6_attributes_that_name_a_merge_program_or_a_filter_run_nothing_by_themselves() {
    let world = World::new().await;
    let trap = program(&world, "trap", "touch \"$(dirname \"$0\")/sprung\"; exit 1");
    let trap = trap.display();
    let script = format!(
        "echo '* merge=trap filter=lfs' > .gitattributes; cp {trap} trap; echo mine > numbers.txt"
    );
    let first = reviewed(&world, "first", MergeStrategy::Squash, &script).await;
    let second =
        reviewed(&world, "second", MergeStrategy::Squash, "echo other > numbers.txt").await;
    let third = reviewed(&world, "third", MergeStrategy::Squash, "echo x > x.txt").await;
    assert_eq!(world.landed(first).await.state.as_str(), "done");
    refused(&world, second, &["numbers.txt"]).await;
    assert_eq!(world.landed(third).await.state.as_str(), "done");
    assert!(!world.home().join("sprung").exists());
}

/// What a person set up for the repository counts, as with git's own merge: in the top level of a checkout of the target.
#[tokio::test]
async fn m_6_a_merge_program_of_the_person_is_run_where_git_would_run_it() {
    let world = World::new().await;
    let repository = &world.repository;
    std::fs::create_dir(repository.path().join("tools")).unwrap();
    let text = "#!/bin/sh\npwd >> \"$0.log\"\ntest -e README.md || exit 2\ncat \"$2\" \"$3\" | sort -u > \"$2.new\" && mv \"$2.new\" \"$2\"\n";
    repository.write("tools/union", text);
    let tool = repository.path().join("tools/union");
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    repository.write(".gitattributes", "list merge=union-tool\n");
    repository.write("list", "a\n");
    repository.commit("a list").await;
    let driver = "tools/union %O %A %B";
    repository.git(&["config", "merge.union-tool.driver", driver]).await;
    // The one of the target counts, not what a branch made of it.
    let evil = "printf '#!/bin/sh\\ntouch \"$HOME/sprung\"\\n' > tools/union; echo b > list";
    let one = reviewed(&world, "one", MergeStrategy::Squash, evil).await;
    let two = reviewed(&world, "two", MergeStrategy::Rebase, "echo c > list").await;
    repository.write("list", "d\n");
    repository.commit("meanwhile").await;
    let landed = world.landed(two).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    assert_eq!(repository.git(&["show", "main:list"]).await, "c\nd");
    let landed = world.landed(one).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    assert_eq!(repository.git(&["show", "main:list"]).await, "b\nc\nd");
    assert!(!world.home().join("sprung").exists());
    assert!(!repository.git(&["worktree", "list"]).await.contains("_merge-"));
    assert_eq!(repository.git(&["status", "--porcelain"]).await, "");
}

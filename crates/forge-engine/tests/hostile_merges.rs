//! Unusual histories and conflicts (M-6, M-9), merge programs (M-6), and unusual texts: each lands whole, or says what
//! prevents it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{AnnotationType, MergeConfig, MergeStrategy, TaskSnapshot};
use forge_domain::{ProjectId, TaskId};
use forge_engine::TaskSpec;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::test_repository::TestRepository;
use std::os::unix::fs::PermissionsExt;

const WHO: &str = "git config user.name A; git config user.email a@localhost";

async fn board(world: &EngineFixture) -> ProjectId {
    world.project("Board", EngineFixture::workflow("default")).await.unwrap()
}

/// A task at the gate whose agent ran this script.
async fn reviewed(
    world: &EngineFixture,
    title: &str,
    strategy: MergeStrategy,
    script: &str,
) -> TaskId {
    let merge_config = MergeConfig { target_branch: None, strategy };
    let asked = TaskSpec { merge_config, ..EngineFixture::task_request(title) };
    let project = board(world).await;
    let task = world.claimed_task(project, asked, title, &format!("{WHO}; {script}")).await;
    world.settle().await.unwrap();
    let now = world.load_task(task).await;
    assert_eq!(now.state.as_str(), "review", "{:?}", now.annotation);
    task
}

fn clash(task: &TaskSnapshot, files: &[&str]) {
    assert_eq!(task.state.as_str(), "merge_failed", "{:?}", task.annotation);
    let trouble = task.annotation.as_ref().expect("it says why");
    assert_eq!(trouble.kind, AnnotationType::MergeConflict, "{trouble:?}");
    assert_eq!(trouble.details["files"], serde_json::json!(files));
}

/// Asserts that nothing lands: the target, the user's files and the branch stay as they were.
async fn refused(world: &EngineFixture, task: TaskId, files: &[&str]) {
    let before = world.repository.git(&["rev-parse", "main"]).await;
    let branch = world.load_task(task).await.workspace.unwrap().branch;
    let head = world.repository.git(&["rev-parse", &branch]).await;
    clash(&world.land_task(task).await, files);
    assert_eq!(world.repository.git(&["rev-parse", "main"]).await, before);
    assert_eq!(world.repository.git(&["rev-parse", &branch]).await, head);
    assert_eq!(world.repository.git(&["status", "--porcelain"]).await, "");
    assert!(!world.repository.git(&["worktree", "list"]).await.contains("_merge-"));
}

#[tokio::test]
async fn m_9_a_file_that_one_renamed_and_the_other_deleted_is_a_conflict_by_name() {
    let world = EngineFixture::new().await;
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
    let world = EngineFixture::new().await;
    let library = TestRepository::create(&world.home().join("library")).await;
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
    clash(&world.land_task(task).await, &["lib"]);
    assert_eq!(world.repository.git(&["rev-parse", "main"]).await, before);
    assert!(world.repository.path().join("lib/README.md").exists(), "P-2");
}

/// Each side merged the other's first commit: there are two merge bases, and neither alone is right.
#[tokio::test]
async fn m_6_criss_cross_histories_land_by_every_strategy() {
    for strategy in [MergeStrategy::Squash, MergeStrategy::Merge, MergeStrategy::Rebase] {
        let world = EngineFixture::new().await;
        let project = board(&world).await;
        let repository = &world.repository;
        // A user's commit that both sides merge: a commit of the task itself on main would be an outside landing.
        repository.git(&["checkout", "--quiet", "-b", "side"]).await;
        repository.write("theirs", "theirs\n");
        repository.commit("theirs").await;
        repository.git(&["checkout", "--quiet", "main"]).await;
        let merge_config = MergeConfig { target_branch: None, strategy };
        let asked = TaskSpec { merge_config, ..EngineFixture::task_request("Cross") };
        let task = world.claimed_task(project, asked, "coder", "git merge -q side").await;
        world.settle().await.unwrap();
        let branch = world.load_task(task).await.workspace.unwrap().branch;
        let theirs = repository.git(&["rev-parse", "side"]).await;
        repository.write("ours", "ours\n");
        repository.commit("ours").await;
        let ours = repository.git(&["rev-parse", "main"]).await;
        repository.git(&["merge", "--quiet", "--no-edit", &theirs]).await;
        let directory = TestRepository::open(&world.workspace_dir(task).await);
        directory.git(&["merge", "--quiet", "--no-edit", &ours]).await;
        directory.write("more", "more\n");
        directory.commit("more of theirs").await;
        let bases = repository.git(&["merge-base", "--all", "main", &branch]).await;
        assert_eq!(bases.lines().count(), 2, "criss-cross");
        world.move_to(task, "in_progress").await;
        let landed = world.land_task(task).await;
        assert_eq!(landed.state.as_str(), "done", "{strategy:?}: {:?}", landed.annotation);
        let files = repository.git(&["ls-tree", "--name-only", "main"]).await;
        assert_eq!(files, "README.md\nmore\nnumbers.txt\nours\ntheirs", "{strategy:?}");
        assert_eq!(repository.git(&["status", "--porcelain"]).await, "");
    }
}

fn program(world: &EngineFixture, name: &str, text: &str) -> std::path::PathBuf {
    let path = world.home().join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// An agent names a merge program in its own attributes, and writes one: without a user's git settings it does not run.
#[tokio::test]
async fn m_6_attributes_that_name_a_merge_program_or_a_filter_run_nothing() {
    let world = EngineFixture::new().await;
    let trap = program(&world, "trap", "touch \"$(dirname \"$0\")/sprung\"; exit 1");
    let trap = trap.display();
    let script = format!(
        "echo '* merge=trap filter=lfs' > .gitattributes; cp {trap} trap; echo mine > numbers.txt"
    );
    let first = reviewed(&world, "first", MergeStrategy::Squash, &script).await;
    let second =
        reviewed(&world, "second", MergeStrategy::Squash, "echo other > numbers.txt").await;
    let third = reviewed(&world, "third", MergeStrategy::Squash, "echo x > x.txt").await;
    assert_eq!(world.land_task(first).await.state.as_str(), "done");
    refused(&world, second, &["numbers.txt"]).await;
    assert_eq!(world.land_task(third).await.state.as_str(), "done");
    assert!(!world.home().join("sprung").exists());
}

/// A merge program that a user configured for the repository runs, as with git's own merge: in the top level of a
/// checkout of the target.
#[tokio::test]
async fn m_6_a_users_merge_program_runs_where_git_would_run_it() {
    let world = EngineFixture::new().await;
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
    // The target's version of the program counts, not the branch's.
    let evil = "printf '#!/bin/sh\\ntouch \"$HOME/sprung\"\\n' > tools/union; echo b > list";
    let one = reviewed(&world, "one", MergeStrategy::Squash, evil).await;
    let two = reviewed(&world, "two", MergeStrategy::Rebase, "echo c > list").await;
    repository.write("list", "d\n");
    repository.commit("meanwhile").await;
    let landed = world.land_task(two).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    assert_eq!(repository.git(&["show", "main:list"]).await, "c\nd");
    let landed = world.land_task(one).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    assert_eq!(repository.git(&["show", "main:list"]).await, "b\nc\nd");
    assert!(!world.home().join("sprung").exists());
    assert!(!repository.git(&["worktree", "list"]).await.contains("_merge-"));
    assert_eq!(repository.git(&["status", "--porcelain"]).await, "");
}

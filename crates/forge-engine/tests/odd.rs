//! Unusual repositories (W-17): the task completes, or the error says what to do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::WorkspaceType;
use forge_domain::project::ProjectSettings;
use forge_domain::task::AnnotationType;
use forge_engine::{EngineError, LocalRepoSpec, ProjectSpec};
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::test_repository::TestRepository;

/// Adds a repository to its own project.
async fn added(world: &EngineFixture, path: &std::path::Path) -> Result<(), EngineError> {
    let asked = ProjectSpec {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        workspace_type: WorkspaceType::GitWorktree,
        workflow: EngineFixture::workflow("default"),
        settings: ProjectSettings::default(),
    };
    let project =
        world.engine().projects().create_project(EngineFixture::acting_user(), asked).await?.id;
    let asked = LocalRepoSpec { path: path.to_owned(), name: None };
    world.engine().repos().add_repo(EngineFixture::acting_user(), project, asked).await.map(drop)
}

#[tokio::test]
async fn w_17_an_empty_repository_is_refused_and_the_checked_out_branch_does_not_count() {
    let world = EngineFixture::new().await;
    let home = world.home();
    let empty = home.join("empty");
    std::fs::create_dir(&empty).unwrap();
    TestRepository::open(&empty).git(&["init", "--quiet", "--initial-branch=start"]).await;
    let said = added(&world, &empty).await.expect_err("no commit").to_string();
    assert!(said.contains("start") && said.contains("make a first commit"), "{said}");
    let unborn = TestRepository::create(&home.join("unborn")).await;
    unborn.git(&["checkout", "--quiet", "--orphan", "fresh"]).await;
    added(&world, unborn.path()).await.expect("its one branch with a commit");
    let detached = TestRepository::create(&home.join("detached")).await;
    detached.git(&["checkout", "--quiet", "--detach"]).await;
    added(&world, detached.path()).await.expect("its one branch");
}

#[tokio::test]
async fn w_17_a_head_that_is_detached_later_changes_nothing() {
    let world = EngineFixture::new().await;
    let task = world.worked_task("echo x > x").await;
    world.repository.git(&["checkout", "--quiet", "--detach"]).await;
    assert_eq!(world.land_task(task).await.state.as_str(), "done");
    assert_eq!(world.repository.subjects("main").await, ["Work (T-1)", "first"]);
    assert_eq!(world.repository.subjects("HEAD").await, ["first"], "P-2");
}

#[tokio::test]
async fn w_17_a_default_branch_that_was_renamed_is_named_and_the_task_waits() {
    let world = EngineFixture::new().await;
    world.project("Board", EngineFixture::workflow("default")).await.unwrap();
    world.repository.git(&["branch", "--move", "main", "trunk"]).await;
    let task = world.worked_task("echo x > x").await;
    let trouble = world.engine().records().task(task).await.unwrap().annotation.unwrap();
    assert_eq!(trouble.kind, AnnotationType::WorkspaceError);
    assert!(trouble.message.contains("main does not exist"), "{}", trouble.message);
    assert!(trouble.message.contains("target_branch"), "{}", trouble.message);
}

#[tokio::test]
async fn w_17_sparse_checkouts_lfs_pointers_and_odd_names_land_whole() {
    let world = EngineFixture::new().await;
    let repository = &world.repository;
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n";
    repository.write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    repository.write("big.bin", pointer);
    for directory in ["dir", "far"] {
        std::fs::create_dir(repository.path().join(directory)).unwrap();
        repository.write(&format!("{directory}/file"), "f\n");
    }
    repository.commit("more").await;
    repository.git(&["sparse-checkout", "set", "--cone", "dir"]).await;
    for (key, value) in [("process", "git-lfs filter-process"), ("required", "true")] {
        repository.git(&["config", &format!("filter.lfs.{key}"), value]).await;
    }
    let script = "mkdir -p far; echo new > far/new; printf x > \"$(printf 'a b\\377')\"; echo more >> dir/file";
    let task = world.worked_task(script).await;
    assert_eq!(world.land_task(task).await.state.as_str(), "done");
    let names = repository.git(&["ls-tree", "-r", "--name-only", "main"]).await;
    for name in ["far/file", "far/new", "dir/file", "big.bin", "a b"] {
        assert!(names.contains(name), "{name}: {names}");
    }
    assert_eq!(repository.git(&["show", "main:big.bin"]).await, pointer.trim_end());
    assert!(!repository.path().join("far").exists(), "P-2: as sparse as it was");
}

#[tokio::test]
async fn w_17_submodules_land_as_they_were_recorded() {
    let world = EngineFixture::new().await;
    let library =
        TestRepository::create(&world.repository.path().parent().unwrap().join("library")).await;
    let path = library.path().to_str().unwrap();
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", path, "lib"];
    world.repository.git(&add).await;
    world.repository.commit("a submodule").await;
    let recorded = world.repository.git(&["rev-parse", "main:lib"]).await;
    let task = world.worked_task("test -d lib; echo x > x").await;
    assert_eq!(world.land_task(task).await.state.as_str(), "done");
    assert_eq!(world.repository.git(&["rev-parse", "main:lib"]).await, recorded);
    assert!(world.repository.path().join("lib/README.md").exists(), "P-2: the person's is there");
}

#[tokio::test]
async fn w_17_an_object_store_that_cannot_be_written_loses_no_work() {
    let world = EngineFixture::new().await;
    // Root ignores permissions, so a file takes the place of each directory that an object could go to.
    let objects = world.repository.path().join(".git/objects");
    let script = format!(
        "echo work > work.txt; for n in $(seq 0 255); do p={}/$(printf %02x $n); test -e $p || touch $p; done",
        objects.display()
    );
    let task = world.worked_task(&script).await;
    let parked = world.engine().records().task(task).await.unwrap();
    assert!(parked.annotation.is_some(), "it says so: {:?}", parked.state);
    let place = std::path::PathBuf::from(parked.workspace.unwrap().path);
    assert_eq!(std::fs::read_to_string(place.join("work.txt")).unwrap(), "work\n", "P-1");
}

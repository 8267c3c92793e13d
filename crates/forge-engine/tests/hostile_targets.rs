//! Targets that move (M-7, M-9): deleted, renamed, rewritten, or gone with their repository. And targets that cannot
//! move, because another git or the file system holds them (M-6). Each time the task says so and what to do, and
//! continues afterwards.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

use forge_domain::task::{AnnotationType, TaskSnapshot};
use forge_domain::{ProjectId, TaskId};
use forge_engine::FaultAction;
use forge_store::{WakeChannel, tables};
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::namespace;
use forge_testkit::test_repository::TestRepository;
use serde_json::json;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tokio_util::sync::CancellationToken;

/// Writes a file that no other task writes.
const OWN_FILE: &str = "echo x > \"$FORGE_TASK_ID\"";

/// A task at the gate, ready to land.
async fn ready(world: &EngineFixture) -> TaskId {
    world.worked_task("echo x > x").await
}

/// Moves the task back to review if needed, and lands it.
async fn again(world: &EngineFixture, task: TaskId) -> TaskSnapshot {
    if world.load_task(task).await.state.as_str() == "blocked" {
        assert_eq!(world.move_to(task, "review").await.state.as_str(), "review");
    }
    world.land_task(task).await
}

fn says(task: &TaskSnapshot, kind: AnnotationType, words: &[&str]) {
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
    let world = EngineFixture::new().await;
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
async fn m_9_a_rewritten_target_gets_the_landing_on_top_without_the_removed_commits() {
    let world = EngineFixture::new().await;
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

/// Without a common commit there is no merge base, and the engine does not guess.
#[tokio::test]
async fn m_9_a_target_with_an_unrelated_history_is_reported_and_left_alone() {
    let world = EngineFixture::new().await;
    let task = ready(&world).await;
    world.repository.git(&["checkout", "--quiet", "--orphan", "fresh"]).await;
    world.repository.commit("anew").await;
    world.repository.git(&["branch", "--move", "--force", "main"]).await;
    let refused = again(&world, task).await;
    let words = ["no commit in common", "bring the branch onto it"];
    says(&refused, AnnotationType::WorkspaceError, &words);
    assert_eq!(world.repository.subjects("main").await, ["anew"]);
}

/// Tasks in a train whose check waits, at its first run, for a line on a pipe; returns that pipe. It is open at both
/// ends, so that an ended check blocks nothing.
async fn in_a_train(world: &EngineFixture, titles: &[&str]) -> (ProjectId, Vec<TaskId>, File) {
    let waits = "mkdir \"$HOME/first\" 2>/dev/null && { echo > \"$HOME/up\"; read -r word < \"$HOME/go\"; }; true";
    let settings = json!({
        "merge": { "train": true },
        "default_review_config": { "ci_steps": [waits] },
    });
    let project =
        world.project_with("Board", EngineFixture::workflow("no-review"), settings).await.unwrap();
    let go = world.home().join("go");
    nix::unistd::mkfifo(&go, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let go = File::options().read(true).write(true).open(&go).unwrap();
    let mut tasks = Vec::new();
    for title in titles {
        tasks.push(
            world
                .claimed_task(project, EngineFixture::task_request(title), "coder", OWN_FILE)
                .await,
        );
    }
    (project, tasks, go)
}

/// Returns once this many entries are in the train of the project's target.
async fn all_aboard(world: &EngineFixture, project: ProjectId, count: usize) {
    let mut wakes = world.engine().db().subscribe(WakeChannel::Events);
    loop {
        let trains = world.engine().trains().trains_of(project).await.unwrap();
        if trains.iter().map(|train| train.entries.len()).sum::<usize>() == count {
            return;
        }
        wakes.next().await.unwrap();
    }
}

async fn all_now(world: &EngineFixture, tasks: &[TaskId]) -> Vec<TaskSnapshot> {
    let mut found = Vec::new();
    for task in tasks {
        found.push(world.load_task(*task).await);
    }
    found
}

/// Two tasks in a train whose first check waits while the test changes the repository.
async fn while_the_train_runs(
    world: &EngineFixture,
    deed: impl AsyncFnOnce(),
) -> Vec<TaskSnapshot> {
    let (project, tasks, mut go) = in_a_train(world, &["one", "two"]).await;
    world
        .run_once_running(|| async {
            all_aboard(world, project, tasks.len()).await;
            deed().await;
            writeln!(go, "on").unwrap();
        })
        .await;
    all_now(world, &tasks).await
}

/// The remaining trial directories among the workspaces.
fn trials(world: &EngineFixture) -> Vec<String> {
    let entries = std::fs::read_dir(world.workspaces()).unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with("_merge-")).collect()
}

#[tokio::test]
async fn m_11_a_target_renamed_under_its_train_parks_all_entries_and_lands_them_later() {
    let world = EngineFixture::new().await;
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
    let mut world = EngineFixture::new().await;
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
    assert_eq!(trials(&world), Vec::<String>::new());
    // The repository's own record of a trial is removed at the next start.
    world.restart().await;
    world.settle().await.unwrap();
    assert!(!world.repository.git(&["worktree", "list"]).await.contains("_merge-"));
    assert_eq!(world.repository.subjects("main").await.len(), 3);
}

/// Deletes like a desktop: one rename, then file by file.
fn delete(repository: &TestRepository) {
    let bin = repository.path().with_extension("deleted");
    std::fs::rename(repository.path(), &bin).unwrap();
    std::fs::remove_dir_all(&bin).unwrap();
}

/// Asserts that a task reports its missing repository, and that nothing was created in its place.
fn is_without(repository: &TestRepository, task: &TaskSnapshot) {
    assert_eq!(task.state.as_str(), "blocked", "{task:?}");
    let place = repository.path().to_string_lossy();
    says(task, AnnotationType::WorkspaceError, &["repository", &place, "does not exist"]);
    assert!(!repository.path().exists());
}

#[tokio::test]
async fn m_11_a_repository_deleted_under_its_train_parks_its_tasks_and_blocks_no_other_project() {
    let mut world = EngineFixture::new().await;
    let other = world.project("Other", EngineFixture::workflow("no-review")).await.unwrap();
    let doomed = TestRepository::create(&world.home().join("doomed")).await;
    let sound = std::mem::replace(&mut world.repository, doomed);
    let ends = while_the_train_runs(&world, async || {
        delete(&world.repository);
        // The train still waits for its check; another project's task starts now and lands before that ends.
        let beside = world
            .claimed_task(other, EngineFixture::task_request("beside"), "other", OWN_FILE)
            .await;
        let over = |task: &TaskSnapshot| task.state.as_str() == "done" || task.annotation.is_some();
        let beside = world.engine().progress().wait_until(beside, over).await.unwrap();
        assert_eq!(beside.state.as_str(), "done", "{:?}", beside.annotation);
    })
    .await;
    assert_eq!(ends.len(), 2);
    for task in &ends {
        is_without(&world.repository, task);
        // A retry reports the same, without an endless loop.
        is_without(&world.repository, &world.move_to(task.id, "in_progress").await);
    }
    let is_at_rest = async |world: &EngineFixture| {
        assert_eq!(trials(world), Vec::<String>::new());
        assert_eq!(tables::effects::count_open(world.engine().db()).await.unwrap(), 0);
        assert!(world.engine().workspace_cleanup().list_orphans().await.unwrap().is_empty());
        world.engine().radar().queue_all_branches().await.unwrap();
        world.engine().radar().check_moved_branches().await.unwrap();
    };
    is_at_rest(&world).await;

    world.stop().await;
    world.restart().await;
    world.settle().await.unwrap();
    for task in &ends {
        is_without(&world.repository, &world.load_task(task.id).await);
    }
    let later =
        world.claimed_task(other, EngineFixture::task_request("later"), "other", OWN_FILE).await;
    world.settle().await.unwrap();
    assert_eq!(world.load_task(later).await.state.as_str(), "done");
    assert_eq!(sound.subjects("main").await, ["later (T-2)", "beside (T-1)", "first"]);
    assert_eq!(sound.git(&["status", "--porcelain"]).await, "");
    is_at_rest(&world).await;
}

/// E-13: with a running train, neither the stop nor the next start needs the repository.
#[tokio::test]
async fn m_11_a_server_whose_trains_repository_is_deleted_stops_in_order_and_starts_again() {
    let mut world = EngineFixture::new().await;
    let (project, tasks, mut go) = in_a_train(&world, &["one", "two"]).await;
    let up = world.home().join("up");
    nix::unistd::mkfifo(&up, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let (engine, stop) = (world.engine().clone(), CancellationToken::new());
    let stopped = stop.clone();
    let running = tokio::spawn(async move { engine.run(stopped).await });
    tokio::fs::read(&up).await.unwrap();
    all_aboard(&world, project, tasks.len()).await;
    delete(&world.repository);
    stop.cancel();
    running.await.unwrap();
    writeln!(go, "on").unwrap();
    world.stop().await;
    assert_eq!(trials(&world), Vec::<String>::new(), "it was there for a check, and that is over");

    world.restart().await;
    let found = world.engine().recovery();
    assert_eq!(found.effects_resumed, 0, "no effect was interrupted: {found:?}");
    assert!(found.locks_released.is_empty() && found.orphans.is_empty(), "{found:?}");
    world.settle().await.unwrap();
    for task in all_now(&world, &tasks).await {
        is_without(&world.repository, &task);
    }
    assert_eq!(trials(&world), Vec::<String>::new());
}

/// M-6: a trial is always removed, even after a killed server and with a deleted repository.
#[tokio::test]
async fn m_6_a_trial_left_by_a_killed_server_is_removed_though_its_repository_is_deleted() {
    let mut world =
        EngineFixture::with(FaultSweep::injecting_at("trial.opened", FaultAction::Die), None).await;
    let (_, tasks, _) = in_a_train(&world, &["one"]).await;
    let died = world.faults.died();
    tokio::select! {
        settled = world.settle() => panic!("{settled:?}"),
        () = died.cancelled() => {}
    }
    assert_eq!(trials(&world).len(), 1, "it was killed in a trial");
    delete(&world.repository);
    world.restart().await;
    world.settle().await.unwrap();
    for task in all_now(&world, &tasks).await {
        is_without(&world.repository, &task);
    }
    assert_eq!(trials(&world), Vec::<String>::new());
}

/// The first files of a worktree record that a kill, or a repository that disappeared, left incomplete.
#[tokio::test]
async fn m_6_an_incomplete_record_of_a_trial_is_removed_at_the_next_start() {
    let mut world = EngineFixture::new().await;
    world.board_project().await;
    let name = "_merge-0199d2a5-7e4b-8c11-9d0e-3f5a6b7c8d9e";
    let record = world.repository.path().join(".git/worktrees").join(name);
    std::fs::create_dir_all(&record).unwrap();
    let place = world.workspaces().join(name).join(".git");
    std::fs::write(record.join("locked"), "initializing").unwrap();
    std::fs::write(record.join("gitdir"), format!("{}\n", place.display())).unwrap();
    world.restart().await;
    world.settle().await.unwrap();
    assert!(!record.exists());
}

/// A user's git in the middle of a ref transaction: it holds the branch, undecided.
struct Undecided {
    git: Child,
    words: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Undecided {
    fn begin(repository: &TestRepository, branch: &str, from: &str, to: &str) -> Self {
        let mut git = Command::new("git")
            .args(["-c", "user.name=A Person", "-c", "user.email=person@example.org"])
            .args(["update-ref", "--stdin"])
            .current_dir(repository.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("git runs");
        let words = git.stdin.take().expect("piped");
        let answers = BufReader::new(git.stdout.take().expect("piped"));
        let mut begun = Self { git, words, answers };
        begun.tell("start");
        writeln!(begun.words, "update refs/heads/{branch} {to} {from}").unwrap();
        begun.tell("prepare");
        begun
    }

    fn tell(&mut self, word: &str) {
        writeln!(self.words, "{word}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, format!("{word}: ok\n"));
    }

    /// Ends the transaction: `commit` or `abort`.
    fn end(mut self, word: &str) {
        self.tell(word);
        drop(self.words);
        assert!(self.git.wait().unwrap().success());
    }
}

/// Neither the target nor the user's checkout has moved, and no lock of ours remains.
async fn is_untouched(world: &EngineFixture, before: &str) {
    let repository = &world.repository;
    assert_eq!(repository.git(&["rev-parse", "main"]).await, before);
    assert_eq!(repository.git(&["status", "--porcelain"]).await, "");
    assert!(!repository.path().join(".git/index.lock").exists());
    assert_eq!(
        repository.git(&["reflog", "show", "--format=%gs", "main"]).await,
        "commit (initial): first"
    );
}

/// Lands while a living git holds the target and then ends its transaction this way; returns the target's subjects.
async fn beside_a_git_that(ends: &str) -> Vec<String> {
    let world = EngineFixture::new().await;
    let (task, repository) = (ready(&world).await, &world.repository);
    let before = repository.git(&["rev-parse", "main"]).await;
    let theirs = ["commit-tree", "-p", "main", "-m", "theirs", "main^{tree}"];
    let theirs = repository.git(&theirs).await;
    let git = Undecided::begin(repository, "main", &before, &theirs);
    world.request_move(task, "merging").await;
    world.engine().drain().await.unwrap();
    let waiting = world.load_task(task).await;
    assert_eq!(waiting.state.as_str(), "merging", "{:?}", waiting.annotation);
    let steps = tables::effects::list_of_task(world.engine().db(), task).await.unwrap();
    let landing = steps.iter().find(|step| step.open).expect("it goes on by itself");
    let error = landing.last_error.as_deref().unwrap_or_default();
    assert!(error.contains("refs/heads/main.lock"), "who looks at the steps sees why: {error}");
    is_untouched(&world, &before).await;
    git.end(ends);
    world.settle().await.unwrap();
    let landed = world.load_task(task).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    assert!(landed.annotation.is_none());
    assert_eq!(repository.git(&["status", "--porcelain"]).await, "");
    repository.subjects("main").await
}

#[tokio::test]
async fn m_6_a_landing_waits_for_a_target_that_another_git_holds() {
    assert_eq!(beside_a_git_that("abort").await, ["Work (T-1)", "first"]);
}

#[tokio::test]
async fn m_9_a_target_that_another_git_held_and_then_moved_gets_the_landing_on_top() {
    assert_eq!(beside_a_git_that("commit").await, ["Work (T-1)", "theirs", "first"]);
}

fn unmount(place: &Path) {
    assert!(Command::new("umount").arg(place).status().expect("umount runs").success());
}

/// No user can write there, as on a volume mounted read-only.
#[tokio::test]
async fn m_6_a_target_that_cannot_be_written_parks_the_task_which_lands_once_it_can_be() {
    if !namespace::run_in_namespace(
        "m_6_a_target_that_cannot_be_written_parks_the_task_which_lands_once_it_can_be",
    ) {
        return;
    }
    let world = EngineFixture::new().await;
    let (task, repository) = (ready(&world).await, &world.repository);
    let before = repository.git(&["rev-parse", "main"]).await;
    let head = repository
        .git(&["rev-parse", &world.load_task(task).await.workspace.unwrap().branch])
        .await;
    let heads = repository.path().join(".git/refs/heads");
    namespace::mount(&["--bind", heads.to_str().unwrap()], &heads);
    namespace::mount(&["-o", "remount,bind,ro"], &heads);
    let refused = world.land_task(task).await;
    assert_eq!(refused.state.as_str(), "blocked", "{:?}", refused.annotation);
    let words = ["refs/heads/main", "Read-only file system"];
    says(&refused, AnnotationType::EffectFailed, &words);
    is_untouched(&world, &before).await;
    let branch = &refused.workspace.as_ref().unwrap().branch;
    assert_eq!(repository.git(&["rev-parse", branch]).await, head, "P-1");
    says(&again(&world, task).await, AnnotationType::EffectFailed, &words);
    is_untouched(&world, &before).await;
    unmount(&heads);
    let landed = again(&world, task).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    assert_eq!(repository.subjects("main").await, ["Work (T-1)", "first"]);
    assert_eq!(repository.git(&["status", "--porcelain"]).await, "");
}

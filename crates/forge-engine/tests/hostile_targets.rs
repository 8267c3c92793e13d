//! Targets that do not stay where they were (M-7, M-9): deleted, renamed, rewritten, gone with their repository. And
//! targets that stay where they are, because somebody else's git or the file system holds them (M-6). Each time the task
//! says so and what to do, and goes on once that was done.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

use forge_domain::task::{AnnotationType, Snapshot};
use forge_domain::{ProjectId, TaskId};
use forge_engine::Fault;
use forge_store::{Channel, tables};
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::namespace;
use forge_testkit::repository::Repository;
use forge_testkit::world::World;
use serde_json::json;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use tokio_util::sync::CancellationToken;

/// Leaves something that no other task leaves.
const OWN_FILE: &str = "echo x > \"$FORGE_TASK_ID\"";

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

/// Tasks whose train has a check that waits, the first time it runs, until a line is written to a pipe: that pipe. It is
/// open at both ends, so nobody waits for a check that was ended.
async fn in_a_train(world: &World, titles: &[&str]) -> (ProjectId, Vec<TaskId>, File) {
    let waits = "mkdir \"$HOME/first\" 2>/dev/null && { echo > \"$HOME/up\"; read -r word < \"$HOME/go\"; }; true";
    let settings = json!({
        "merge": { "train": true },
        "default_review_config": { "ci_steps": [waits] },
    });
    let project =
        world.project_with("Board", World::workflow("no-review"), settings).await.unwrap();
    let go = world.home().join("go");
    nix::unistd::mkfifo(&go, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let go = File::options().read(true).write(true).open(&go).unwrap();
    let mut tasks = Vec::new();
    for title in titles {
        tasks.push(world.claimed(project, World::titled(title), "coder", OWN_FILE).await);
    }
    (project, tasks, go)
}

/// Returns once so many stand in the line of the project's target.
async fn all_aboard(world: &World, project: ProjectId, count: usize) {
    let mut wakes = world.engine().db().subscribe(Channel::Events);
    loop {
        let trains = world.engine().trains_of(project).await.unwrap();
        if trains.iter().map(|train| train.cars.len()).sum::<usize>() == count {
            return;
        }
        wakes.next().await.unwrap();
    }
}

async fn all_now(world: &World, tasks: &[TaskId]) -> Vec<Snapshot> {
    let mut found = Vec::new();
    for task in tasks {
        found.push(world.now(*task).await);
    }
    found
}

/// Two tasks in a train whose first check waits until something was done to the repository.
async fn while_the_train_runs(world: &World, deed: impl AsyncFnOnce()) -> Vec<Snapshot> {
    let (project, tasks, mut go) = in_a_train(world, &["one", "two"]).await;
    world
        .once_up(|| async {
            all_aboard(world, project, tasks.len()).await;
            deed().await;
            writeln!(go, "on").unwrap();
        })
        .await;
    all_now(world, &tasks).await
}

/// What is left of trials among the workspaces.
fn trials(world: &World) -> Vec<String> {
    let entries = std::fs::read_dir(world.workspaces()).unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with("_merge-")).collect()
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
    assert_eq!(trials(&world), Vec::<String>::new());
    // What the repository itself knew of a trial goes with the next start.
    world.restart().await;
    world.settle().await.unwrap();
    assert!(!world.repository.git(&["worktree", "list"]).await.contains("_merge-"));
    assert_eq!(world.repository.subjects("main").await.len(), 3);
}

/// As a desktop deletes: out of the way in one go, then file by file.
fn delete(repository: &Repository) {
    let bin = repository.path().with_extension("deleted");
    std::fs::rename(repository.path(), &bin).unwrap();
    std::fs::remove_dir_all(&bin).unwrap();
}

/// What a task says whose repository is not there any more; whatever is asked of it, nothing is made in its place.
fn is_without(repository: &Repository, task: &Snapshot) {
    assert_eq!(task.state.as_str(), "blocked", "{task:?}");
    let place = repository.path().to_string_lossy();
    says(task, AnnotationType::WorkspaceError, &["repository", &place, "does not exist"]);
    assert!(!repository.path().exists());
}

#[tokio::test]
async fn m_11_a_repository_that_is_deleted_under_its_train_parks_its_tasks_and_holds_up_nobody_else()
 {
    let mut world = World::new().await;
    let other = world.project("Other", World::workflow("no-review")).await.unwrap();
    let doomed = Repository::create(&world.home().join("doomed")).await;
    let sound = std::mem::replace(&mut world.repository, doomed);
    let ends = while_the_train_runs(&world, async || {
        delete(&world.repository);
        // The train still waits for its check; somebody else's task begins now and is in before that ends.
        let beside = world.claimed(other, World::titled("beside"), "other", OWN_FILE).await;
        let over = |task: &Snapshot| task.state.as_str() == "done" || task.annotation.is_some();
        let beside = world.engine().reached(beside, over).await.unwrap();
        assert_eq!(beside.state.as_str(), "done", "{:?}", beside.annotation);
    })
    .await;
    assert_eq!(ends.len(), 2);
    for task in &ends {
        is_without(&world.repository, task);
        // Told to try again, it says the same; it does not go round in circles.
        is_without(&world.repository, &world.move_to(task.id, "in_progress").await);
    }
    let is_at_rest = async |world: &World| {
        assert_eq!(trials(world), Vec::<String>::new());
        assert_eq!(tables::effects::count_open(world.engine().db()).await.unwrap(), 0);
        assert!(world.engine().orphans().await.unwrap().is_empty());
        world.engine().notice_all().await.unwrap();
        world.engine().look_around().await.unwrap();
    };
    is_at_rest(&world).await;

    world.stop().await;
    world.restart().await;
    world.settle().await.unwrap();
    for task in &ends {
        is_without(&world.repository, &world.now(task.id).await);
    }
    let later = world.claimed(other, World::titled("later"), "other", OWN_FILE).await;
    world.settle().await.unwrap();
    assert_eq!(world.now(later).await.state.as_str(), "done");
    assert_eq!(sound.subjects("main").await, ["later (T-2)", "beside (T-1)", "first"]);
    assert_eq!(sound.git(&["status", "--porcelain"]).await, "");
    is_at_rest(&world).await;
}

/// E-13: the train is under way, and neither its end nor the next start needs the repository.
#[tokio::test]
async fn m_11_a_server_whose_trains_repository_is_deleted_stops_in_order_and_starts_again() {
    let mut world = World::new().await;
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
    let found = world.engine().recovery().unwrap();
    assert_eq!(found.steps_resumed, 0, "nobody was cut off: {found:?}");
    assert!(found.locks_released.is_empty() && found.orphans.is_empty(), "{found:?}");
    world.settle().await.unwrap();
    for task in all_now(&world, &tasks).await {
        is_without(&world.repository, &task);
    }
    assert_eq!(trials(&world), Vec::<String>::new());
}

/// M-6: a trial always goes, also that of a server which was killed in it and of a repository which never comes back.
#[tokio::test]
async fn m_6_a_trial_that_a_killed_server_left_goes_though_its_repository_is_deleted() {
    let mut world = World::with(FaultSweep::striking_at("trial.opened", Fault::Die), None).await;
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

/// The first files of a record that a kill, or a repository which went away, left without the last ones.
#[tokio::test]
async fn m_6_a_half_written_record_of_a_trial_goes_with_the_next_start() {
    let mut world = World::new().await;
    world.board().await;
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

/// A person's git in the middle of a change: it holds the branch, and has not made up its mind.
struct Undecided {
    git: Child,
    words: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Undecided {
    fn begin(repository: &Repository, branch: &str, from: &str, to: &str) -> Self {
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

    /// Makes up its mind: `commit` or `abort`.
    fn end(mut self, word: &str) {
        self.tell(word);
        drop(self.words);
        assert!(self.git.wait().unwrap().success());
    }
}

/// Neither the target nor the person's checkout has moved, and nothing of ours is in their way.
async fn is_untouched(world: &World, before: &str) {
    let repository = &world.repository;
    assert_eq!(repository.git(&["rev-parse", "main"]).await, before);
    assert_eq!(repository.git(&["status", "--porcelain"]).await, "");
    assert!(!repository.path().join(".git/index.lock").exists());
    assert_eq!(
        repository.git(&["reflog", "show", "--format=%gs", "main"]).await,
        "commit (initial): first"
    );
}

/// A landing while a living git holds the target, and then does this: what the target has in the end.
async fn beside_a_git_that(ends: &str) -> Vec<String> {
    let world = World::new().await;
    let (task, repository) = (ready(&world).await, &world.repository);
    let before = repository.git(&["rev-parse", "main"]).await;
    let theirs = ["commit-tree", "-p", "main", "-m", "theirs", "main^{tree}"];
    let theirs = repository.git(&theirs).await;
    let git = Undecided::begin(repository, "main", &before, &theirs);
    world.ask_to_move(task, "merging").await;
    world.engine().drain().await.unwrap();
    let waiting = world.now(task).await;
    assert_eq!(waiting.state.as_str(), "merging", "{:?}", waiting.annotation);
    let steps = tables::effects::list_of_task(world.engine().db(), task).await.unwrap();
    let landing = steps.iter().find(|step| step.open).expect("it goes on by itself");
    let error = landing.last_error.as_deref().unwrap_or_default();
    assert!(error.contains("refs/heads/main.lock"), "who looks at the steps sees why: {error}");
    is_untouched(&world, &before).await;
    git.end(ends);
    world.settle().await.unwrap();
    let landed = world.now(task).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    assert!(landed.annotation.is_none());
    assert_eq!(repository.git(&["status", "--porcelain"]).await, "");
    repository.subjects("main").await
}

#[tokio::test]
async fn m_6_a_target_that_another_git_holds_is_waited_for_and_gets_the_landing_by_itself() {
    assert_eq!(beside_a_git_that("abort").await, ["Work (T-1)", "first"]);
}

#[tokio::test]
async fn m_9_a_target_that_another_git_held_and_then_moved_gets_the_landing_on_top() {
    assert_eq!(beside_a_git_that("commit").await, ["Work (T-1)", "theirs", "first"]);
}

fn unmount(place: &Path) {
    assert!(Command::new("umount").arg(place).status().expect("umount runs").success());
}

/// Nobody can write there, whoever they are: a repository on a volume that somebody mounted for reading only, say.
#[tokio::test]
async fn m_6_a_target_that_cannot_be_written_parks_the_task_which_lands_once_it_can_be() {
    if !namespace::inside(
        "m_6_a_target_that_cannot_be_written_parks_the_task_which_lands_once_it_can_be",
    ) {
        return;
    }
    let world = World::new().await;
    let (task, repository) = (ready(&world).await, &world.repository);
    let before = repository.git(&["rev-parse", "main"]).await;
    let head =
        repository.git(&["rev-parse", &world.now(task).await.workspace.unwrap().branch]).await;
    let heads = repository.path().join(".git/refs/heads");
    namespace::mount(&["--bind", heads.to_str().unwrap()], &heads);
    namespace::mount(&["-o", "remount,bind,ro"], &heads);
    let refused = world.landed(task).await;
    assert_eq!(refused.state.as_str(), "blocked", "{:?}", refused.annotation);
    let words = ["refs/heads/main", "Read-only file system"];
    says(&refused, AnnotationType::StepFailed, &words);
    is_untouched(&world, &before).await;
    let branch = &refused.workspace.as_ref().unwrap().branch;
    assert_eq!(repository.git(&["rev-parse", branch]).await, head, "P-1");
    says(&again(&world, task).await, AnnotationType::StepFailed, &words);
    is_untouched(&world, &before).await;
    unmount(&heads);
    let landed = again(&world, task).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
    assert_eq!(repository.subjects("main").await, ["Work (T-1)", "first"]);
    assert_eq!(repository.git(&["status", "--porcelain"]).await, "");
}

//! The shipped autopilot sends conflicts and failed trials back to the coder, one after the other and not endlessly
//! (issue 13.16).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{AnnotationType, ReviewConfig, TaskActivity};
use forge_domain::{ProjectId, TaskId};
use forge_engine::{FaultAction, TaskSpec};
use forge_store::{WakeChannel, tables};
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use nix::sys::stat::Mode;
use serde_json::json;
use std::fs::File;
use std::future::Future;
use std::io::Write;

/// Runs what the task says after `RUN: `; keeps both sides of a file with conflict markers.
const CODER: &str = r#"
cp "$FORGE_PROMPT_FILE" "$HOME/prompt-$(ls "$HOME" | grep -c ^prompt-)-$FORGE_TASK_ID"
if grep -lq '^<<<<<<<' shared.txt 2>/dev/null; then
    sed '/^<<<<<<</d; /^=======/d; />>>>>>>/d' shared.txt > shared.new; cat shared.new > shared.txt; rm shared.new
else
    eval "$(sed -n 's/^RUN: //p' "$FORGE_PROMPT_FILE")"
fi
"#;

async fn project(world: &EngineFixture, checks: &[&str]) -> ProjectId {
    let settings = json!({
        "merge": { "train": true },
        "default_review_config": { "ci_steps": checks },
    });
    world.project_with("Board", EngineFixture::workflow("autopilot"), settings).await.unwrap()
}

async fn claimed(world: &EngineFixture, project: ProjectId, number: usize, run: &str) -> TaskId {
    let (title, description) = (format!("task {number}"), format!("RUN: {run}"));
    // The task has no checks of its own; the project's checks run at the merge.
    let review_config = Some(ReviewConfig::default());
    let asked = TaskSpec { title, description, review_config, ..TaskSpec::default() };
    world.claimed_task(project, asked, "coder", CODER).await
}

fn prompts(world: &EngineFixture, task: TaskId) -> Vec<String> {
    let entries = std::fs::read_dir(world.home()).unwrap().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(&task.to_string()));
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// A pipe in `$HOME` at which an agent waits until the test opens it. Held open at both ends, so that neither side
/// blocks the other.
struct Gate(File);

impl Gate {
    fn new(world: &EngineFixture, name: &str) -> Self {
        let path = world.home().join(name);
        nix::unistd::mkfifo(&path, Mode::S_IRWXU).unwrap();
        Self(File::options().read(true).write(true).open(path).unwrap())
    }

    fn open(&self) {
        (&self.0).write_all(b"go\n").unwrap();
    }
}

/// Performs effects until `reached` completes.
async fn drive<T>(world: &EngineFixture, reached: impl Future<Output = T>) -> T {
    tokio::select! {
        reached = reached => reached,
        ended = world.engine().drain() => panic!("nothing is left to do: {ended:?}"),
    }
}

async fn until(world: &EngineFixture, task: TaskId, state: &str) {
    drive(world, async {
        world
            .engine()
            .progress()
            .wait_until(task, |task| task.state.as_str() == state)
            .await
            .unwrap();
    })
    .await;
}

/// Performs effects until a task that was sent back works again, or reports which task it waits for.
async fn turn_of(world: &EngineFixture, task: TaskId) -> Option<String> {
    let looked = async {
        let mut effects = world.engine().db().subscribe(WakeChannel::Effects);
        loop {
            let now = world.load_task(task).await;
            let rows = tables::effects::list_of_task(world.engine().db(), task).await.unwrap();
            let open = rows.into_iter().find(|row| row.open);
            let waits = open.and_then(|row| row.last_error);
            if now.activity == Some(TaskActivity::Rebasing) && waits.is_some() {
                return waits;
            }
            let began_again =
                now.post_landing.returning.is_some() && now.state.as_str() != "merging";
            if began_again || now.state.as_str() == "done" {
                return None;
            }
            effects.next().await.expect("the engine goes on");
        }
    };
    drive(world, looked).await
}

/// How often each task was sent back to its agent.
fn sent_back(world: &EngineFixture, tasks: &[TaskId]) -> Vec<usize> {
    tasks.iter().map(|task| prompts(world, *task).len() - 1).collect()
}

async fn assert_done(world: &EngineFixture, tasks: &[TaskId]) {
    for task in tasks {
        let found = world.load_task(*task).await;
        assert_eq!(found.state.as_str(), "done", "{}: {:?}", found.title, found.annotation);
    }
}

#[tokio::test]
async fn issue_13_16_conflicting_tasks_are_sent_back_once_each_one_after_the_other() {
    let mut world =
        EngineFixture::with(FaultSweep::injecting_at("rebase.merged", FaultAction::Die), None)
            .await;
    world.repository.write("shared.txt", "start\n");
    world.repository.commit("shared").await;
    let gates = ["gate-1", "gate-2", "gate-3", "gate-4"].map(|name| Gate::new(&world, name));
    let project = project(&world, &["! grep -q '^<<<<<<<' shared.txt"]).await;
    let mut tasks = Vec::new();
    for number in 1..=gates.len() {
        let run = format!("read go < $HOME/gate-{number}; echo line {number} >> shared.txt");
        tasks.push(claimed(&world, project, number, &run).await);
    }
    gates[0].open();
    until(&world, tasks[0], "done").await;
    // The third task is sent back first, and its rebase is in progress while the others come.
    gates[2].open();
    let died = world.faults.died();
    drive(&world, died.cancelled()).await;
    for number in [2, 4] {
        gates[number - 1].open();
        let waits = turn_of(&world, tasks[number - 1]).await;
        assert!(waits.is_some(), "T-{number} goes back to work beside T-3");
    }
    world.restart().await;
    world.settle().await.unwrap();
    assert_done(&world, &tasks).await;
    assert_eq!(sent_back(&world, &tasks), [0, 1, 1, 1]);
    for task in &tasks[1..] {
        let prompt = prompts(&world, *task).remove(1);
        assert!(prompt.contains("shared.txt") && prompt.contains("<<<<<<<"), "{prompt}");
        assert!(prompt.contains("landed meanwhile: T-"), "{prompt}");
    }
    let shared = world.repository.git(&["show", "main:shared.txt"]).await;
    for number in 1..=4 {
        assert!(shared.contains(&format!("line {number}")), "{shared}");
    }
}

/// Three tasks of which only one merges; the second, sent back, makes a change with which the third merges too. The
/// test chooses what the agents do at first, and what the second does when sent back.
async fn third_fits_after_second(
    world: &EngineFixture,
    checks: &[&str],
    first: [&str; 3],
    mend: &str,
) {
    let gates = ["gate-1", "gate-2", "gate-3"].map(|name| Gate::new(world, name));
    let mended = Gate::new(world, "gate-mend");
    let project = project(world, checks).await;
    let mut tasks = Vec::new();
    for (place, run) in first.into_iter().enumerate() {
        let number = place + 1;
        let again = if number == 2 { mend } else { "false" };
        let run = format!(
            "if [ -e $HOME/worked-{number} ]; then {again}; else read go < $HOME/gate-{number}; \
             touch $HOME/worked-{number}; {run}; fi"
        );
        tasks.push(claimed(world, project, number, &run).await);
    }
    gates[0].open();
    until(world, tasks[0], "done").await;
    gates[1].open();
    assert_eq!(turn_of(world, tasks[1]).await, None);
    gates[2].open();
    assert!(turn_of(world, tasks[2]).await.is_some_and(|said| said.contains("T-2")));
    mended.open();
    world.settle().await.unwrap();
    assert_done(world, &tasks).await;
    assert_eq!(sent_back(world, &tasks), [0, 1, 0], "the third landed without its agent");
    assert!(world.load_task(tasks[2]).await.rejections.is_empty(), "no attempt was spent");
}

#[tokio::test]
async fn issue_13_16_a_failed_trial_is_repeated_after_the_preceding_task_landed() {
    let world = EngineFixture::new().await;
    world.repository.write("limit", "1\n");
    world.repository.commit("one item").await;
    let checks = ["test $(ls items | wc -l) -le $(cat limit)"];
    let add = [
        "mkdir -p items; echo 1 > items/1",
        "mkdir -p items; echo 2 > items/2",
        "mkdir -p items; echo 3 > items/3",
    ];
    third_fits_after_second(&world, &checks, add, "read go < $HOME/gate-mend; echo 3 > limit")
        .await;
    assert_eq!(world.repository.git(&["show", "main:limit"]).await.trim(), "3");
}

#[tokio::test]
async fn issue_13_16_a_conflict_is_retried_after_the_preceding_task_landed() {
    let world = EngineFixture::new().await;
    world.repository.write("colour", "none\n");
    world.repository.commit("a colour").await;
    let paint = ["echo red > colour", "echo green > colour", "echo blue > colour; echo b > blue"];
    let mend = "read go < $HOME/gate-mend; echo blue > colour";
    third_fits_after_second(&world, &[], paint, mend).await;
    assert_eq!(world.repository.git(&["show", "main:colour"]).await.trim(), "blue");
}

#[tokio::test]
async fn issue_13_16_a_failed_trial_is_sent_back_until_its_attempts_are_exhausted() {
    let world = EngineFixture::new().await;
    let project = project(&world, &["test ! -e bad.txt"]).await;
    let task = claimed(&world, project, 1, "echo $FORGE_EXECUTION_ID > bad.txt").await;
    world.settle().await.unwrap();
    let parked = world.load_task(task).await;
    let trouble = parked.annotation.clone().expect("a person decides");
    assert_eq!(
        (parked.state.as_str(), trouble.kind),
        ("merge_failed", AnnotationType::MergeChecksFailed)
    );
    assert!(trouble.message.contains("4 times"), "{}", trouble.message);
    let prompts = prompts(&world, task);
    assert_eq!(prompts.len(), 5);
    assert!(prompts[1].contains("test ! -e bad.txt"), "{}", prompts[1]);
    assert_eq!(world.repository.git(&["log", "--format=%s", "main"]).await.trim(), "first");
}

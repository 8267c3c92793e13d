//! Landing many branches (M-6, M-11, M-12): the target becomes what was tested, and every task that does not land gets
//! the reason.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{MergeConfig, MergeStrategy, TaskSnapshot};
use forge_domain::{ProjectId, TaskId};
use forge_engine::{EngineLimits, TaskSpec};
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use serde_json::json;
use std::collections::BTreeMap;

/// An agent that runs what its task says after `RUN: `.
const OBEYS: &str = "eval \"$(sed -n 's/^RUN: //p' \"$FORGE_PROMPT_FILE\")\"";

async fn world(slots: usize) -> EngineFixture {
    let limits = EngineLimits { concurrent_checks: slots, ..EngineFixture::limits() };
    EngineFixture::with_limits(FaultSweep::counting(), None, limits).await
}

async fn project(world: &EngineFixture, train: bool, steps: &[&str]) -> ProjectId {
    let settings = json!({
        "merge": { "train": train },
        "default_review_config": { "ci_steps": steps },
    });
    world.project_with("Board", EngineFixture::workflow("no-review"), settings).await.unwrap()
}

fn doing(title: &str, run: &str) -> TaskSpec {
    TaskSpec { title: title.to_owned(), description: format!("RUN: {run}"), ..TaskSpec::default() }
}

/// Runs all tasks at once, by agents with ten slots each.
async fn all(world: &EngineFixture, project: ProjectId, tasks: &[(String, String)]) -> Vec<TaskId> {
    let mut made = Vec::new();
    for (place, (title, run)) in tasks.iter().enumerate() {
        let agent = world.agent(&format!("coder-{}", place / 10), OBEYS).await.unwrap();
        let task = world.task(project, doing(title, run)).await.unwrap();
        world.claim(task, agent).await.unwrap();
        made.push(task);
    }
    world.settle().await.unwrap();
    made
}

async fn ends(world: &EngineFixture, tasks: &[TaskId]) -> BTreeMap<String, TaskSnapshot> {
    let mut ends = BTreeMap::new();
    for task in tasks {
        let task = world.load_task(*task).await;
        ends.insert(task.title.clone(), task);
    }
    ends
}

fn pair(left: &str, right: &str) -> Vec<(String, String)> {
    [left, right].iter().map(|name| (format!("add {name}"), format!("echo x > {name}"))).collect()
}

/// M-6: each passes alone; together they fail, and the second gets the culprit's name.
#[tokio::test]
async fn m_6_a_branch_that_fails_only_with_a_later_landing_does_not_land() {
    for train in [false, true] {
        let world = world(2).await;
        let project = project(&world, train, &["test ! -e left -o ! -e right"]).await;
        let tasks = all(&world, project, &pair("left", "right")).await;
        let ends = ends(&world, &tasks).await;
        let landed = ends.values().find(|task| task.state.as_str() == "done").expect("one lands");
        let other = ends.values().find(|task| task.state.as_str() != "done").expect("one does not");
        assert_eq!(other.state.as_str(), "merge_failed");
        let trouble = other.annotation.as_ref().unwrap();
        assert_eq!(trouble.details["culprits"], json!([landed.key().to_string()]), "{trouble:?}");
        assert_eq!(trouble.details["results"][0]["exit_code"], 1);
        let traces = world.end_state(project).await;
        assert_eq!(traces.landed.len(), 2, "{:?}", traces.landed);
        assert!(traces.workspaces.is_empty(), "no trial is left: {:?}", traces.workspaces);
        assert!(traces.sound && traces.processes.is_empty());
    }
}

/// M-5: a tree that passed the gate, on an unchanged target, is not tested again.
#[tokio::test]
async fn m_5_a_branch_that_lands_as_reviewed_is_tested_once() {
    let world = world(2).await;
    let count = world.home().join("runs");
    let step = format!("echo run >> {}", count.display());
    let settings = json!({ "default_review_config": { "ci_steps": [step] } });
    let project =
        world.project_with("Board", EngineFixture::workflow("autopilot"), settings).await.unwrap();
    let tasks = all(&world, project, &pair("a", "b")[..1]).await;
    assert_eq!(world.load_task(tasks[0]).await.state.as_str(), "done");
    assert_eq!(std::fs::read_to_string(count).unwrap().lines().count(), 1);
}

/// M-6: a branch of several commits keeps them.
#[tokio::test]
async fn m_6_rebase_puts_the_commits_one_by_one_on_the_target() {
    let world = world(2).await;
    let project = project(&world, false, &[]).await;
    let agent = world.agent("coder", OBEYS).await.unwrap();
    let commits = "git config user.name A; git config user.email a@localhost; \
                   echo 1 > one; git add one; git commit -qm first-half; \
                   echo 2 > two; git add two; git commit -qm second-half";
    let other = world.task(project, doing("other", "echo o > other")).await.unwrap();
    let asked = TaskSpec {
        merge_config: MergeConfig { target_branch: None, strategy: MergeStrategy::Rebase },
        ..doing("two commits", commits)
    };
    let task = world.task(project, asked).await.unwrap();
    for task in [other, task] {
        world.claim(task, agent).await.unwrap();
    }
    world.settle().await.unwrap();
    assert_eq!(
        world.load_task(task).await.state.as_str(),
        "done",
        "{:#?}",
        world.load_task(task).await
    );
    let landed = world.end_state(project).await.landed;
    let place = landed.iter().position(|subject| subject == "second-half").expect("it is there");
    assert_eq!(landed[place + 1], "first-half");
    let merges = world.repository.git(&["rev-list", "--merges", "--count", "main"]).await;
    assert_eq!(merges.trim(), "0");
}

/// M-12: a check with two results on one tree is recorded as flaky, and evicts no task.
#[tokio::test]
async fn m_12_a_flaky_check_is_recorded_and_evicts_no_task() {
    let world = world(2).await;
    let mark = world.home().join("mark");
    let flaky = format!("test -e {0} || {{ touch {0}; exit 1; }}", mark.display());
    let project = project(&world, true, &[&flaky]).await;
    let tasks = all(&world, project, &pair("a", "b")[..1]).await;
    let task = world.load_task(tasks[0]).await;
    assert_eq!(task.state.as_str(), "done", "{:?}", task.annotation);
    let records = world.engine().check_ledger().check_records(task.repo_id.unwrap()).await.unwrap();
    let counts: Vec<_> =
        records.iter().map(|record| (record.runs, record.failures, record.flips)).collect();
    assert_eq!(counts, [(2, 1, 1)]);
}

/// M-12: forty branches, of which ten conflict, five fail only with another, and three have a flaky check.
#[tokio::test]
async fn m_12_every_commit_of_the_target_is_green_and_everything_landable_lands() {
    let world = world(4).await;
    let marks = world.home().join("marks");
    std::fs::create_dir_all(&marks).unwrap();
    let green = "for n in 1 2 3 4 5; do test ! -e red-$n-a -o ! -e red-$n-b || exit 1; done";
    // Red once on each tree, then green.
    let flaky = format!(
        "for f in $(git diff --name-only HEAD^ HEAD | grep flaky-); do \
         mark={}/$(git rev-parse 'HEAD^{{tree}}'); \
         test -e $mark || {{ touch $mark; echo flaked; exit 1; }}; done",
        marks.display()
    );
    let project = project(&world, true, &[green, &flaky]).await;
    let mut asked = Vec::new();
    for n in 1..=10 {
        for side in ["a", "b"] {
            asked.push((format!("clash {n} {side}"), format!("echo {side} > clash-{n}")));
        }
    }
    for n in 1..=5 {
        asked.extend(pair(&format!("red-{n}-a"), &format!("red-{n}-b")));
    }
    for n in 1..=3 {
        asked.push((format!("flaky {n}"), format!("echo x > flaky-{n}")));
    }
    for n in 1..=7 {
        asked.push((format!("plain {n}"), format!("echo x > plain-{n}")));
    }
    assert_eq!(asked.len(), 40);
    let tasks = all(&world, project, &asked).await;
    let ends = ends(&world, &tasks).await;
    let states: BTreeMap<&str, &str> =
        ends.iter().map(|(title, task)| (title.as_str(), task.state.as_str())).collect();
    for (title, state) in &states {
        if title.starts_with("plain") || title.starts_with("flaky") {
            assert_eq!(*state, "done", "{title}: {:?}", ends[*title].annotation);
        }
    }
    let landed = states.values().filter(|state| **state == "done").count();
    assert_eq!(landed, 25, "{states:#?}");
    for task in ends.values().filter(|task| task.state.as_str() != "done") {
        let trouble = task.annotation.as_ref().expect("it says why");
        let culprits = trouble.details["culprits"].as_array().expect("culprits");
        let other = match task.title.strip_suffix(" a").or(task.title.strip_suffix("-a")) {
            Some(stem) if task.title.ends_with(" a") => format!("{stem} b"),
            Some(stem) => format!("{stem}-b"),
            None => {
                let stem = &task.title[..task.title.len() - 1];
                format!("{stem}a")
            }
        };
        assert_eq!(culprits, &[json!(ends[&other].key().to_string())], "{}", task.title);
    }
    let commits = world.repository.git(&["rev-list", "--first-parent", "main"]).await;
    for commit in commits.lines() {
        let listed = world.repository.git(&["ls-tree", "--name-only", commit]).await;
        let names: Vec<&str> = listed.lines().collect();
        for n in 1..=5 {
            let both = names.contains(&format!("red-{n}-a").as_str())
                && names.contains(&format!("red-{n}-b").as_str());
            assert!(!both, "{commit} is red");
        }
    }
    assert_eq!(commits.lines().count(), 26, "one commit for each that landed");
    let traces = world.end_state(project).await;
    assert!(traces.sound && traces.workspaces.is_empty() && traces.processes.is_empty());
}

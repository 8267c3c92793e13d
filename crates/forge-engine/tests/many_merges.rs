//! A hundred landings at once in one repository, without a train (M-6 to M-9): each lands, or says why not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::ProjectId;
use forge_domain::task::{AnnotationType, TaskSnapshot};
use forge_engine::TaskSpec;
use forge_store::tables;
use forge_testkit::engine_fixture::EngineFixture;
use std::collections::BTreeMap;

/// An agent that runs what its task says after `RUN: `.
const OBEYS: &str = "eval \"$(sed -n 's/^RUN: //p' \"$FORGE_PROMPT_FILE\")\"";

/// Forty independent tasks, twenty in one file, ten conflicting pairs, five pairs with the same change, ten without
/// work.
fn asked() -> Vec<(String, String)> {
    let mut asked = Vec::new();
    for n in 0..40 {
        asked.push((format!("apart {n}"), format!("echo {n} > apart-{n}.txt")));
    }
    for n in 0..20 {
        asked.push((
            format!("beside {n}"),
            format!("sed -i '{}s/.*/task {n}/' long.txt", n * 10 + 5),
        ));
    }
    for n in 0..10 {
        for side in ["left", "right"] {
            asked.push((format!("{side} {n}"), format!("echo {side} > clash-{n}.txt")));
        }
    }
    for n in 0..5 {
        for side in ["once", "twice"] {
            asked.push((format!("{side} {n}"), format!("echo same > same-{n}.txt")));
        }
    }
    for n in 0..10 {
        asked.push((format!("empty {n}"), ":".to_owned()));
    }
    assert_eq!(asked.len(), 100);
    asked
}

async fn all(world: &EngineFixture, project: ProjectId) -> BTreeMap<String, TaskSnapshot> {
    let mut tasks = Vec::new();
    for (place, (title, run)) in asked().into_iter().enumerate() {
        let agent = world.agent(&format!("coder-{}", place / 10), OBEYS).await.unwrap();
        let description = format!("RUN: {run}");
        let asked = TaskSpec { title, description, ..TaskSpec::default() };
        let task = world
            .engine()
            .commands()
            .create_task(EngineFixture::acting_user(), project, asked)
            .await
            .unwrap()
            .id;
        world.claim(task, agent).await.unwrap();
        tasks.push(task);
    }
    world.settle().await.unwrap();
    let mut ends = BTreeMap::new();
    for task in tasks {
        let task = world.load_task(task).await;
        ends.insert(task.title.clone(), task);
    }
    ends
}

/// The task's events as text, which tell how its landing ended.
async fn said(world: &EngineFixture, task: &TaskSnapshot) -> String {
    let rows = tables::events::of_task(world.engine().db(), task.id).await.unwrap();
    let rows: Vec<String> = rows.iter().map(|row| format!("{} {}", row.kind, row.data)).collect();
    rows.join("\n")
}

#[tokio::test]
async fn m_6_m_8_m_9_of_a_hundred_landings_at_once_each_is_in_or_says_why_not() {
    let world = EngineFixture::new().await;
    let lines: String = (1..=210).map(|line| format!("line {line}\n")).collect();
    world.repository.write("long.txt", &lines);
    world.repository.commit("a long file").await;
    let project = world.project("Board", EngineFixture::workflow("no-review")).await.unwrap();
    let ends = all(&world, project).await;
    let (mut nothing, mut clashed) = (0, 0);
    for (title, task) in &ends {
        match task.state.as_str() {
            "done" => {
                assert!(task.annotation.is_none(), "{title}: {:?}", task.annotation);
                nothing += usize::from(said(&world, task).await.contains("nothing_to_merge"));
            }
            "merge_failed" => {
                let trouble = task.annotation.as_ref().expect("it says why");
                assert_eq!(trouble.kind, AnnotationType::MergeConflict, "{title}");
                let (side, n) = title.split_once(' ').unwrap();
                let other = if side == "left" { "right" } else { "left" };
                let other = ends[&format!("{other} {n}")].key().to_string();
                assert_eq!(trouble.details["files"], serde_json::json!([format!("clash-{n}.txt")]));
                assert_eq!(trouble.details["culprits"], serde_json::json!([other]), "{title}");
                clashed += 1;
            }
            other => panic!("{title} is in {other}: {:?}", task.annotation),
        }
    }
    assert_eq!((nothing, clashed), (15, 10));
    let repository = &world.repository;
    let subjects = repository.subjects("main").await;
    assert_eq!(subjects.len(), 2 + 75, "{subjects:?}");
    let titles: std::collections::BTreeSet<_> = subjects.iter().collect();
    assert_eq!(titles.len(), subjects.len(), "each once");
    assert_eq!(repository.git(&["rev-list", "--merges", "main"]).await, "", "in one line");
    for n in 0..40 {
        assert_eq!(repository.git(&["show", &format!("main:apart-{n}.txt")]).await, n.to_string());
    }
    let long = repository.git(&["show", "main:long.txt"]).await;
    let changed = long.lines().filter(|line| line.starts_with("task ")).count();
    assert_eq!((changed, long.lines().count()), (20, 210));
    let traces = world.end_state(project).await;
    assert_eq!((traces.person.as_str(), traces.open_steps), ("", 0));
    assert!(traces.sound && traces.processes.is_empty(), "{traces:#?}");
    assert!(traces.workspaces.iter().all(|name| !name.starts_with("_merge-")));
}

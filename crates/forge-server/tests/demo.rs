//! The demonstration, over HTTP with a real server: real worktrees, commits, checks and landings.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::path::Path;

use forge_testkit::test_repository::TestRepository;
use http::Method;
use serde_json::{Value, json};
use support::TestServer;

async fn begin(server: &TestServer) -> Value {
    let (status, started) = server.post("/demo", json!({})).await;
    assert_eq!(status, 201, "{started}");
    started
}

/// Waits until nothing continues by itself; checks again after each event.
async fn finished(server: &TestServer, started: &Value) -> Value {
    let id = started["project_id"].as_str().unwrap();
    let mut events = server.events(&format!("?project={id}"), None).await;
    loop {
        let (status, demo) = server.get(&format!("/demo/{id}")).await;
        assert_eq!(status, 200, "{demo}");
        if demo["finished"] == true {
            return demo;
        }
        events.next().await.expect("the stream goes on");
    }
}

/// Title, state and attempts of each task.
fn ends(demo: &Value) -> Vec<(&str, &str, u64)> {
    let tasks = demo["tasks"].as_array().unwrap().iter();
    tasks
        .map(|task| {
            let text = |field: &str| task[field].as_str().unwrap();
            (text("title"), text("status"), task["attempts"].as_u64().unwrap())
        })
        .collect()
}

const EXPECTED: [(&str, &str, u64); 6] = [
    ("Convert kilometres to metres", "done", 1),
    ("Convert Celsius to Fahrenheit", "done", 2),
    ("Convert hours to minutes", "done", 1),
    ("List the conversions in the README", "done", 1),
    ("Release 2.0", "merge_failed", 1),
    ("Release 1.1", "done", 1),
];

/// Checks the state of the repository after the demonstration.
async fn check_repository(demo: &Value) {
    let repository = TestRepository::open(Path::new(demo["repo_path"].as_str().unwrap()));
    repository.git(&["fsck", "--full", "--strict", "--no-dangling"]).await;
    assert_eq!(repository.git(&["status", "--porcelain"]).await, "", "P-2: the checkout is clean");
    let worktrees = repository.git(&["worktree", "list", "--porcelain"]).await;
    // Pooled worktrees belong to no task (W-15).
    let left = worktrees
        .lines()
        .filter(|line| line.starts_with("worktree ") && !line.contains("/.pool/"))
        .count();
    assert_eq!(left, 1, "W-7: no worktree is left: {worktrees}");
    let branches =
        repository.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads"]).await;
    assert_eq!(branches, "forge/5-release-2.0\nmain".replace('.', "-"), "the parked branch stays");

    let mut subjects = repository.subjects("main").await;
    assert_eq!(subjects.pop().as_deref(), Some("Convert kilograms to grams"));
    let log: Vec<_> =
        demo["log"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert_eq!(log.len(), subjects.len() + 1, "{log:#?}");
    for (subject, line) in subjects.iter().zip(log) {
        assert!(line.starts_with("* ") && line.ends_with(subject.as_str()), "{line}");
    }
    subjects.sort();
    let mut landed: Vec<_> = (1..)
        .zip(EXPECTED)
        .filter(|(_, (_, state, _))| *state == "done")
        .map(|(number, (title, ..))| format!("{title} (T-{number})"))
        .collect();
    landed.sort();
    assert_eq!(subjects, landed);
    for task in demo["tasks"].as_array().unwrap() {
        let parked = task["title"] == "Release 2.0";
        assert_eq!(task["commit"].is_null(), parked, "{task}");
        if let Some(commit) = task["commit"].as_str() {
            let on_main =
                repository.try_git(&["merge-base", "--is-ancestor", commit, "main"]).await;
            assert!(on_main.0, "{task}");
        }
    }

    let read = |name: &str| std::fs::read_to_string(repository.path().join(name)).unwrap();
    assert_eq!(read("VERSION"), "1.1\n");
    assert!(read("README.md").contains("- `km-to-m`\n"), "T-4: what it depends on had landed");
    let (passed, said) = repository.try_git(&["-c", "alias.check=!sh tests/run.sh", "check"]).await;
    assert!(passed, "main is green: {said}");
}

/// M-4, M-9, T-4: a rejection that is fixed, a conflict that is parked, a dependency, and landings.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn m_4_m_9_t_4_the_demonstration_has_the_expected_result() {
    let server = TestServer::start().await;
    let started = begin(&server).await;
    let demo = finished(&server, &started).await;
    assert_eq!(ends(&demo), EXPECTED);
    assert_eq!(demo["repo_path"], started["repo_path"]);
    check_repository(&demo).await;

    let project = started["project_id"].as_str().unwrap();
    let (_, tasks) = server.get(&format!("/projects/{project}/tasks?text=Celsius")).await;
    let id = tasks["items"][0]["id"].as_str().unwrap();
    let (_, reviews) = server.get(&format!("/tasks/{id}/reviews")).await;
    let mut reviews = reviews["items"].as_array().unwrap().clone();
    reviews.sort_by_key(|review| review["attempt_number"].as_u64());
    let story: Vec<_> = reviews
        .iter()
        .map(|review| {
            (review["attempt_number"].as_u64().unwrap(), review["status"].as_str().unwrap())
        })
        .collect();
    assert_eq!(story, [(1, "failed"), (2, "passed")]);
    let (_, parked) = server.get(&format!("/projects/{project}/tasks?text=2.0")).await;
    let trouble = &parked["items"][0]["error_annotation"];
    assert_eq!(trouble["type"], "merge_conflict");
    assert_eq!(trouble["details"]["files"], json!(["VERSION"]));
}

/// P-4: the server stops while agents work; the next one continues by itself, with the same result.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p_4_a_demonstration_continues_after_a_restart() {
    let server = TestServer::start().await;
    let started = begin(&server).await;
    let server = server.restart().await;
    let demo = finished(&server, &started).await;
    let states: Vec<_> = ends(&demo).into_iter().map(|(title, state, _)| (title, state)).collect();
    assert_eq!(states, EXPECTED.map(|(title, state, _)| (title, state)));
    check_repository(&demo).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s_4_a_second_demonstration_is_independent() {
    let server = TestServer::start().await;
    let (first, second) = (begin(&server).await, begin(&server).await);
    assert_ne!(first["project_id"], second["project_id"]);
    assert_ne!(first["repo_path"], second["repo_path"]);
    for started in [&first, &second] {
        assert_eq!(ends(&finished(&server, started).await), EXPECTED);
    }
    let (_, projects) = server.get("/projects").await;
    let names: Vec<_> =
        projects["items"].as_array().unwrap().iter().map(|p| p["name"].clone()).collect();
    assert_eq!(names, ["Demo", "Demo 2"]);
}

#[tokio::test]
async fn s_6_only_an_admin_starts_a_demonstration() {
    let server = TestServer::start().await;
    let (status, _) =
        server.post("/users", json!({ "name": "ann", "password": "a long password of ann" })).await;
    assert_eq!(status, 201);
    let login = server.stranger(Method::POST, "/api/v1/auth/login");
    let login = server
        .send(
            login,
            Some(json!({ "name": "ann", "password": "a long password of ann" }).to_string()),
        )
        .await;
    assert_eq!(login.status, 200, "{}", login.text);
    let cookie = login.header("set-cookie").split(';').next().unwrap().to_owned();
    let asked = server.stranger(Method::POST, "/api/v1/demo").header("cookie", cookie);
    let asked = asked.header("origin", format!("http://{}", server.address()));
    server.send(asked, None::<String>).await.failed_with(403, "forbidden");
    assert!(!server.directory().join("data/demo").exists());
}

#[tokio::test]
async fn s_1_an_ordinary_project_is_not_a_demonstration() {
    let server = TestServer::start().await;
    let (_, project) = server.post("/projects", json!({ "name": "Mine" })).await;
    let path = format!("/demo/{}", project["id"].as_str().unwrap());
    let answer = server.send(server.request(Method::GET, &path), None::<String>).await;
    assert_eq!(answer.failed_with(404, "not_found")["kind"], "demo");
}

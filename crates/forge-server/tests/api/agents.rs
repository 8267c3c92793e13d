//! Tests of agents (SPEC 7.1).

use std::os::unix::fs::PermissionsExt as _;

use forge_testkit::test_repository::search_path;
use serde_json::{Value, json};

use crate::support::{TestServer, TestUser};

fn shell(name: &str) -> Value {
    json!({ "name": name, "executor": { "kind": "shell", "command": ["true"] } })
}

#[tokio::test]
async fn e_1_an_agent_is_created_with_defaults() {
    let server = TestServer::start().await;
    let (status, agent) = server.post("/agents", shell("bot")).await;
    assert_eq!(status, 201, "{agent}");
    assert_eq!((&agent["max_concurrent"], &agent["paused"]), (&json!(1), &json!(false)));
    assert_eq!(agent["executor"]["timeout_seconds"], Value::Null);
    let path = format!("/agents/{}", agent["id"].as_str().expect("an id"));
    assert_eq!(server.get(&path).await, (200, agent.clone()));
    assert_eq!(server.get("/agents").await.1["items"], json!([agent]));
    let (status, refused) = server.post("/agents", shell("bot")).await;
    assert_eq!((status, &refused["code"]), (409, &json!("duplicate")));
}

#[tokio::test]
async fn t_3_pausing_twice_changes_nothing() {
    let server = TestServer::start().await;
    let (_, agent) = server.post("/agents", shell("bot")).await;
    let path = format!("/agents/{}", agent["id"].as_str().expect("an id"));
    let (_, paused) = server.post(&format!("{path}/pause"), json!({})).await;
    assert_eq!((&paused["paused"], &paused["version"]), (&json!(true), &json!(2)));
    assert_eq!(server.post(&format!("{path}/pause"), json!({})).await.1, paused);
    let (_, resumed) = server.post(&format!("{path}/resume"), json!({})).await;
    assert_eq!((&resumed["paused"], &resumed["version"]), (&json!(false), &json!(3)));
}

#[tokio::test]
async fn e_1_executors_that_cannot_run_are_refused() {
    let server = TestServer::start().await;
    for (executor, path) in [
        (json!({ "kind": "shell", "command": [] }), "executor"),
        (json!({ "kind": "shell", "command": [""] }), "executor"),
        (json!({ "kind": "shell" }), "executor"),
        (json!({ "kind": "oracle", "command": ["x"] }), "executor.kind"),
        (json!({ "kind": "shell", "command": "true" }), "executor.command"),
        (json!({ "kind": "shell", "command": ["a\0b"] }), "executor"),
    ] {
        let body = json!({ "name": "bot", "executor": executor });
        let (status, refused) = server.post("/agents", body).await;
        assert_eq!((status, &refused["code"]), (422, &json!("invalid_field")), "{refused}");
        assert_eq!(refused["details"]["path"], path, "{refused}");
    }
    for (field, value) in
        [("max_concurrent", json!(0)), ("max_concurrent", json!(100_000)), ("roles", json!([""]))]
    {
        let mut body = shell("bot");
        body[field] = value;
        let (status, refused) = server.post("/agents", body).await;
        assert_eq!((status, &refused["details"]["path"]), (422, &json!(field)), "{refused}");
    }
    assert_eq!(server.get("/agents").await.1["items"], json!([]));
}

#[tokio::test]
async fn e_1_a_change_keeps_fields_that_are_left_out() {
    let server = TestServer::start().await;
    let (_, ben) = server.post("/agents", shell("ben")).await;
    let mut asked = shell("ada");
    asked["executor"]["environment"] = json!({ "API_KEY": "hunter2-hunter2" });
    let (_, ada) = server.post("/agents", asked).await;
    let path = format!("/agents/{}", ada["id"].as_str().expect("an id"));
    let patch =
        json!({ "version": 1, "max_concurrent": 4, "roles": ["coder"], "fallback": ben["id"] });
    let (status, changed) = server.patch(&path, patch).await;
    assert_eq!(status, 200, "{changed}");
    assert_eq!((&changed["version"], &changed["name"]), (&json!(2), &json!("ada")));
    assert_eq!((&changed["max_concurrent"], &changed["roles"]), (&json!(4), &json!(["coder"])));
    assert_eq!((&changed["fallback"], &changed["executor"]), (&ben["id"], &ada["executor"]));

    let mut executor = changed["executor"].clone();
    executor["stalled_after_seconds"] = json!(30);
    let patch = json!({ "version": 2, "executor": executor, "fallback": null, "name": "eva" });
    let (status, changed) = server.patch(&path, patch).await;
    assert_eq!((status, &changed["fallback"]), (200, &Value::Null), "{changed}");
    assert_eq!(changed["executor"]["stalled_after_seconds"], 30);
    assert_eq!(server.get(&path).await, (200, changed));
}

#[tokio::test]
async fn e_1_a_refused_change_names_its_field() {
    let server = TestServer::start().await;
    server.post("/agents", shell("ben")).await;
    let (_, ada) = server.post("/agents", shell("ada")).await;
    let path = format!("/agents/{}", ada["id"].as_str().expect("an id"));
    let nobody = "00000000-0000-4000-8000-000000000000";
    for (patch, status, code, named) in [
        (json!({ "version": 7, "name": "x" }), 409, "version_conflict", Value::Null),
        (json!({ "version": 1, "name": "ben" }), 409, "duplicate", Value::Null),
        (json!({ "version": 1, "fallback": nobody }), 404, "not_found", Value::Null),
        (json!({ "version": 1, "fallback": ada["id"] }), 422, "invalid_field", json!("fallback")),
        (json!({ "version": 1, "roles": [""] }), 422, "invalid_field", json!("roles")),
        (
            json!({ "version": 1, "max_concurrent": 0 }),
            422,
            "invalid_field",
            json!("max_concurrent"),
        ),
        (
            json!({ "version": 1, "executor": { "kind": "claude" } }),
            422,
            "invalid_field",
            json!("executor.kind"),
        ),
    ] {
        let (answered, refused) = server.patch(&path, patch).await;
        assert_eq!((answered, &refused["code"]), (status, &json!(code)), "{refused}");
        assert_eq!(refused["details"]["path"], named, "{refused}");
    }
    let (status, refused) = server.patch(&path, json!({ "version": 1, "max_concurent": 2 })).await;
    assert_eq!((status, &refused["details"]["fields"]), (422, &json!(["max_concurent"])));
    assert_eq!(server.get(&path).await, (200, ada));
}

#[tokio::test]
async fn e_1_the_programs_of_the_server_are_listed_with_their_version() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let program = place.path().join("claude");
    std::fs::write(&program, "#!/bin/sh\necho '9.9.9 (Played)'\n").expect("is written");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("is ours");
    let search = format!("{}:{}", place.path().display(), search_path().to_string_lossy());
    let server = TestServer::start_with(&[("PATH", &search)]).await;
    let (status, listed) = server.get("/agents/programs").await;
    assert_eq!(status, 200, "{listed}");
    let items = listed["items"].as_array().expect("a list");
    let of = |kind| items.iter().find(|item| item["kind"] == kind).expect("is listed");
    assert_eq!(of("claude")["path"], json!(program), "{listed}");
    assert_eq!(of("claude")["version"], "9.9.9 (Played)");
    assert_eq!(of("claude")["policies"], json!(["plan", "edit", "full"]));
    assert!(items.iter().any(|item| item["kind"] == "goose"), "{listed}");
    assert!(!items.iter().any(|item| item["kind"] == "shell"), "it has no program of its own");
    let member = TestUser::new(&server, "mia").await;
    member.get("/agents/programs").await.failed_with(403, "forbidden");
}

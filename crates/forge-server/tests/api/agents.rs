//! Agents (SPEC 7.1).

use serde_json::{Value, json};

use crate::support::TestServer;

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
async fn t_3_pausing_twice_is_pausing_once() {
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

//! Invalid input: each a 4xx with its own code that names the field; nothing changes.

use http::Method;
use serde_json::{Value, json};

use super::board::{Board, WAITS, text};

const UNKNOWN_ID: &str = "01900000-0000-7000-8000-000000000000";

#[tokio::test]
async fn t_1_an_invalid_new_task_is_refused_with_its_field() {
    let board = Board::new().await;
    let path = format!("/projects/{}/tasks", board.project);
    let cases = [
        (json!({}), "title"),
        (json!({ "title": 7 }), "title"),
        (json!({ "title": null }), "title"),
        (json!({ "title": " " }), "title"),
        (json!({ "title": "two\nlines" }), "title"),
        (json!({ "title": "x".repeat(501) }), "title"),
        (json!({ "title": "x", "description": "a\u{0}b" }), "description"),
        (json!({ "title": "x", "priority": 1.5 }), "priority"),
        (json!({ "title": "x", "priority": 3_000_000_000_u64 }), "priority"),
        (json!({ "title": "x", "labels": "red" }), "labels"),
        (json!({ "title": "x", "labels": [""] }), "labels"),
        (json!({ "title": "x", "labels": ["a\u{0}"] }), "labels"),
        (json!({ "title": "x", "labels": [" a"] }), "labels"),
        (json!({ "title": "x", "kind": "lunch" }), "kind"),
        (json!({ "title": "x", "metadata": [] }), "metadata"),
        (json!({ "title": "x", "parent": "../T-1" }), "parent"),
        (json!({ "title": "x", "dependencies": ["-x"] }), "dependencies.0"),
        (
            json!({ "title": "x", "review_config": { "ci_steps": ["ok", " "] } }),
            "review_config.ci_steps",
        ),
        (
            json!({ "title": "x", "review_config": { "ci_steps": ["a\u{0}"] } }),
            "review_config.ci_steps",
        ),
        (json!({ "title": "x", "review_config": { "ci_steps": [1] } }), "review_config.ci_steps.0"),
        (
            json!({ "title": "x", "review_config": { "timeout_seconds": 0 } }),
            "review_config.timeout_seconds",
        ),
        (
            json!({ "title": "x", "merge_config": { "strategy": "octopus" } }),
            "merge_config.strategy",
        ),
        (
            json!({ "title": "x", "merge_config": { "target_branch": "-f" } }),
            "merge_config.target_branch",
        ),
        (
            json!({ "title": "x", "merge_config": { "target_branch": "../x" } }),
            "merge_config.target_branch",
        ),
        (json!({ "title": "x", "roles": { "coder": {} } }), "roles.coder"),
    ];
    for (asked, place) in cases {
        let details = board.refused(&path, asked.clone(), 422, "invalid_field").await;
        assert_eq!(details["path"], place, "{asked}");
    }
    let misspelt =
        json!({ "title": "x", "descripton": "y", "review_config": { "ci_step": [] }, "labls": [] });
    let details = board.refused(&path, misspelt, 422, "unknown_field").await;
    let mut fields: Vec<_> = details["fields"].as_array().unwrap().iter().map(text).collect();
    fields.sort();
    assert_eq!(fields, ["descripton", "labls", "review_config.ci_step"], "all of them at once");
    let role =
        json!({ "title": "x", "roles": { "-x": { "agent_id": board.agent("a", WAITS).await } } });
    board.refused(&path, role, 422, "unknown_role").await;
    for (asked, kind) in [
        (json!({ "title": "x", "roles": { "coder": { "agent_id": UNKNOWN_ID } } }), "agent"),
        (json!({ "title": "x", "dependencies": [UNKNOWN_ID] }), "task"),
        (json!({ "title": "x", "parent": UNKNOWN_ID }), "task"),
        (json!({ "title": "x", "repo_id": UNKNOWN_ID }), "repository of this project"),
    ] {
        let details = board.refused(&path, asked, 404, "not_found").await;
        assert_eq!(details["kind"], kind);
    }
    assert!(board.items(&path).await.is_empty(), "nothing was made");
}

#[tokio::test]
async fn t_1_an_invalid_patch_changes_nothing() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "One" })).await;
    let before = board.show(&task).await;
    let cases = [
        (json!({ "title": "x" }), "version"),
        (json!({ "version": -1 }), "version"),
        (json!({ "version": "1" }), "version"),
        (json!({ "version": 1, "title": null }), "title"),
        (json!({ "version": 1, "title": "" }), "title"),
        (json!({ "version": 1, "labels": ["\n"] }), "labels"),
        (json!({ "version": 1, "description": "\u{0}" }), "description"),
        (
            json!({ "version": 1, "merge_config": { "strategy": "octopus" } }),
            "merge_config.strategy",
        ),
        (
            json!({ "version": 1, "merge_config": { "target_branch": "--all" } }),
            "merge_config.target_branch",
        ),
        (
            json!({ "version": 1, "review_config": { "timeout_seconds": u64::MAX } }),
            "review_config.timeout_seconds",
        ),
    ];
    for (patch, place) in cases {
        let (status, answer) = board.server.patch(&format!("/tasks/{task}"), patch.clone()).await;
        assert_eq!((status, &answer["code"]), (422, &json!("invalid_field")), "{patch}: {answer}");
        assert_eq!(answer["details"]["path"], place, "{patch}");
    }
    let (status, answer) = board
        .server
        .patch(&format!("/tasks/{task}"), json!({ "version": 1, "status": "done" }))
        .await;
    assert_eq!(
        (status, &answer["code"]),
        (422, &json!("unknown_field")),
        "the status moves by a transition: {answer}"
    );
    assert_eq!(board.show(&task).await, before);
}

#[tokio::test]
async fn t_3_an_invalid_claim_changes_nothing() {
    let board = Board::new().await;
    let agent = board.agent("coder", WAITS).await;
    let task = board.task(json!({ "title": "One" })).await;
    let path = format!("/tasks/{task}/claim");
    let overrides = json!({ "agent_id": agent, "overrides": "model" });
    let details = board.refused(&path, overrides, 422, "invalid_field").await;
    assert_eq!(details["path"], "overrides");
    board.refused(&path, json!({ "agent_id": "coder" }), 422, "invalid_field").await;
    board.refused(&path, json!({ "agent": agent }), 422, "unknown_field").await;
    let details = board.refused(&path, json!({ "agent_id": UNKNOWN_ID }), 404, "not_found").await;
    assert_eq!(details["kind"], "agent");
    assert_eq!(board.show(&task).await["version"], 1);
    board.done(&path, json!({ "agent_id": agent, "overrides": {} })).await;
}

#[tokio::test]
async fn s_1_invalid_bodies_are_refused_on_task_routes() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "One" })).await;
    let create = format!("/projects/{}/tasks", board.project);
    let deep =
        format!("{{\"title\":\"x\",\"metadata\":{}1{}}}", "{\"a\":".repeat(40), "}".repeat(40));
    let cases: [(&str, Vec<u8>, u16, &str); 6] = [
        (&create, deep.into_bytes(), 400, "body_too_deep"),
        (&create, b"{\"title\":\"\xff\"}".to_vec(), 400, "body_not_utf8"),
        (&create, b"{\"title\":".to_vec(), 400, "body_not_json"),
        (&create, vec![b' '; 2 * 1024 * 1024], 413, "body_too_large"),
        (&create, Vec::new(), 415, "unsupported_media_type"),
        (&create, b"[]".to_vec(), 422, "invalid_field"),
    ];
    for (path, body, status, code) in cases {
        let request = board.server.request(Method::POST, path);
        board.server.send(request, Some(body)).await.failed_with(status, code);
    }
    let form = board.server.request(Method::POST, &format!("/tasks/{task}/transition"));
    let form = form.header("content-type", "application/x-www-form-urlencoded");
    board.server.send(form, Some("status=todo")).await.failed_with(415, "unsupported_media_type");
    assert_eq!(board.show(&task).await["version"], 1);
}

#[tokio::test]
async fn s_1_missing_objects_are_not_found_on_every_task_route() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "One" })).await;
    let agent = board.agent("coder", WAITS).await;
    let dependency = json!({ "depends_on_id": task });
    let routes: [(Method, &str, Value); 21] = [
        (Method::POST, "/projects/X/tasks", json!({ "title": "x" })),
        (Method::GET, "/projects/X/tasks", Value::Null),
        (Method::GET, "/projects/X/tasks/by-number/1", Value::Null),
        (Method::GET, "/tasks/X", Value::Null),
        (Method::PATCH, "/tasks/X", json!({ "version": 1 })),
        (Method::POST, "/tasks/X/claim", json!({})),
        (Method::POST, "/tasks/X/transition", json!({ "status": "todo", "version": 1 })),
        (Method::POST, "/tasks/X/cancel", json!({})),
        (Method::POST, "/tasks/X/archive", Value::Null),
        (Method::POST, "/tasks/X/unarchive", Value::Null),
        (Method::GET, "/tasks/X/actions", Value::Null),
        (Method::GET, "/tasks/X/transitions", Value::Null),
        (Method::POST, "/tasks/X/roles/coder", json!({ "agent_id": agent })),
        (Method::GET, "/tasks/X/dependencies", Value::Null),
        (Method::POST, "/tasks/X/dependencies", dependency),
        (Method::DELETE, "/tasks/X/dependencies/X", Value::Null),
        (Method::POST, "/tasks/X/comments", json!({ "body": "x" })),
        (Method::GET, "/tasks/X/executions", Value::Null),
        (Method::GET, "/executions/X/log", Value::Null),
        (Method::GET, "/reviews/X/log", Value::Null),
        (Method::GET, "/tasks/X/diff", Value::Null),
    ];
    for (method, path, body) in routes {
        for id in [UNKNOWN_ID, "T-1", "-x", "%2e%2e"] {
            let request = board.server.request(method.clone(), &path.replace('X', id));
            let body = (!body.is_null()).then(|| body.to_string());
            let answer = board.server.send(request, body).await;
            assert_eq!(
                (answer.status, &answer.json()["code"]),
                (404, &json!("not_found")),
                "{method} {path} {id}"
            );
        }
    }
    let path = format!("/tasks/{task}/dependencies");
    board.refused(&path, json!({ "depends_on_id": UNKNOWN_ID }), 404, "not_found").await;
    board.refused(&path, json!({ "depends_on_id": "T-1" }), 422, "invalid_field").await;
    board.refused(&path, json!({}), 422, "invalid_field").await;
}

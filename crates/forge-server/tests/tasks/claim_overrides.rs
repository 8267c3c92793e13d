//! Overrides of a claim over HTTP (T-3): validated, applied to the program's command line, kept by restarts, limited by
//! the agent's owner, and ended by their deadline.

use serde_json::{Value, json};

use super::board::{Board, WAITS, text};
use super::support::TestUser;

/// An agent with the adapter of claude, whose program prints its arguments.
async fn claude(board: &Board, name: &str, policy: &str, project: Option<&str>) -> String {
    let script = "echo \"arguments: $*\" >&2; echo x > x.txt";
    let executor =
        json!({ "kind": "claude", "command": ["sh", "-ec", script, "sh"], "policy": policy });
    let asked =
        json!({ "name": name, "executor": executor, "max_concurrent": 9, "project_id": project });
    text(&board.created("/agents", asked).await["id"])
}

async fn execution_of(board: &Board, task: &str) -> Value {
    board.items(&format!("/tasks/{task}/executions")).await.last().expect("one").clone()
}

/// The arguments with which the program was called.
async fn arguments(board: &Board, execution: &str) -> String {
    let log = board.read(&format!("/executions/{execution}/log/raw")).await;
    text(&log["text"])
}

#[tokio::test]
async fn t_3_overrides_reach_the_program_and_the_records() {
    let board = Board::new().await;
    let agent = claude(&board, "ada", "full", None).await;
    let task = board.task(json!({ "title": "One" })).await;
    let overrides = json!({
        "model": "opus", "reasoning_effort": "high", "permission_policy": "plan", "deadline_seconds": 600,
    });
    let claim = json!({ "agent_id": agent, "overrides": overrides });
    let claimed = board.done(&format!("/tasks/{task}/claim"), claim).await;
    assert_eq!(claimed["execution"]["overrides"], overrides);
    board.reached(&task, |task| task.attempts == 1 && !task.is_settling()).await;
    board.quiet(&task).await;
    let execution = execution_of(&board, &task).await;
    assert_eq!(execution["overrides"], overrides, "also when it has ended");
    let called = arguments(&board, &text(&execution["id"])).await;
    assert!(called.contains("--permission-mode plan --model opus --effort high"), "{called}");

    let task = board.task(json!({ "title": "Two" })).await;
    let plain = board.claim(&task, &agent).await;
    assert_eq!(plain["execution"]["overrides"], Value::Null);
    board.reached(&task, |task| task.attempts == 1 && !task.is_settling()).await;
    let called = arguments(&board, &text(&plain["execution"]["id"])).await;
    assert!(called.contains("--permission-mode bypassPermissions"), "{called}");
    assert!(!called.contains("--model") && !called.contains("--effort"), "{called}");
    board.quiet(&task).await;
}

#[tokio::test]
async fn t_3_the_deadline_ends_an_execution_and_restarts_keep_the_overrides() {
    let board = Board::new().await;
    let agent = board.agent("coder", WAITS).await;
    let task = board.task(json!({ "title": "One" })).await;
    let overrides = json!({
        "model": null, "reasoning_effort": null, "permission_policy": null, "deadline_seconds": 1,
    });
    let claim = json!({ "agent_id": agent, "overrides": overrides });
    board.done(&format!("/tasks/{task}/claim"), claim).await;
    for attempt in ["the first execution", "the restarted one"] {
        board.reached(&task, |task| task.run.is_none() && task.annotation.is_some()).await;
        board.quiet(&task).await;
        let execution = execution_of(&board, &task).await;
        assert_eq!(execution["outcome"], "deadline_reached", "{attempt}: {execution}");
        assert_eq!(execution["overrides"], overrides, "{attempt}");
        let parked = board.show(&task).await;
        assert_eq!(parked["status"], "blocked");
        let message = text(&parked["error_annotation"]["message"]);
        assert!(message.contains("reached the deadline of its claim"), "{message}");
        if attempt == "the first execution" {
            let path = format!("/executions/{}/restart", text(&execution["id"]));
            board.done(&path, json!({})).await;
        }
    }
    assert_eq!(board.items(&format!("/tasks/{task}/executions")).await.len(), 2);
}

#[tokio::test]
async fn t_3_overrides_that_cannot_be_applied_are_refused_and_change_nothing() {
    let board = Board::new().await;
    let shell = board.agent("coder", WAITS).await;
    let claude = claude(&board, "ada", "edit", None).await;
    let task = board.task(json!({ "title": "One" })).await;
    let path = format!("/tasks/{task}/claim");
    let claim =
        |agent: &str, overrides: Value| json!({ "agent_id": agent, "overrides": overrides });
    for field in ["model", "reasoning_effort", "permission_policy"] {
        let value = if field == "permission_policy" { "plan" } else { "high" };
        let asked = claim(&shell, json!({ field: value }));
        let details = board.refused(&path, asked, 422, "override_unsupported").await;
        assert_eq!(details["path"], format!("overrides.{field}"));
        assert_eq!(details["supported"], json!(["deadline_seconds"]));
    }
    let asked = claim(&claude, json!({ "reasoning_effort": "minimal" }));
    let (status, answer) = board.server.post(&path, asked).await;
    assert_eq!((status, &answer["code"]), (422, &json!("override_unsupported")));
    assert!(text(&answer["message"]).contains("low, medium, high, xhigh, max"), "{answer}");

    let asked = claim(&claude, json!({ "colour": "red" }));
    let details = board.refused(&path, asked, 422, "unknown_field").await;
    assert_eq!(details["fields"], json!(["overrides.colour"]));
    for (overrides, field) in [
        (json!({ "reasoning_effort": "enormous" }), "overrides.reasoning_effort"),
        (json!({ "permission_policy": "yolo" }), "overrides.permission_policy"),
        (json!({ "deadline_seconds": "30m" }), "overrides.deadline_seconds"),
        (json!({ "deadline_seconds": 0 }), "overrides.deadline_seconds"),
        (json!({ "deadline_seconds": -1 }), "overrides.deadline_seconds"),
        (json!({ "deadline_seconds": 31_622_401 }), "overrides.deadline_seconds"),
        (json!({ "model": "" }), "overrides.model"),
    ] {
        let asked = claim(&claude, overrides.clone());
        let (status, answer) = board.server.post(&path, asked).await;
        assert_eq!(status, 422, "{overrides}: {answer}");
        assert_eq!(answer["details"]["path"], field, "{overrides}: {answer}");
    }
    for model in ["--dangerously-skip-permissions", "a b", "a\u{0}"] {
        let asked = claim(&claude, json!({ "model": model }));
        let details = board.refused(&path, asked, 422, "override_unsupported").await;
        assert_eq!(details["path"], "overrides.model", "{model:?}");
    }
    let by_hand = json!({ "overrides": { "model": "opus" } });
    let details = board.refused(&path, by_hand, 422, "invalid_field").await;
    assert_eq!(details["path"], "overrides");
    let after = board.show(&task).await;
    assert_eq!((&after["version"], &after["status"]), (&json!(1), &json!("backlog")));
    assert_eq!(board.items(&format!("/tasks/{task}/executions")).await.len(), 0);
}

#[tokio::test]
async fn s_6_a_member_may_narrow_a_policy_but_not_widen_it() {
    let board = Board::new().await;
    let ann = TestUser::new(&board.server, "ann").await;
    ann.join(&board.project).await;
    let of_server = claude(&board, "ada", "edit", None).await;
    let of_project = claude(&board, "ben", "edit", Some(&board.project)).await;
    for agent in [&of_server, &of_project] {
        let task = board.task(json!({ "title": "One" })).await;
        let path = format!("/tasks/{task}/claim");
        let claim = |policy: &str| json!({ "agent_id": agent, "overrides": { "permission_policy": policy } });
        let refused = ann.post(&path, claim("full")).await;
        assert_eq!(refused.status, 403);
        let details = &refused.json()["details"];
        assert_eq!(details["permission"], "widen_policy");
        assert_eq!(
            (&details["path"], &details["policy"]),
            (&json!("overrides.permission_policy"), &json!("edit"))
        );
        assert_eq!(board.show(&task).await["version"], 1);
        assert_eq!(ann.post(&path, claim("plan")).await.status, 200, "narrower");
        board.reached(&task, |task| task.attempts == 1 && !task.is_settling()).await;
        let execution = execution_of(&board, &task).await;
        let called = arguments(&board, &text(&execution["id"])).await;
        assert!(called.contains("--permission-mode plan"), "{called}");
        board.quiet(&task).await;
    }
    // A user who may change the agent may also widen one claim.
    let task = board.task(json!({ "title": "Two" })).await;
    let claim = json!({ "agent_id": of_server, "overrides": { "permission_policy": "full" } });
    board.done(&format!("/tasks/{task}/claim"), claim).await;
    board.reached(&task, |task| task.attempts == 1 && !task.is_settling()).await;
    let execution = execution_of(&board, &task).await;
    let called = arguments(&board, &text(&execution["id"])).await;
    assert!(called.contains("--permission-mode bypassPermissions"), "{called}");
    board.quiet(&task).await;
}

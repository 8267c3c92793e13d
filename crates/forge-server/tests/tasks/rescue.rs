//! Checking, stopping and restarting executions (T-13, T-22).

use serde_json::{Value, json};

use super::board::{Board, WAITS, text};

const NOTHING: Value = Value::Null;

#[tokio::test]
async fn t_13_a_stopped_execution_keeps_its_task_in_its_state_until_restarted() {
    let board = Board::new().await;
    let half = board.meeting("half");
    let script = format!("echo half > half.txt; {}; {WAITS}", half.announce());
    let agent = board.agent("coder", &script).await;
    let task = board.task(json!({ "title": "One" })).await;
    let claimed = board.claim(&task, &agent).await;
    half.announced().await;
    let execution = text(&claimed["execution"]["id"]);
    let path = format!("/executions/{execution}");
    let stopped = board.done(&format!("{path}/stop"), json!({ "reason": "it loops" })).await;
    assert_eq!(stopped["execution"]["outcome"], "stopped");
    let after = &stopped["task"];
    assert_eq!((&after["status"], &after["busy"]), (&json!("in_progress"), &NOTHING));
    assert_eq!(after["error_annotation"]["type"], "stopped");
    assert!(text(&after["error_annotation"]["message"]).contains("it loops"));
    board.quiet(&task).await;
    board.refused(&format!("{path}/stop"), json!({}), 409, "execution_over").await;

    let mode = json!({ "mode": "resume" });
    let details = board.refused(&format!("{path}/restart"), mode, 422, "invalid_field").await;
    assert_eq!(details["path"], "execution", "its program forgets");
    let again = board.done(&format!("{path}/restart"), json!({ "mode": "fresh" })).await;
    half.announced().await;
    assert_ne!(text(&again["execution"]["id"]), execution);
    assert_eq!(again["task"]["error_annotation"], NOTHING);
    assert_eq!(
        (&again["task"]["busy"], &again["task"]["status"]),
        (&json!("running"), &json!("in_progress"))
    );
}

#[tokio::test]
async fn t_22_an_execution_marked_as_failed_is_stopped_and_can_be_restarted() {
    let board = Board::new().await;
    let up = board.meeting("up");
    let agent = board.agent("coder", &format!("{}; {WAITS}", up.announce())).await;
    let task = board.task(json!({ "title": "One" })).await;
    let claimed = board.claim(&task, &agent).await;
    up.announced().await;
    let path = format!("/executions/{}", text(&claimed["execution"]["id"]));
    let failed = board.done(&format!("{path}/mark-failed"), json!({ "reason": "nonsense" })).await;
    assert_eq!(failed["task"]["status"], "blocked");
    assert_eq!(failed["task"]["error_annotation"]["type"], "execution_failed");
    let check = board.read("/agents/check").await;
    assert_eq!(check["failed"][0]["key"], "T-1");
    assert!(text(&check["failed"][0]["evidence"]).contains("nonsense"));
    let again = board.done(&format!("{path}/restart"), json!({})).await;
    up.announced().await;
    assert_eq!(again["task"]["status"], "in_progress");
    let names: Vec<_> = board.items(&format!("/tasks/{task}/actions")).await;
    let stop = names.iter().find(|action| action["name"] == "stop").expect("T-11: it is offered");
    let place = text(&stop["path"]);
    let below = place.strip_prefix("/api/v1").expect("below the API");
    board.done(below, json!({})).await;
}

#[tokio::test]
async fn t_22_the_overview_of_agents_has_evidence_and_age() {
    let board = Board::new().await;
    let up = board.meeting("up");
    let agent = board.agent("coder", &format!("echo hello; {}; {WAITS}", up.announce())).await;
    let works = board.task(json!({ "title": "Works" })).await;
    let claimed = board.claim(&works, &agent).await;
    up.announced().await;
    let bad = board.agent("bad", "exit 3").await;
    let fails = board.task(json!({ "title": "Fails" })).await;
    board.claim(&fails, &bad).await;
    board.reached(&fails, |task| task.annotation.is_some() && !task.is_settling()).await;
    let good = board.agent("good", "echo x > x.txt").await;
    let waits = board.task(json!({ "title": "Waits" })).await;
    board.claim(&waits, &good).await;
    board.reached(&waits, |task| task.review_passed_at.is_some()).await;
    let ended = board.task(json!({ "title": "Ended" })).await;
    board.done(&format!("/tasks/{ended}/claim"), json!({})).await;
    board.done(&format!("/tasks/{ended}/cancel"), json!({})).await;
    let by_hand = board.task(json!({ "title": "By hand" })).await;
    board.done(&format!("/tasks/{by_hand}/claim"), json!({})).await;

    let check = board.read("/agents/check").await;
    let keys = |list: &Value| -> Vec<String> {
        let items = list.as_array().expect("a list");
        items.iter().map(|item| text(&item["key"])).collect()
    };
    assert_eq!(keys(&check["running"]), ["T-1"]);
    assert_eq!(keys(&check["failed"]), ["T-2"]);
    assert_eq!(keys(&check["waiting"]), ["T-3"], "issue 13.19: work that waits for a review");
    assert_eq!(check["abandoned"], json!([]), "not what ended, nor what a person works on");
    assert_eq!(check["stuck"], json!([]));
    let running = &check["running"][0];
    assert_eq!(running["execution_id"], claimed["execution"]["id"]);
    assert_eq!(running["agent_id"], json!(agent));
    assert!(running["age_seconds"].is_u64() && running["since"].is_string());
    assert!(text(&check["failed"][0]["evidence"]).contains("code 3"), "{check}");
    assert!(check["waiting"][0]["worktree"].is_string());
    let next = &check["waiting"][0]["next"][0]["command"];
    assert_eq!(next, "forge task move T-3 merging -p board");
    board.move_to(&waits, "todo").await;
    let check = board.read("/agents/check").await;
    assert_eq!(keys(&check["abandoned"]), ["T-3"], "a workspace that no run is in");
}

#[tokio::test]
async fn t_22_the_pulse_shows_output_and_changes_without_secrets() {
    let settings = json!({ "setup": { "env": { "PASSWORD": "hunter2hunter2" } } });
    let board = Board::with(json!({ "name": "Board", "settings": settings })).await;
    let up = board.meeting("up");
    let script = format!(
        "echo one; echo \"key $PASSWORD\"; printf 'no end'; echo x > new.txt; {}; {WAITS}",
        up.announce()
    );
    let agent = board.agent("coder", &script).await;
    let task = board.task(json!({ "title": "One" })).await;
    let claimed = board.claim(&task, &agent).await;
    up.announced().await;
    let path = format!("/executions/{}", text(&claimed["execution"]["id"]));
    let pulse = board.read(&format!("{path}/pulse")).await;
    assert_eq!(pulse["files"], json!(["new.txt"]));
    assert_eq!(pulse["execution"]["status"], "running");
    assert_eq!((&pulse["stalled_since"], &pulse["current_tool"]), (&NOTHING, &NOTHING));
    // Once the execution has ended, all its output has been read.
    board.done(&format!("{path}/stop"), json!({})).await;
    let pulse = board.read(&format!("{path}/pulse")).await;
    let said = text(&pulse["last_output"]);
    assert!(said.starts_with("one\nkey ") && said.ends_with("no end"), "{said}");
    assert!(!said.contains("hunter2"), "{said}");
    assert!(pulse["last_activity_at"].is_string() && pulse["silent_seconds"].is_u64());
    assert_eq!(pulse["files"], json!([]), "no agent changes them now");
}

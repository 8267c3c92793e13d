//! Verdicts of reviewers (M-3), and decisions of people about attempts (M-4, M-5).

use http::Method;
use serde_json::{Value, json};

use super::board::{Board, text};

/// A call with the token of an execution.
async fn call(board: &Board, token: &str, path: &str, body: Value) -> (u16, Value) {
    let request = board.server.stranger(Method::POST, &format!("/api/v1{path}"));
    let request = request
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json");
    let answer = board.server.send(request, Some(body.to_string())).await;
    (answer.status, answer.json())
}

async fn attempts(board: &Board, task: &str) -> Vec<Value> {
    board.items(&format!("/tasks/{task}/reviews")).await
}

/// A task that a user submitted, with these checks.
async fn handed_in(board: &Board, ci_steps: Value) -> String {
    let asked = json!({ "title": "One", "review_config": { "ci_steps": ci_steps } });
    let task = board.task(asked).await;
    board.done(&format!("/tasks/{task}/claim"), json!({})).await;
    board.move_to(&task, "review").await;
    task
}

#[tokio::test]
async fn m_3_the_last_verdict_call_of_the_reviewer_counts_whatever_it_prints() {
    let board = Board::new().await;
    let place = tempfile::tempdir().expect("a directory");
    let file = place.path().join("token");
    let (said, go) = (board.meeting("said"), board.meeting("go"));
    let script = format!(
        "printf %s \"$FORGE_TOKEN\" > {}; {}; {}; echo '{{\"verdict\":\"pass\"}}'",
        file.display(),
        said.announce(),
        go.wait()
    );
    let reviewer = board.agent("reviewer", &script).await;
    let asked = json!({ "title": "One", "roles": { "reviewer": { "agent_id": reviewer } } });
    let task = board.task(asked).await;
    board.done(&format!("/tasks/{task}/claim"), json!({})).await;
    let version = board.show(&task).await["version"].clone();
    let asked = json!({ "status": "review", "version": version });
    board.done(&format!("/tasks/{task}/transition"), asked).await;
    said.announced().await;
    let token = std::fs::read_to_string(&file).expect("the token");
    let runs = board.items(&format!("/tasks/{task}/executions")).await;
    let judge = runs.iter().find(|run| run["role"] == "reviewer").expect("a judge");
    let other = runs.iter().find(|run| run["role"] == "coder").expect("a coder");
    let path = format!("/executions/{}/verdict", text(&judge["id"]));

    let (status, first) = call(&board, &token, &path, json!({ "verdict": "pass" })).await;
    assert_eq!((status, &first["status"]), (200, &json!("running")), "{first}");
    let (status, refused) = call(&board, &token, &path, json!({ "verdict": "fail" })).await;
    assert_eq!((status, &refused["code"]), (422, &json!("invalid_field")), "say why: {refused}");
    let (status, refused) = call(&board, &token, &path, json!({ "verdict": "maybe" })).await;
    assert_eq!((status, &refused["code"]), (422, &json!("invalid_field")), "{refused}");
    let fail = json!({ "verdict": "fail", "feedback": "no tests" });
    let (status, _) = call(&board, &token, &path, fail.clone()).await;
    assert_eq!(status, 200);
    board.refused(&path, fail.clone(), 403, "forbidden").await;
    let of_coder = format!("/executions/{}/verdict", text(&other["id"]));
    let (status, refused) = call(&board, &token, &of_coder, fail.clone()).await;
    assert_eq!((status, &refused["code"]), (403, &json!("forbidden")), "{refused}");
    let approval = format!("/tasks/{task}/reviews/1/approve");
    let (status, _) = call(&board, &token, &approval, json!({ "reason": "trust me" })).await;
    assert_eq!(status, 403, "that is for people");

    go.go_on().await;
    board.reached(&task, |task| task.feedback.is_some()).await;
    let review = attempts(&board, &task).await.remove(0);
    assert_eq!((&review["verdict"], &review["feedback"]), (&json!("fail"), &json!("no tests")));
    assert_eq!((&review["status"], &review["counted"]), (&json!("failed"), &json!(true)));
    assert_eq!(review["decided"]["by"], json!({ "agent_id": reviewer, "user_id": null }));
    let (status, _) = call(&board, &token, &path, fail).await;
    assert_eq!(status, 401, "the run is over, and its token with it");
}

#[tokio::test]
async fn m_4_a_person_approves_against_the_gate_with_a_reason_and_it_lands() {
    let workflow = json!({ "name": "Board", "settings": { "default_review_config": { "ci_steps": ["false"] } } });
    let board = Board::with(workflow).await;
    let me = board.read("/auth/me").await["user"]["id"].clone();
    let coder = board.agent("coder", "echo done > done.txt").await;
    let task = board.task(json!({ "title": "One" })).await;
    board.claim(&task, &coder).await;
    board.reached(&task, |task| task.attempts == 3 && task.annotation.is_some()).await;
    board.quiet(&task).await;
    let approve = |attempt: u32| format!("/tasks/{task}/reviews/{attempt}/approve");
    board.refused(&approve(3), json!({}), 422, "invalid_field").await;
    let reason = json!({ "reason": "the linter is wrong" });
    let details = board.refused(&approve(2), reason.clone(), 409, "review_over").await;
    assert_eq!(details["attempt"], 2);
    board.refused(&approve(4), reason.clone(), 409, "review_over").await;
    let decided = board.done(&approve(3), reason).await;
    assert_eq!(decided["task"]["status"], "review");
    assert!(decided["task"]["review_passed_at"].is_string());
    let review = &decided["review"];
    assert_eq!((&review["status"], &review["verdict"]), (&json!("passed"), &json!("fail")));
    assert_eq!(review["decided"]["by"], json!({ "agent_id": null, "user_id": me }));
    assert_eq!(review["decided"]["reason"], "the linter is wrong");
    assert_eq!(review["decided"]["overrides"], true);
    let history = board.items(&format!("/tasks/{task}/transitions")).await;
    let last = history.last().expect("a move");
    assert_eq!(last["trigger_reason"], "the linter is wrong", "it is in the audit trail");
    assert_eq!(last["triggered_by"]["id"], me);
    let landed = board.move_to(&task, "merging").await;
    assert_eq!(landed["status"], "done", "{landed}");
    board.refused(&approve(3), json!({ "reason": "again" }), 409, "task_terminal").await;
}

#[tokio::test]
async fn m_4_a_rejection_by_a_person_costs_no_attempt_and_reaches_the_coder() {
    let board = Board::new().await;
    let task = handed_in(&board, json!(["true"])).await;
    let path = format!("/tasks/{task}/reviews/1/reject");
    board.refused(&path, json!({}), 422, "invalid_field").await;
    board.refused(&path, json!({ "reason": " " }), 422, "invalid_field").await;
    let decided = board.done(&path, json!({ "reason": "use the other table" })).await;
    assert_eq!(decided["task"]["status"], "in_progress");
    let history = board.items(&format!("/tasks/{task}/transitions")).await;
    let last = history.last().expect("a move");
    assert_eq!(
        (&last["rejection"], &last["trigger_reason"]),
        (&json!(true), &json!("use the other table"))
    );
    let prompt = board.read(&format!("/tasks/{task}/prompt")).await;
    assert!(text(&prompt["prompt"]).contains("use the other table"), "{prompt}");
    board.refused(&path, json!({ "reason": "twice" }), 409, "review_over").await;
}

#[tokio::test]
async fn m_5_a_review_with_copied_results_names_their_source_and_log() {
    let board = Board::new().await;
    let task = handed_in(&board, json!(["echo what", "echo it said"])).await;
    board.move_to(&task, "in_progress").await;
    board.quiet(&task).await;
    let again = board.move_to(&task, "review").await;
    let [first, second] = attempts(&board, &task).await.try_into().expect("two attempts");
    assert_eq!(again["review"], second);
    assert_eq!((&first["taken_from"], &second["status"]), (&Value::Null, &json!("passed")));
    assert_eq!(second["taken_from"]["review_id"], first["id"]);
    assert_eq!(second["taken_from"]["at"], first["finished_at"], "its age");
    assert_eq!(second["step_results"], first["step_results"]);
    let log = board.read(&format!("/reviews/{}/log", text(&second["id"]))).await;
    assert_eq!((&log["text"], &log["end"]), (&json!("what\nit said\n"), &json!(true)));
    // M-2: the log of one check is a part of the attempt's log.
    let step = &second["step_results"][1];
    assert_eq!((&step["log_from"], &step["log_to"]), (&json!(5), &json!(13)));
    let log = board.read(&format!("/reviews/{}/log?from=5&limit=8", text(&first["id"]))).await;
    assert_eq!(log["text"], "it said\n");
}

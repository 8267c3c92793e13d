//! Clients that do not wait, and clients that disconnect (T-9).

use http::Method;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::board::{Board, WAITS, text};
use super::support::server::TOKEN;

async fn prefer(board: &Board, path: &str, asked: Value) -> (u16, String, Value) {
    let request =
        board.server.request(Method::POST, path).header("prefer", "wait=9, respond-async");
    let answer = board.server.send(request, Some(asked.to_string())).await;
    (answer.status, answer.header("preference-applied").to_owned(), answer.json())
}

#[tokio::test]
async fn t_9_respond_async_answers_at_once_with_the_pending_effect() {
    let board = Board::new().await;
    let go = board.meeting("go");
    let asked = json!({ "title": "One", "review_config": { "ci_steps": [go.wait()] } });
    let task = board.task(asked).await;
    let agent = board.agent("coder", WAITS).await;
    let (status, applied, claimed) =
        prefer(&board, &format!("/tasks/{task}/claim"), json!({ "agent_id": agent })).await;
    assert_eq!((status, applied.as_str()), (202, "respond-async"));
    assert_eq!(claimed["task"]["version"], 2);
    let execution = text(&claimed["execution"]["id"]);
    board.reached(&task, |task| !task.is_settling()).await;
    assert_eq!(board.read(&format!("/executions/{execution}")).await["status"], "running");

    // The checks end only when the test says so, so this answer cannot have waited for them.
    let path = format!("/tasks/{task}/transition");
    let (status, applied, moved) =
        prefer(&board, &path, json!({ "status": "review", "version": 2 })).await;
    assert_eq!((status, applied.as_str()), (202, "respond-async"));
    assert_eq!(moved["task"]["status"], "review");
    assert_eq!(moved["step"]["task_id"], json!(task));
    assert_eq!(moved["step"]["kind"], "stop", "the agent is stopped first");
    go.go_on().await;
    board.reached(&task, |task| task.review_passed_at.is_some()).await;
    let steps = board.items(&format!("/tasks/{task}/effects")).await;
    let step = steps
        .iter()
        .find(|step| step["id"] == moved["step"]["id"])
        .expect("M-1: the step stays visible");
    assert_eq!(step["state"], "done");
    assert!(steps.iter().any(|step| step["kind"] == "run_checks" && step["state"] == "done"));

    let (status, applied, moved) =
        prefer(&board, &path, json!({ "status": "todo", "version": 3 })).await;
    assert_eq!(
        (status, applied.as_str()),
        (200, ""),
        "nothing follows, so there is nothing to wait for"
    );
    assert_eq!(moved["status"], "todo");
}

#[tokio::test]
async fn t_9_a_client_that_disconnects_during_a_gate_changes_nothing() {
    let board = Board::new().await;
    let (begun, go) = (board.meeting("begun"), board.meeting("go"));
    let steps = [begun.announce(), go.wait()];
    let task = board.task(json!({ "title": "One", "review_config": { "ci_steps": steps } })).await;
    board.done(&format!("/tasks/{task}/claim"), json!({})).await;

    let address = board.server.address();
    let body = json!({ "status": "review", "version": 2 }).to_string();
    let request = format!(
        "POST /api/v1/tasks/{task}/transition HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {TOKEN}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut connection = TcpStream::connect(address).await.unwrap();
    connection.write_all(request.as_bytes()).await.unwrap();
    begun.announced().await;
    drop(connection);
    go.go_on().await;
    board.reached(&task, |task| task.review_passed_at.is_some()).await;
    let reviews = board.items(&format!("/tasks/{task}/reviews")).await;
    assert_eq!(reviews.len(), 1, "begun once, ended once");
    assert_eq!(reviews[0]["status"], "passed");
    assert_eq!(board.move_to(&task, "merging").await["status"], "done");
}

#[tokio::test]
async fn t_9_of_two_moves_of_the_same_version_one_succeeds() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "One" })).await;
    board.done(&format!("/tasks/{task}/claim"), json!({})).await;
    let path = format!("/tasks/{task}/transition");
    let asked = || board.server.post(&path, json!({ "status": "review", "version": 2 }));
    let (one, two) = tokio::join!(asked(), asked());
    let mut statuses = [one.0, two.0];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "{one:?} {two:?}");
    assert_eq!(board.items(&format!("/tasks/{task}/reviews")).await.len(), 1);
}

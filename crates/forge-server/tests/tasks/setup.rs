//! The setup of a workspace over HTTP (W-13).

use serde_json::{Value, json};

use super::board::{Board, text};
use super::file_watch::wait_until_file_ends_with;

async fn with(board: &Board, setup: Value) {
    let path = format!("/projects/{}", board.project);
    let version = board.read(&path).await["version"].clone();
    let patch = json!({ "version": version, "settings": { "setup": setup } });
    let (status, answer) = board.server.patch(&path, patch).await;
    assert_eq!(status, 200, "{answer}");
}

#[tokio::test]
async fn w_13_a_setup_is_watched_while_it_runs_and_read_to_its_end() {
    let board = Board::new().await;
    let (said, go) = (board.meeting("said"), board.meeting("go"));
    let command = format!("echo one; {}; {}; echo two", said.announce(), go.wait());
    with(&board, json!({ "commands": [command], "ports": 2 })).await;
    let agent = board.agent("coder", "echo x > x").await;
    let task = board.task(json!({ "title": "One" })).await;
    let path = format!("/tasks/{task}/workspace/setup");
    let none = board.read(&path).await;
    assert_eq!((&none["status"], &none["log"]["text"]), (&json!("not_needed"), &json!("")));
    let (claim_path, claim) = (format!("/tasks/{task}/claim"), json!({ "agent_id": agent }));
    let (claimed, running) = tokio::join!(board.done(&claim_path, claim), async {
        said.announced().await;
        // The command has printed the line; the server may still be copying it into the log.
        let log = board.server.engine().home().log(task.parse().expect("an id"));
        wait_until_file_ends_with(log, "one\n").await;
        let running = board.read(&path).await;
        go.go_on().await;
        running
    });
    assert_eq!((&running["status"], &running["log"]["end"]), (&json!("running"), &json!(false)));
    assert!(text(&running["log"]["text"]).ends_with("one\n"), "{running}");
    assert_eq!(claimed["task"]["error_annotation"], Value::Null);
    let done = board.read(&path).await;
    assert_eq!((&done["status"], &done["log"]["end"]), (&json!("finished"), &json!(true)));
    assert!(text(&done["log"]["text"]).ends_with("one\ntwo\n"), "{done}");
    assert_eq!(done["ports"].as_array().map(Vec::len), Some(2));
    assert!(done["finished_at"].is_string());
    let rest = board.read(&format!("{path}?from={}", done["log"]["next"])).await;
    assert_eq!((&rest["log"]["text"], &rest["log"]["end"]), (&json!(""), &json!(true)));
}

#[tokio::test]
async fn w_13_a_failed_setup_is_the_answer_of_the_claim() {
    let board = Board::new().await;
    with(&board, json!({ "commands": ["echo no luck; exit 7"] })).await;
    let agent = board.agent("coder", "echo x > x").await;
    let task = board.task(json!({ "title": "One" })).await;
    let claimed = board.claim(&task, &agent).await;
    let trouble = &claimed["task"]["error_annotation"];
    assert_eq!(trouble["type"], "setup_failed", "{claimed}");
    assert_eq!(trouble["details"]["output_tail"], "no luck\n");
    let setup = board.read(&format!("/tasks/{task}/workspace/setup")).await;
    assert_eq!(setup["status"], "failed");
}

#[tokio::test]
async fn w_13_a_setup_that_makes_no_sense_is_refused_with_its_place() {
    let board = Board::new().await;
    for (setup, field) in [
        (json!({ "commands": [" "] }), "settings.setup.commands"),
        (json!({ "env": { "PATH": "/" } }), "settings.setup.env"),
        (json!({ "env": { "a b": "x" } }), "settings.setup.env"),
        (json!({ "ports": 21 }), "settings.setup.ports"),
        (json!({ "timeout_seconds": 0 }), "settings.setup.timeout_seconds"),
    ] {
        let asked = json!({ "name": "Other", "settings": { "setup": setup } });
        let refused = board.refused("/projects", asked, 422, "invalid_field").await;
        assert_eq!(refused["path"], field, "{refused}");
    }
    let asked = json!({ "name": "Other", "settings": { "setup": { "command": ["x"] } } });
    let (status, refused) = board.server.post("/projects", asked).await;
    assert!(status >= 400 && refused.to_string().contains("settings.setup.command"), "{refused}");
}

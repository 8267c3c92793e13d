//! Handing a task to the next (T-20).

use serde_json::{Value, json};

use super::board::{Board, WAITS, text};

#[tokio::test]
async fn t_20_the_next_claim_goes_on_in_the_same_place_with_the_note() {
    let board = Board::new().await;
    let (half, told) = (board.meeting("half"), board.meeting("told"));
    let script = format!("echo half > half.txt; {}; {WAITS}", half.announce());
    let first = board.agent("first", &script).await;
    let script =
        format!("cat > \"$HOME/told.txt\"; cp half.txt whole.txt; {}; {WAITS}", told.announce());
    let second = board.agent("second", &script).await;
    let task = board.task(json!({ "title": "One", "metadata": { "mine": 1 } })).await;
    let claimed = board.claim(&task, &first).await;
    half.announced().await;
    let place = board.read(&format!("/tasks/{task}/workspace")).await;

    let note = "parser done; CORS needs somebody with access";
    let given = board.done(&format!("/tasks/{task}/handoff"), json!({ "message": note })).await;
    assert_eq!((&given["status"], &given["busy"]), (&json!("todo"), &Value::Null));
    assert_eq!(given["roles"].get("coder"), None, "nobody carries it");
    let execution = &claimed["execution"]["id"];
    let run = board.read(&format!("/executions/{}", text(execution))).await;
    assert_eq!((&run["status"], &run["outcome"]), (&json!("finished"), &json!("stopped")));
    let kept = &given["metadata"]["handoff"];
    assert_eq!((&kept["branch"], &kept["worktree"]), (&place["branch"], &place["path"]));
    assert_eq!(&kept["last_execution"], execution);
    assert!(kept["at"].is_string());
    assert_eq!(given["metadata"]["mine"], 1, "what clients keep there stays");
    assert_eq!(given["handoffs"][0]["message"], note);
    assert_eq!(given["handoffs"][0]["from"]["agent_id"], json!(first));
    let journal = board.items(&format!("/tasks/{task}/journal")).await;
    assert!(journal.iter().any(|entry| entry["reason"] == "stop"), "{journal:?}");
    let comments = board.items(&format!("/tasks/{task}/comments")).await;
    assert!(text(&comments[0]["body"]).contains(note));

    board.claim(&task, &second).await;
    told.announced().await;
    let again = board.read(&format!("/tasks/{task}/workspace")).await;
    assert_eq!((&again["path"], &again["branch"]), (&place["path"], &place["branch"]));
    let whole = std::path::Path::new(&text(&again["path"])).join("whole.txt");
    assert_eq!(std::fs::read_to_string(whole).expect("it began from the half"), "half\n");
    let prompt = std::fs::read_to_string(board.server.directory().join("told.txt"));
    let prompt = prompt.expect("the second agent was told");
    assert!(prompt.contains(note), "{prompt}");
}

#[tokio::test]
async fn t_20_what_cannot_be_handed_off_is_refused() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "One" })).await;
    let path = format!("/tasks/{task}/handoff");
    let note = json!({ "message": "take it" });
    board.refused(&path, note.clone(), 409, "nothing_to_hand_off").await;
    board.done(&format!("/tasks/{task}/claim"), json!({})).await;
    let details = board.refused(&path, json!({ "message": " " }), 422, "invalid_field").await;
    assert_eq!(details["path"], "message");
    board.refused(&path, json!({ "message": "x", "note": "x" }), 422, "unknown_field").await;
    board.done(&path, note).await;
}

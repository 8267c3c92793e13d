//! Handing off a task (T-20).

use forge_domain::task::{AnnotationType, TaskSnapshot};
use http::Method;
use serde_json::{Value, json};

use super::board::{Board, WAITS, text};

#[tokio::test]
async fn t_20_the_next_claim_continues_in_the_same_worktree_with_the_note() {
    let board = Board::new().await;
    let (half, told) = (board.meeting("half"), board.meeting("told"));
    let script = format!("echo half > half.txt; {}; {WAITS}", half.announce());
    let first = board.agent("first", &script).await;
    let script =
        format!("cat > \"$HOME/told.txt\"; cp half.txt whole.txt; {}; {WAITS}", told.announce());
    let second = board.agent("second", &script).await;
    let task = board
        .task(json!({ "title": "One", "metadata": { "mine": 1, "orchestrator": { "own": 2 } } }))
        .await;
    let claimed = board.claim(&task, &first).await;
    half.announced().await;
    let place = board.read(&format!("/tasks/{task}/workspace")).await;

    let note = "parser done; CORS needs a user with access";
    let given = board.done(&format!("/tasks/{task}/handoff"), json!({ "message": note })).await;
    assert_eq!((&given["status"], &given["busy"]), (&json!("todo"), &Value::Null));
    assert_eq!(given["roles"].get("coder"), None, "the task has no holder");
    let execution = &claimed["execution"]["id"];
    let run = board.read(&format!("/executions/{}", text(execution))).await;
    assert_eq!((&run["status"], &run["outcome"]), (&json!("finished"), &json!("stopped")));
    let kept = &given["metadata"]["handoff"];
    assert_eq!((&kept["branch"], &kept["worktree"]), (&place["branch"], &place["path"]));
    assert_eq!(&kept["last_execution"], execution);
    assert!(kept["at"].is_string());
    let seed = json!({
        "own": 2,
        "handoffBranch": kept["branch"],
        "handoffWorktree": kept["worktree"],
        "lastSessionId": kept["last_execution"],
        "handoffAt": kept["at"],
    });
    assert_eq!(given["metadata"]["orchestrator"], seed, "the same under the seed's keys");
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
async fn t_20_invalid_handoffs_are_refused() {
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

fn carrier(task: &TaskSnapshot) -> Option<forge_domain::AgentId> {
    task.run.as_ref().and_then(|run| run.assignee.agent())
}

/// Before the fix this repeated without end: 71 handoffs in 5 seconds.
#[tokio::test]
async fn issue_13_15_dispatch_parks_a_task_that_every_agent_handed_off() {
    let dispatch = json!({ "enabled": true });
    let asked = json!({ "name": "Board", "settings": { "dispatch": dispatch } });
    let board = Board::with(asked).await;
    let (ada_said, ben_said) = (board.meeting("ada-said"), board.meeting("ben-said"));
    let script =
        |said: &str| format!("printf %s \"$FORGE_TOKEN\" > \"$HOME/token\"; {said}; {WAITS}");
    let ada = board.agent("ada", &script(&ada_said.announce())).await;
    let ben = board.agent("ben", &script(&ben_said.announce())).await;
    let task = board.task(json!({ "title": "Hard" })).await;
    let path = format!("/tasks/{task}/handoff");
    for (said, agent, note) in [(&ada_said, &ada, "no access"), (&ben_said, &ben, "no idea")] {
        said.announced().await;
        let begun = board.reached(&task, |task| carrier(task).is_some()).await;
        assert_eq!(carrier(&begun).map(|id| id.to_string()).as_ref(), Some(agent));
        let token = std::fs::read_to_string(board.server.directory().join("token"));
        let request = board.server.stranger(Method::POST, &format!("/api/v1{path}"));
        let request = request
            .header("authorization", format!("Bearer {}", token.expect("the token")))
            .header("content-type", "application/json");
        let body = json!({ "message": note }).to_string();
        let answer = board.server.send(request, Some(body)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    let parked = |task: &TaskSnapshot| {
        task.annotation.as_ref().is_some_and(|found| found.kind == AnnotationType::HandedOff)
    };
    board.reached(&task, parked).await;
    let shown = board.show(&task).await;
    assert_eq!((&shown["status"], &shown["roles"]), (&json!("blocked"), &json!({})));
    let annotation = &shown["error_annotation"];
    assert_eq!(annotation["type"], "handed_off");
    assert!(text(&annotation["message"]).contains("handed it off"), "{annotation}");
    let said: Vec<_> = ["no access", "no idea"].map(|note| json!(note)).to_vec();
    let notes = annotation["details"]["notes"].as_array().expect("notes").iter();
    assert_eq!(notes.map(|note| note["message"].clone()).collect::<Vec<_>>(), said);
    assert_eq!(shown["handoffs"].as_array().map(Vec::len), Some(2));
    let runs = board.items(&format!("/tasks/{task}/executions")).await;
    assert_eq!(runs.len(), 2, "each agent had it once: {runs:?}");
}

/// The first agent cannot end before the claim arrives.
#[tokio::test]
async fn issue_13_15_a_claim_right_after_a_handoff_waits_for_the_end_of_the_execution() {
    let board = Board::new().await;
    let (begun, ends) = (board.meeting("begun"), board.meeting("ends"));
    let (wait, announce) = (ends.wait(), begun.announce());
    let script = format!("trap \"{wait}; exit\" TERM; {announce}; tail -f /dev/null & wait");
    let first = board.agent("first", &script).await;
    let second = board.agent("second", WAITS).await;
    let task = board.task(json!({ "title": "One" })).await;
    board.claim(&task, &first).await;
    begun.announced().await;
    let note = forge_domain::TaskCommand::HandOff { message: "half done".to_owned() };
    let person = forge_domain::Actor::system("tests");
    let handed =
        board.server.engine().commands().handle(person, task.parse().expect("an id"), note).await;
    assert!(handed.expect("it is handed off").is_ending());
    let path = format!("/tasks/{task}/claim");
    let claim = board.server.post(&path, json!({ "agent_id": second }));
    let ((status, claimed), ()) = tokio::join!(claim, ends.go_on());
    assert_eq!(status, 200, "{claimed}");
    assert_eq!(claimed["task"]["roles"]["coder"]["agent_id"], json!(second));
    board.done(&format!("/tasks/{task}/cancel"), json!({})).await;
}

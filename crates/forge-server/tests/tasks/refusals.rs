//! Every refusal of a task request, over HTTP (T-4, T-8).

use serde_json::json;

use super::board::{Board, WAITS, text};

#[tokio::test]
async fn t_4_a_paused_agent_claims_nothing() {
    let board = Board::new().await;
    let agent = board.agent("coder", WAITS).await;
    let task = board.task(json!({ "title": "One" })).await;
    board.done(&format!("/agents/{agent}/pause"), json!({})).await;
    let (path, claim) = (format!("/tasks/{task}/claim"), json!({ "agent_id": agent }));
    board.refused(&path, claim.clone(), 409, "agent_paused").await;
    assert_eq!(board.show(&task).await["version"], 1, "nothing changed");
    board.done(&format!("/agents/{agent}/resume"), json!({})).await;
    board.done(&path, claim).await;
}

#[tokio::test]
async fn t_4_a_paused_project_refuses_agents_but_not_people() {
    let board = Board::new().await;
    let agent = board.agent("coder", WAITS).await;
    let task = board.task(json!({ "title": "One" })).await;
    board.done(&format!("/projects/{}/pause", board.project), json!({})).await;
    let path = format!("/tasks/{task}/claim");
    board.refused(&path, json!({ "agent_id": agent }), 409, "project_paused").await;
    board.done(&path, json!({ "agent_id": null })).await;
}

#[tokio::test]
async fn t_4_an_unfinished_dependency_blocks_all_claims_but_those_of_its_holder() {
    let board = Board::new().await;
    let agent = board.agent("coder", WAITS).await;
    let stranger = board.agent("stranger", WAITS).await;
    let first = board.task(json!({ "title": "First" })).await;
    let second = board.task(json!({ "title": "Second", "dependencies": [first] })).await;
    let path = format!("/tasks/{second}/claim");
    let details = board.refused(&path, json!({ "agent_id": agent }), 409, "dependency_gate").await;
    assert_eq!(details["unfinished"], json!(["T-1"]));
    board.claim(&first, &agent).await;
    board.move_to(&first, "review").await;
    // T-5: submitted but not landed: only the agent that submitted it may claim.
    board.refused(&path, json!({ "agent_id": stranger }), 409, "dependency_gate").await;
    board.done(&path, json!({ "agent_id": agent })).await;
}

#[tokio::test]
async fn t_8_a_stale_version_is_refused_with_both_versions() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "One" })).await;
    let path = format!("/tasks/{task}/transition");
    let details = board
        .refused(&path, json!({ "status": "todo", "version": 7 }), 409, "version_conflict")
        .await;
    assert_eq!(details, json!({ "expected": 7, "actual": 1 }));
    let huge = json!({ "status": "todo", "version": u64::MAX });
    board.refused(&path, huge, 409, "version_conflict").await;
    let moved = board.done(&path, json!({ "status": "todo", "version": 1 })).await;
    assert_eq!((&moved["status"], &moved["version"]), (&json!("todo"), &json!(2)));
    assert_eq!(moved["id"], json!(task), "an ordinary move answers the task itself");
}

#[tokio::test]
async fn t_8_a_move_without_an_edge_lists_the_allowed_moves() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "One" })).await;
    let path = format!("/tasks/{task}/transition");
    for status in ["done", "no such state", "", "-x", "../todo", "todo\u{0}"] {
        let asked = json!({ "status": status, "version": 1 });
        let details = board.refused(&path, asked, 422, "invalid_transition").await;
        assert_eq!(details["allowed"], json!(["todo", "blocked", "cancelled"]), "{status:?}");
    }
    assert_eq!(board.show(&task).await["version"], 1);
}

#[tokio::test]
async fn t_4_a_task_is_claimed_once_and_only_from_a_queue() {
    let board = Board::new().await;
    let agent = board.agent("coder", WAITS).await;
    let task = board.task(json!({ "title": "One" })).await;
    let (path, claim) = (format!("/tasks/{task}/claim"), json!({ "agent_id": agent }));
    board.done(&path, claim.clone()).await;
    board.refused(&path, claim.clone(), 409, "already_claimed").await;
    board.refused(&path, json!({}), 409, "already_claimed").await;
    board.done(&format!("/tasks/{task}/cancel"), json!({})).await;
    let details = board.refused(&path, claim, 409, "not_claimable").await;
    assert_eq!(details, json!({ "state": "cancelled", "claimable_states": ["todo"] }));
}

#[tokio::test]
async fn t_4_an_agent_claims_no_more_than_its_limit() {
    let board = Board::new().await;
    let agent = board.agent_with("coder", WAITS, 1).await;
    let one = board.task(json!({ "title": "One" })).await;
    let two = board.task(json!({ "title": "Two" })).await;
    board.claim(&one, &agent).await;
    let path = format!("/tasks/{two}/claim");
    let details =
        board.refused(&path, json!({ "agent_id": agent }), 409, "agent_at_capacity").await;
    assert_eq!(details, json!({ "running": 1, "max_concurrent": 1 }));
    board.done(&format!("/tasks/{one}/cancel"), json!({})).await;
    board.done(&path, json!({ "agent_id": agent })).await;
}

#[tokio::test]
async fn m_3_a_gate_that_waits_for_its_reviewer_cannot_be_passed_by_another() {
    let board = Board::new().await;
    let user = json!({ "name": "rita", "password": "a long enough password" });
    let reviewer = text(&board.created("/users", user).await["id"]);
    let task = board
        .task(json!({ "title": "One", "roles": { "reviewer": { "user_id": reviewer } } }))
        .await;
    board.done(&format!("/tasks/{task}/claim"), json!({})).await;
    let entered = board.move_to(&task, "review").await;
    assert_eq!(
        entered["review"]["status"], "running",
        "the checks have run, the verdict is waited for"
    );
    let asked = json!({ "status": "merging", "version": entered["task"]["version"] });
    let path = format!("/tasks/{task}/transition");
    let details = board.refused(&path, asked, 409, "review_not_passed").await;
    assert_eq!(details["gate"], "review");
    assert_eq!(board.show(&task).await["status"], "review");
}

#[tokio::test]
async fn t_16_a_cycle_is_reported_and_a_task_of_another_project_refused() {
    let board = Board::new().await;
    let one = board.task(json!({ "title": "One" })).await;
    let two = board.task(json!({ "title": "Two", "dependencies": [one] })).await;
    let three = board.task(json!({ "title": "Three", "dependencies": [two] })).await;
    let path = format!("/tasks/{one}/dependencies");
    let details =
        board.refused(&path, json!({ "depends_on_id": three }), 409, "dependency_cycle").await;
    assert_eq!(details["cycle"], json!(["T-1", "T-3", "T-2", "T-1"]));
    board.refused(&path, json!({ "depends_on_id": one }), 409, "dependency_cycle").await;
    let elsewhere = board.other_project("Elsewhere").await;
    let foreign =
        board.created(&format!("/projects/{elsewhere}/tasks"), json!({ "title": "Far" })).await;
    let asked = json!({ "depends_on_id": foreign["id"] });
    board.refused(&path, asked, 422, "dependency_scope").await;
    let child = board.task(json!({ "title": "Child", "parent": one })).await;
    board.refused(&path, json!({ "depends_on_id": child }), 422, "dependency_scope").await;
    assert!(board.items(&path).await.is_empty(), "nothing changed");
}

#[tokio::test]
async fn t_3_a_task_without_a_repository_cannot_be_claimed() {
    let board = Board::new().await;
    let bare = board.other_project("Bare").await;
    let task = board.created(&format!("/projects/{bare}/tasks"), json!({ "title": "One" })).await;
    let path = format!("/tasks/{}/claim", text(&task["id"]));
    board.refused(&path, json!({}), 409, "no_repository").await;
    let path = format!("/tasks/{}/transition", text(&task["id"]));
    board.done(&path, json!({ "status": "todo", "version": 1 })).await;
    board
        .refused(&path, json!({ "status": "blocked", "version": 1 }), 409, "version_conflict")
        .await;
}

#[tokio::test]
async fn issue_13_21_a_transition_without_a_version_makes_no_conflict_check() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "One" })).await;
    let path = format!("/tasks/{task}/transition");
    let moved = board.done(&path, json!({ "status": "todo" })).await;
    assert_eq!(moved["status"], "todo");
    board
        .refused(&path, json!({ "status": "backlog", "version": 1 }), 409, "version_conflict")
        .await;
    let moved = board.done(&path, json!({ "status": "backlog", "version": null })).await;
    assert_eq!(moved["status"], "backlog");
}

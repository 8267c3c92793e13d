//! The overview of all projects over HTTP (S-4).

use serde_json::{Value, json};

use super::board::{Board, WAITS, text};
use super::support::TestUser;

fn keys(group: &Value) -> Vec<String> {
    group["tasks"].as_array().expect("tasks").iter().map(|task| text(&task["key"])).collect()
}

#[tokio::test]
async fn s_4_the_status_shows_what_needs_the_user_works_is_queued_and_landed() {
    let board = Board::new().await;
    let coder = board.agent("coder", "echo x > \"$FORGE_TASK_ID\"").await;
    let slow = board.agent("slow", WAITS).await;
    let landed = board.task(json!({ "title": "Landed" })).await;
    board.claim(&landed, &coder).await;
    board.reached(&landed, |task| task.review_passed_at.is_some() && !task.is_settling()).await;
    board.move_to(&landed, "merging").await;
    board.reached(&landed, |task| task.post_landing.landed.is_some()).await;
    let passed = board.task(json!({ "title": "Passed" })).await;
    board.claim(&passed, &coder).await;
    board.reached(&passed, |task| task.review_passed_at.is_some() && !task.is_settling()).await;
    let running = board.task(json!({ "title": "Running" })).await;
    board.claim(&running, &slow).await;
    let queued = board.task(json!({ "title": "Queued" })).await;
    board.move_to(&queued, "todo").await;
    board.task(json!({ "title": "Later" })).await;

    let found = board.read("/status").await;
    assert_eq!(keys(&found["needs_person"]), ["T-2"], "{found}");
    assert_eq!(keys(&found["working"]), ["T-3"], "{found}");
    assert_eq!(keys(&found["queued"]), ["T-4"], "{found}");
    assert_eq!(keys(&found["landed"]), ["T-1"], "{found}");
    assert_eq!(found["backlog"], 1, "{found}");
    let waiting = &found["needs_person"]["tasks"][0];
    assert_eq!(
        (&waiting["holder"], &waiting["reason"]),
        (&json!("coder"), &json!("review_passed"))
    );
    assert_eq!(waiting["next"][0]["command"], "forge task move T-2 merging -p board");
    let working = &found["working"]["tasks"][0];
    assert_eq!((&working["holder"], &working["reason"]), (&json!("slow"), &Value::Null));
    assert_eq!(working["next"][0]["command"], "forge task log T-3 -f -p board");
    let (status, refused) = board.server.get("/status?limit=0").await;
    assert_eq!((status, &refused["code"]), (400, &json!("invalid_query")), "{refused}");

    let mia = TestUser::new(&board.server, "mia").await;
    let none = mia.get("/status").await.json().clone();
    for group in ["needs_person", "working", "queued", "landed"] {
        assert_eq!(none[group]["count"], 0, "{none}");
    }
    mia.join(&board.project).await;
    assert_eq!(keys(&mia.get("/status").await.json()["working"]), ["T-3"]);
}

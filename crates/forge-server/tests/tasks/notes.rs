//! Tests of comments (T-21).

use serde_json::{Value, json};

use super::board::{Board, text};

#[tokio::test]
async fn t_21_comments_are_threaded_and_paged() {
    let board = Board::new().await;
    let me = board.read("/auth/me").await["user"]["id"].clone();
    let task = board.task(json!({ "title": "One" })).await;
    let path = format!("/tasks/{task}/comments");
    let first = board.created(&path, json!({ "body": "**first**\u{0} <script>" })).await;
    assert_eq!(first["author"]["id"], me);
    assert_eq!(
        first["body"], "**first**\u{0} <script>",
        "as written; showing it safely is the reader's part"
    );
    let answer = board.created(&path, json!({ "body": "second", "parent_id": first["id"] })).await;
    assert_eq!(answer["parent_id"], first["id"]);
    let same = board.created(&path, json!({ "body": "second" })).await;
    assert_ne!(same["id"], answer["id"]);
    assert_eq!(board.show(&task).await["version"], 1, "a comment does not change the version");
    let page = board.read(&format!("{path}?limit=2")).await;
    assert_eq!(page["items"], json!([first, answer]));
    let rest = board.read(&format!("{path}?cursor={}", text(&page["next_cursor"]))).await;
    assert_eq!(rest["items"], json!([same]));
    assert_eq!(rest["next_cursor"], Value::Null);
}

#[tokio::test]
async fn t_21_a_comment_needs_text_and_answers_one_of_its_own_task() {
    let board = Board::new().await;
    let (one, two) =
        (board.task(json!({ "title": "One" })).await, board.task(json!({ "title": "Two" })).await);
    let path = format!("/tasks/{one}/comments");
    let foreign =
        board.created(&format!("/tasks/{two}/comments"), json!({ "body": "there" })).await;
    for parent in [foreign["id"].clone(), json!("01900000-0000-7000-8000-000000000000")] {
        let asked = json!({ "body": "here", "parent_id": parent });
        let details = board.refused(&path, asked, 422, "invalid_field").await;
        assert_eq!(details["path"], "parent_id");
    }
    for body in ["", " \n"] {
        let details = board.refused(&path, json!({ "body": body }), 422, "invalid_field").await;
        assert_eq!(details["path"], "body");
    }
    board.refused(&path, json!({ "body": "x".repeat(100_001) }), 422, "invalid_field").await;
    assert!(board.items(&path).await.is_empty());
}

//! The fields of a task, at creation and later (T-1).

use serde_json::{Value, json};

use super::board::{Board, text};

#[tokio::test]
async fn t_1_every_field_is_returned_unchanged() {
    let board = Board::new().await;
    let me = board.read("/auth/me").await["user"]["id"].clone();
    let parent = board.task(json!({ "title": "Parent" })).await;
    let first = board.task(json!({ "title": "First" })).await;
    let given = json!({
        "title": "Größe → 🦀",
        "description": "line one\nline two",
        "priority": -3,
        "labels": ["b", "a", "b"],
        "review_config": {
            "ci_steps": ["true"], "review_prompt": "Is it good?", "setup_steps": [":"], "timeout_seconds": 60,
            "allow_no_changes": true
        },
        "merge_config": { "target_branch": "main", "strategy": "merge" },
        "roles": { "reviewer": { "user_id": me } },
        "dependencies": [first],
        "parent": parent,
        "kind": "task",
        "metadata": { "ticket": { "nested": [1, null] } }
    });
    let task = board.task(given.clone()).await;
    let found = board.show(&task).await;
    for field in [
        "title",
        "description",
        "priority",
        "review_config",
        "merge_config",
        "dependencies",
        "parent",
    ] {
        assert_eq!(found[field], given[field], "{field}");
    }
    assert_eq!(found["labels"], json!(["a", "b"]));
    assert_eq!(found["roles"], json!({ "reviewer": { "agent_id": null, "user_id": me } }));
    assert_eq!(found["metadata"], given["metadata"]);
    assert_eq!((&found["number"], &found["key"]), (&json!(3), &json!("T-3")));
    for field in ["error_annotation", "review_passed_at", "archived_at", "busy"] {
        assert_eq!(found.get(field), Some(&Value::Null), "{field}");
    }
}

#[tokio::test]
async fn t_1_the_projects_review_config_is_the_fallback() {
    let default = json!({ "ci_steps": ["make test"], "review_prompt": null, "setup_steps": [], "timeout_seconds": 9, "allow_no_changes": false });
    let settings = json!({ "default_review_config": default });
    let board = Board::with(json!({ "name": "Board", "settings": settings })).await;
    let task = board.task(json!({ "title": "One" })).await;
    assert_eq!(board.show(&task).await["review_config"], default);
    let path = format!("/tasks/{task}");
    let own = json!({ "version": 1, "review_config": { "ci_steps": ["true"] } });
    let (_, changed) = board.server.patch(&path, own).await;
    assert_eq!(changed["review_config"]["ci_steps"], json!(["true"]));
    let (status, reset) =
        board.server.patch(&path, json!({ "version": 2, "review_config": null })).await;
    assert_eq!(status, 200, "{reset}");
    assert_eq!(reset["review_config"], default);
}

#[tokio::test]
async fn t_1_a_patch_changes_what_it_names_and_nothing_else() {
    let board = Board::new().await;
    let given =
        json!({ "title": "Old", "description": "long", "labels": ["a"], "metadata": { "a": 1 } });
    let task = board.task(given).await;
    let before = board.show(&task).await;
    let path = format!("/tasks/{task}");
    let patch =
        json!({ "version": 1, "title": "New", "description": null, "metadata": { "b": 2 } });
    let (status, after) = board.server.patch(&path, patch).await;
    assert_eq!(status, 200, "{after}");
    assert_eq!((&after["title"], &after["description"]), (&json!("New"), &json!("")));
    assert_eq!(after["metadata"], json!({ "b": 2 }));
    for field in ["labels", "priority", "status", "review_config", "merge_config"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(after["version"], 2);
    let (status, stale) = board.server.patch(&path, json!({ "version": 1, "title": "Lost" })).await;
    assert_eq!((status, &stale["code"]), (409, &json!("version_conflict")));
    assert_eq!(stale["details"], json!({ "expected": 1, "actual": 2 }));
    assert_eq!(text(&board.show(&task).await["title"]), "New");
    let (status, same) = board.server.patch(&path, json!({ "version": 2 })).await;
    assert_eq!((status, &same["version"]), (200, &json!(2)), "nothing to change changes nothing");
}

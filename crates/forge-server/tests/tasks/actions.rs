//! The actions on a task (T-11).

use http::Method;
use serde_json::{Value, json};

use super::board::{Board, text};

fn find<'a>(actions: &'a [Value], name: &str, target: Option<&str>) -> &'a Value {
    let wanted = target.map_or(Value::Null, |target| json!(target));
    let found = actions.iter().find(|action| action["name"] == name && action["target"] == wanted);
    found.unwrap_or_else(|| panic!("{name} {target:?} among {actions:?}"))
}

fn names(actions: &[Value]) -> Vec<String> {
    let name = |action: &Value| match &action["target"] {
        Value::String(target) => format!("{} {target}", text(&action["name"])),
        _ => text(&action["name"]),
    };
    let mut names: Vec<_> = actions.iter().map(name).collect();
    names.dedup();
    names
}

#[tokio::test]
async fn t_11_each_action_is_a_request_that_works() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "One" })).await;
    let path = format!("/tasks/{task}/actions");
    let actions = board.items(&path).await;
    let expected = [
        "claim",
        "transition todo",
        "transition blocked",
        "cancel",
        "assign",
        "add_dependency",
        "comment",
        "edit",
        "archive",
    ];
    assert_eq!(names(&actions), expected);
    for action in &actions {
        let place = text(&action["path"]);
        assert!(place.starts_with(&format!("/api/v1/tasks/{task}")), "{action}");
        assert!(["POST", "PATCH"].contains(&text(&action["method"]).as_str()), "{action}");
        assert!(!text(&action["label"]).is_empty());
    }
    let queue = find(&actions, "transition", Some("todo"));
    let status = &queue["parameters"][0];
    assert_eq!(
        status,
        &json!({ "name": "status", "kind": "choice", "required": true, "choices": ["todo"] })
    );
    let below = text(&queue["path"]);
    let below = below.strip_prefix("/api/v1").expect("below the API");
    board.done(below, json!({ "status": "todo", "version": 1 })).await;
    assert_eq!(find(&actions, "claim", None)["parameters"][0]["kind"], "agent");

    board.done(&format!("/tasks/{task}/cancel"), json!({})).await;
    assert_eq!(
        names(&board.items(&path).await),
        ["comment", "edit", "archive"],
        "the end leaves little to do"
    );
    board.done(&format!("/tasks/{task}/archive"), json!({})).await;
    find(&board.items(&path).await, "unarchive", None);
}

#[tokio::test]
async fn t_11_a_read_only_token_has_no_actions() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "One" })).await;
    let made = board.created("/tokens", json!({ "name": "reader", "scope": "read_only" })).await;
    let bearer = format!("Bearer {}", text(&made["secret"]));
    let path = format!("/api/v1/tasks/{task}");
    let request =
        |method, path: &str| board.server.stranger(method, path).header("authorization", &bearer);
    let answer =
        board.server.send(request(Method::GET, &format!("{path}/actions")), None::<String>).await;
    assert_eq!(answer.json()["items"], json!([]));
    let cancel = request(Method::POST, &format!("{path}/cancel"));
    board.server.send(cancel, None::<String>).await.failed_with(403, "forbidden");
    assert_eq!(board.show(&task).await["status"], "backlog");
}

//! Rebases, and everything after a landing, over HTTP (M-9, M-10, T-11).

use serde_json::{Value, json};

use super::board::{Board, text};

const RESOLVES: &str = "if grep -q '^<<<<<<<' shared 2>/dev/null; then echo both > shared; \
    elif [ ! -e shared ]; then echo mine > shared; fi";

async fn offered(board: &Board, task: &str) -> Vec<String> {
    let actions = board.items(&format!("/tasks/{task}/actions")).await;
    actions.iter().map(|action| text(&action["name"])).collect()
}

async fn moved(board: &Board, task: &str, to: &str) -> Value {
    let version = board.read(&format!("/tasks/{task}")).await["version"].clone();
    let asked = json!({ "status": to, "version": version });
    let answer = board.done(&format!("/tasks/{task}/transition"), asked).await;
    if answer.get("task").is_some() { answer["task"].clone() } else { answer }
}

async fn reviewed(board: &Board, title: &str, script: &str) -> String {
    let agent = board.agent(title, script).await;
    let task = board.task(json!({ "title": title })).await;
    board.claim(&task, &agent).await;
    board.reached(&task, |task| task.state.as_str() == "review" && !task.is_executing()).await;
    task
}

#[tokio::test]
async fn m_9_m_10_t_11_a_branch_is_rebased_landed_and_reverted() {
    let board = Board::new().await;
    let task = reviewed(&board, "One", RESOLVES).await;
    let path = |part: &str| format!("/tasks/{task}/{part}");
    let names = offered(&board, &task).await;
    for name in ["approve", "reject", "rebase"] {
        assert!(names.iter().any(|offered| offered == name), "{name}: {names:?}");
    }
    assert!(!names.iter().any(|offered| offered == "revert"), "{names:?}");
    let details = board.refused(&path("rebase"), json!({}), 409, "up_to_date").await;
    assert_eq!(details["target"], "main");
    board.refused(&path("revert"), json!({}), 409, "not_landed").await;
    board.refused(&path("regressed"), json!({ "reason": "x" }), 409, "not_landed").await;

    board.repository.write("shared", "theirs\n");
    board.repository.git(&["add", "."]).await;
    board.repository.commit("theirs").await;
    let failed = moved(&board, &task, "merging").await;
    assert_eq!(failed["status"], "merge_failed");
    assert_eq!(failed["error_annotation"]["details"]["files"], json!(["shared"]));
    let said = &failed["cleanup"];
    assert_eq!((&said["worktree"], &said["branch"]), (&json!(true), &json!(false)), "{failed}");

    board.refused(&path("rebase"), json!({ "mesage": "x" }), 422, "unknown_field").await;
    let rebased = board.done(&path("rebase"), json!({ "message": "keep both" })).await;
    assert_eq!(rebased["rebase"]["outcome"], "conflict", "{rebased}");
    assert_eq!(rebased["rebase"]["files"], json!(["shared"]));
    board.reached(&task, |task| task.state.as_str() == "review" && !task.is_executing()).await;
    let landed = moved(&board, &task, "merging").await;
    assert_eq!(
        (&landed["status"], &landed["landing"]["outcome"]),
        (&json!("done"), &json!("merged"))
    );
    assert_eq!(landed["landing"]["target"], "main");
    let said = &landed["cleanup"];
    assert_eq!(
        (&said["worktree"], &said["branch"], &said["record"]),
        (&json!(true), &json!(true), &json!(true))
    );
    assert_eq!(said["warnings"], json!([]));

    let names = offered(&board, &task).await;
    for name in ["revert", "regressed"] {
        assert!(names.iter().any(|offered| offered == name), "{name}: {names:?}");
    }
    let (status, made) = board.server.post(&path("revert"), json!({})).await;
    assert_eq!((status, &made["made"]), (201, &json!(true)), "{made}");
    let (status, again) = board.server.post(&path("revert"), json!({})).await;
    assert_eq!((status, &again["made"]), (200, &json!(false)));
    assert_eq!(made["task"]["id"], again["task"]["id"]);
    assert_eq!(made["task"]["title"], "Revert \"One\"");
    assert_eq!(made["task"]["origin"], json!({ "kind": "revert", "task_id": task }));
    let revert = text(&made["task"]["id"]);
    assert_eq!(board.read(&format!("/tasks/{task}")).await["reverted_by"], made["task"]["id"]);
    board.reached(&revert, |task| !task.is_executing()).await;
    let back = moved(&board, &revert, "merging").await;
    assert_eq!(back["status"], "done", "{back}");
    assert_eq!(board.repository.git(&["show", "main:shared"]).await, "theirs");

    board.refused(&path("regressed"), json!({ "reason": " " }), 422, "invalid_field").await;
    let (status, fix) = board.server.post(&path("regressed"), json!({ "reason": "slow" })).await;
    assert_eq!((status, &fix["task"]["status"]), (201, &json!("todo")), "{fix}");
    let told = board.read(&format!("/tasks/{task}")).await;
    assert_eq!(told["error_annotation"]["type"], "regressed");
    assert_eq!(told["regression"]["fix_id"], fix["task"]["id"]);
}

#[tokio::test]
async fn m_10_empty_and_cancelled_tasks_report_their_cleanup() {
    let settings = json!({ "name": "Board", "workflow": "no-review" });
    let board = Board::with(settings).await;
    let agent = board.agent("idle", "git commit -q --allow-empty -m nothing || true").await;
    let task = board.task(json!({ "title": "One" })).await;
    board.claim(&task, &agent).await;
    board.reached(&task, |task| task.state.as_str() == "done" && !task.is_executing()).await;
    let done = board.read(&format!("/tasks/{task}")).await;
    assert_eq!(done["landing"]["outcome"], "nothing_to_merge", "{done}");
    assert_eq!(
        (&done["landing"]["commit"], &done["cleanup"]["worktree"]),
        (&Value::Null, &json!(true))
    );
    let off = board.task(json!({ "title": "Two" })).await;
    board.done(&format!("/tasks/{off}/claim"), json!({})).await;
    let off_now = board.done(&format!("/tasks/{off}/cancel"), json!({})).await;
    assert_eq!(
        (&off_now["landing"], &off_now["cleanup"]),
        (&Value::Null, &Value::Null),
        "it goes later"
    );
    board.done(&format!("/tasks/{off}/workspace/clean"), json!({})).await;
    board.reached(&off, |task| task.post_landing.cleaned.is_some()).await;
    let cleaned = board.read(&format!("/tasks/{off}")).await;
    assert_eq!(
        (&cleaned["cleanup"]["worktree"], &cleaned["cleanup"]["branch"]),
        (&json!(true), &json!(false))
    );
}

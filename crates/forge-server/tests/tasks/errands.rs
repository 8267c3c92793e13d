//! The scope of an execution's token (E-3): its own task while the execution runs, and nothing of other tasks.

use forge_server::openapi::openapi_json;
use http::Method;
use serde_json::{Value, json};

use super::board::{Board, text};

struct Errand {
    board: Board,
    token: String,
}

impl Errand {
    async fn call(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        let method: Method = method.to_uppercase().parse().expect("a method");
        let request = self.board.server.stranger(method, &format!("/api/v1{path}"));
        let request = request
            .header("authorization", format!("Bearer {}", self.token))
            .header("content-type", "application/json");
        let answer = self.board.server.send(request, body.map(|body| body.to_string())).await;
        (answer.status, answer.json())
    }
}

/// The path with the ids of another task's rows.
fn filled(path: &str, board: &Board, other: &Other) -> String {
    let mut filled = String::new();
    let mut before = "";
    for part in path.split('/').skip(1) {
        filled.push('/');
        filled.push_str(match (before, part) {
            ("projects" | "demo", "{id}" | "{project_id}") => &board.project,
            ("tasks", "{id}") | ("dependencies", "{other}") => &other.task,
            ("executions", "{id}") => &other.execution,
            ("reviews", "{id}") => &other.review,
            (_, "{number}") => "1",
            (_, "{role}") => "coder",
            (_, part) if part.starts_with('{') => &other.task,
            (_, part) => part,
        });
        before = part;
    }
    filled
}

struct Other {
    task: String,
    execution: String,
    review: String,
}

#[tokio::test]
async fn e_3_an_execution_token_allows_only_its_own_task_until_the_execution_ends() {
    let board = Board::new().await;
    let coder = board.agent("coder", "echo done > done.txt").await;
    let task = board.task(json!({ "title": "Another" })).await;
    board.claim(&task, &coder).await;
    board.reached(&task, |task| task.attempts == 1 && !task.is_settling()).await;
    board.quiet(&task).await;
    let execution = text(&board.items(&format!("/tasks/{task}/executions")).await[0]["id"]);
    let review = text(&board.items(&format!("/tasks/{task}/reviews")).await[0]["id"]);
    let other = Other { task, execution, review };

    let place = tempfile::tempdir().expect("a directory");
    let file = place.path().join("token");
    let (said, go) = (board.meeting("said"), board.meeting("go"));
    let script = format!(
        "printf %s \"$FORGE_TOKEN\" > {}; echo \"token: $FORGE_TOKEN\"; {}; {}",
        file.display(),
        said.announce(),
        go.wait()
    );
    let agent = board.agent("errand", &script).await;
    let own = board.task(json!({ "title": "Own" })).await;
    let claimed = board.claim(&own, &agent).await;
    let execution = text(&claimed["execution"]["id"]);
    said.announced().await;
    let token = std::fs::read_to_string(&file).expect("the token");
    assert!(token.starts_with("fg_"), "{token}");
    let errand = Errand { board, token };

    let document: Value = serde_json::from_str(&openapi_json()).expect("JSON");
    let mut tried = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        let path = path.strip_prefix("/api/v1").expect("below the base");
        for (method, operation) in item.as_object().expect("an item") {
            if method == "parameters" || operation["security"] == json!([{}]) || path == "/auth/me"
            {
                continue;
            }
            let path = filled(path, &errand.board, &other);
            let (status, answer) = errand.call(method, &path, Some(json!({}))).await;
            assert!([403, 404].contains(&status), "{method} {path}: {status} {answer}");
            tried += 1;
        }
    }
    assert!(tried > 60, "every route was tried: {tried}");

    let (status, me) = errand.call("get", "/auth/me", None).await;
    assert_eq!((status, &me["via"], &me["user"]), (200, &json!("execution"), &Value::Null));
    assert_eq!(me["actor"]["execution_id"], json!(execution));
    let (status, seen) = errand.call("get", &format!("/tasks/{own}"), None).await;
    assert_eq!((status, &seen["title"]), (200, &json!("Own")));
    let comments = format!("/tasks/{own}/comments");
    let (status, comment) =
        errand.call("post", &comments, Some(json!({ "body": "half way" }))).await;
    assert_eq!((status, &comment["author"]["execution_id"]), (201, &json!(execution)), "{comment}");
    let (status, _) = errand.call("post", &format!("/tasks/{own}/cancel"), Some(json!({}))).await;
    assert_eq!(status, 403, "calling it off is for people");
    let (_, log) = errand.call("get", &format!("/executions/{execution}/log/raw"), None).await;
    assert!(!text(&log["text"]).contains(&errand.token), "it is a secret (E-5): {log}");

    go.go_on().await;
    errand.board.reached(&own, |task| task.attempts == 1 && !task.is_settling()).await;
    let (status, _) = errand.call("get", &format!("/tasks/{own}"), None).await;
    assert_eq!(status, 401, "the run is over");
}

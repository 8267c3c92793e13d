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

impl Errand {
    /// Tries every route on the rows of another task.
    async fn assert_refused_everywhere(&self, other: &Other, readable: &[&str]) {
        let document: Value = serde_json::from_str(&openapi_json()).expect("JSON");
        let mut tried = 0;
        for (path, item) in document["paths"].as_object().expect("paths") {
            let path = path.strip_prefix("/api/v1").expect("below the base");
            for (method, operation) in item.as_object().expect("an item") {
                let public = operation["security"] == json!([{}]);
                if method == "parameters" || public || path == "/auth/me" {
                    continue;
                }
                let create = (method.as_str(), path) == ("post", "/projects/{id}/tasks");
                let asked = match create {
                    true => json!({ "title": "Part", "parent": other.task }),
                    false => json!({}),
                };
                let filled = filled(path, &self.board, other);
                let (status, answer) = self.call(method, &filled, Some(asked)).await;
                if method == "get" && readable.contains(&path) {
                    assert_eq!(status, 200, "{method} {path}: {answer}");
                    let answer = answer.to_string();
                    assert!(!answer.contains(&other.task), "{method} {path}: {answer}");
                } else {
                    assert!([403, 404].contains(&status), "{method} {path}: {status} {answer}");
                }
                tried += 1;
            }
        }
        assert!(tried > 60, "every route was tried: {tried}");
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

impl Other {
    /// A task whose work has passed its gate.
    async fn make(board: &Board, agent: &str) -> Self {
        let task = board.task(json!({ "title": "Another" })).await;
        board.claim(&task, agent).await;
        board.reached(&task, |task| task.attempts == 1 && !task.is_settling()).await;
        board.quiet(&task).await;
        let execution = text(&board.items(&format!("/tasks/{task}/executions")).await[0]["id"]);
        let review = text(&board.items(&format!("/tasks/{task}/reviews")).await[0]["id"]);
        Self { task, execution, review }
    }
}

#[tokio::test]
async fn e_3_an_execution_token_allows_only_its_own_task_until_the_execution_ends() {
    let board = Board::new().await;
    let coder = board.agent("coder", "echo done > done.txt").await;
    let other = Other::make(&board, &coder).await;

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

    errand.assert_refused_everywhere(&other, &[]).await;

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

/// The roles of a task with this planner.
fn planned_by(agent: &str, coder: &str) -> Value {
    json!({ "planner": { "agent_id": agent }, "coder": { "agent_id": coder } })
}

#[tokio::test]
async fn s_6_a_planners_token_directs_its_own_subtasks_and_nothing_else() {
    let board = Board::new().await;
    let coder = board.agent("coder", "echo done > \"$FORGE_TASK_ID\"").await;
    let other = Other::make(&board, &coder).await;
    let (said, go) = (board.meeting("said"), board.meeting("go"));
    let script = format!(
        "printf %s \"$FORGE_TOKEN\" > \"$HOME/token\"; {}; {}; echo '1. parse'; echo '2. test'",
        said.announce(),
        go.wait()
    );
    let planner = board.agent("planner", &script).await;
    let own = board.task(json!({ "title": "Own", "roles": planned_by(&planner, &coder) })).await;
    board.claim(&own, &coder).await;
    said.announced().await;
    let token = std::fs::read_to_string(board.server.directory().join("token"));
    let errand = Errand { board, token: token.expect("the token") };
    errand.assert_refused_everywhere(&other, &["/agents", "/agents/check"]).await;

    let tasks = format!("/projects/{}/tasks", errand.board.project);
    let posted = async |path: &str, body: Value| errand.call("post", path, Some(body)).await;
    let user = json!({ "user_id": other.task });
    let (status, _) = posted(&tasks, json!({ "title": "x", "roles": { "coder": user } })).await;
    assert_eq!(status, 403, "a planner gives no role to a person");
    let (status, part) =
        posted(&tasks, json!({ "title": "Part", "subtask_target": "parent" })).await;
    assert_eq!((status, &part["parent"]), (201, &json!(own)), "{part}");
    let part = text(&part["id"]);
    for refused in ["cancel", "archive", "approve", "roles/coder"] {
        let (status, _) = posted(&format!("/tasks/{part}/{refused}"), json!({})).await;
        assert!([403, 404, 405].contains(&status), "{refused}: {status}");
    }
    for path in ["claim", "workspace/clean"] {
        let (status, answer) = posted(&format!("/tasks/{own}/{path}"), json!({})).await;
        assert_eq!((status, &answer["code"]), (403, &json!("forbidden")), "{path} of its own task");
    }
    let (status, claimed) =
        posted(&format!("/tasks/{part}/claim"), json!({ "agent_id": coder })).await;
    assert_eq!(status, 200, "{claimed}");
    errand.board.reached(&part, |task| task.review_passed_at.is_some()).await;
    let execution = text(&claimed["execution"]["id"]);
    for path in [
        format!("/tasks/{part}"),
        format!("/tasks/{part}/diff"),
        format!("/tasks/{part}/why"),
        format!("/executions/{execution}/pulse"),
        format!("/executions/{execution}/log"),
    ] {
        let (status, answer) = errand.call("get", &path, None).await;
        assert_eq!(status, 200, "{path}: {answer}");
    }
    let (_, shown) = errand.call("get", &format!("/tasks/{part}"), None).await;
    let moving = json!({ "status": "merging", "version": shown["version"] });
    let (status, landed) = posted(&format!("/tasks/{part}/transition"), moving).await;
    assert_eq!(status, 200, "{landed}");
    errand.board.reached(&part, |task| task.state.as_str() == "done").await;
    let (status, onto_main) = posted(&tasks, json!({ "title": "Elsewhere" })).await;
    assert_eq!(status, 201);
    let onto_main = text(&onto_main["id"]);
    posted(&format!("/tasks/{onto_main}/claim"), json!({ "agent_id": coder })).await;
    errand.board.reached(&onto_main, |task| task.review_passed_at.is_some()).await;
    let (_, shown) = errand.call("get", &format!("/tasks/{onto_main}"), None).await;
    let moving = json!({ "status": "merging", "version": shown["version"] });
    let (status, refused) = posted(&format!("/tasks/{onto_main}/transition"), moving).await;
    assert_eq!((status, &refused["code"]), (422, &json!("invalid_transition")), "{refused}");

    go.go_on().await;
    errand.board.reached(&own, |task| task.review_passed_at.is_some()).await;
    let shown = errand.board.show(&own).await;
    assert_eq!(shown["plan"], "1. parse\n2. test");
    let prompt = errand.board.read(&format!("/tasks/{own}/prompt?role=coder")).await;
    assert!(text(&prompt["prompt"]).contains("2. test"), "{prompt}");
    let (status, _) = errand.call("get", &format!("/tasks/{part}"), None).await;
    assert_eq!(status, 401, "the planner's run is over");
}

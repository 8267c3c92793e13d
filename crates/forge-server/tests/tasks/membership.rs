//! Every operation, as a user outside the project and as a member (S-6).

use forge_server::openapi::openapi_json;
use http::Method;
use http_body_util::BodyExt;
use serde_json::{Value, json};

use super::board::{Board, text};
use super::support::{TestServer, TestUser};

/// Prefixes of paths outside projects.
const COMMON: [&str; 12] = [
    "/me/",
    "/auth/",
    "/users",
    "/tokens",
    "/agents",
    "/workflows",
    "/workspaces",
    "/events",
    "/needs-person",
    "/status",
    "/system/",
    "/openapi",
];
/// Operations for admins only.
const ADMINS: [(&str, &str); 3] =
    [("post", "/users"), ("post", "/demo"), ("post", "/system/backup")];

/// Operations of a project for admins only.
const ADMINS_IN_A_PROJECT: [(&str, &str); 2] =
    [("post", "/projects/{id}/repos/{repo}/config/accept"), ("delete", "/projects/{id}")];

/// Operations of a task for the execution that asked, so a member sees that they exist.
const ASKERS: [&str; 1] = ["/tasks/{id}/questions/{number}/confirm"];

/// Every operation as method and path below the base path.
fn operations() -> Vec<(String, String)> {
    let document: Value = serde_json::from_str(&openapi_json()).expect("JSON");
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        let path = path.strip_prefix("/api/v1").expect("below the base");
        for method in item.as_object().expect("an item").keys().filter(|key| *key != "parameters") {
            all.push((method.clone(), path.to_owned()));
        }
    }
    all
}

fn is_of_a_project(path: &str) -> bool {
    let common = COMMON.iter().any(|prefix| path.starts_with(prefix));
    !common && path != "/projects" && path != "/demo"
}

/// A board with one row of each kind that a path can name.
struct Rows {
    board: Board,
    task: String,
    execution: String,
    review: String,
    repo: String,
    webhook: String,
}

impl Rows {
    async fn new() -> Self {
        let server = TestServer::start_with(&[("FORGE_PRIVATE_HOSTS", "127.0.0.1")]).await;
        let board = Board::on(server, json!({ "name": "Board" })).await;
        let agent = board.agent("coder", "echo done > done.txt").await;
        let task = board.task(json!({ "title": "Work" })).await;
        board.claim(&task, &agent).await;
        board.reached(&task, |task| task.attempts == 1 && !task.is_settling()).await;
        board.quiet(&task).await;
        board.created(&format!("/tasks/{task}/questions"), json!({ "text": "Why?" })).await;
        let execution = text(&board.items(&format!("/tasks/{task}/executions")).await[0]["id"]);
        let review = text(&board.items(&format!("/tasks/{task}/reviews")).await[0]["id"]);
        let repo = text(&board.items(&format!("/projects/{}/repos", board.project)).await[0]["id"]);
        let webhooks = format!("/projects/{}/webhooks", board.project);
        // No program listens there.
        let webhook = board.created(&webhooks, json!({ "url": "http://127.0.0.1:1/" })).await;
        let webhook = text(&webhook["webhook"]["id"]);
        // The first delivery, which can be repeated.
        board.done(&format!("{webhooks}/{webhook}/test"), json!({})).await;
        Self { board, task, execution, review, repo, webhook }
    }

    /// The path with real values for its parameters; `stranger` is a member of no project.
    fn fill(&self, path: &str, stranger: &str) -> String {
        let mut filled = String::new();
        let mut before = "";
        for part in path.split('/').skip(1) {
            filled.push('/');
            filled.push_str(match (before, part) {
                ("projects" | "demo", "{id}" | "{project_id}") => &self.board.project,
                ("tasks", "{id}") | ("dependencies", "{other}") => &self.task,
                ("executions", "{id}") => &self.execution,
                ("reviews", "{id}") => &self.review,
                ("repos", "{repo}") => &self.repo,
                ("webhooks", "{webhook}") => &self.webhook,
                ("members", "{user_id}") => stranger,
                ("by-number" | "deliveries" | "journal" | "questions", "{number}")
                | ("reviews", "{attempt}") => "1",
                ("roles", "{role}") => "coder",
                (_, part) => {
                    assert!(!part.starts_with('{'), "{path}: say here what {part} is to be");
                    part
                }
            });
            before = part;
        }
        filled
    }
}

fn method(name: &str) -> Method {
    name.to_uppercase().parse().expect("a method")
}

#[tokio::test]
async fn s_6_no_operation_works_from_outside_a_project() {
    let rows = Rows::new().await;
    let outside = TestUser::new(&rows.board.server, "Out").await;
    let elsewhere = rows.board.other_project("Elsewhere").await;
    outside.join(&elsewhere).await;
    let before = rows.board.server.get(&format!("/tasks/{}", rows.task)).await;
    let mut tried = 0;
    for (name, path) in operations().into_iter().filter(|(_, path)| is_of_a_project(path)) {
        let filled = rows.fill(&path, &outside.id);
        let request = outside.request(method(&name), &filled);
        let answer = rows.board.server.send(request, None::<String>).await;
        assert_eq!(
            (answer.status, &answer.json()["code"]),
            (404, &json!("not_found")),
            "{name} {path}"
        );
        tried += 1;
    }
    assert!(tried > 30, "{tried}");
    for (name, path) in ADMINS {
        let request = outside.request(method(name), path);
        let asked = json!({ "name": "Mallory" }).to_string();
        rows.board.server.send(request, Some(asked)).await.failed_with(403, "forbidden");
    }
    assert_eq!(rows.board.server.get(&format!("/tasks/{}", rows.task)).await, before);
}

#[tokio::test]
async fn s_6_every_operation_works_for_a_member() {
    let rows = Rows::new().await;
    let server = &rows.board.server;
    let (inside, stranger) =
        (TestUser::new(server, "In").await, TestUser::new(server, "Out").await);
    inside.join(&rows.board.project).await;
    let mut all = operations();
    // What an operation deletes, no later one finds.
    all.sort_by_key(|(name, _)| name == "delete");
    for (name, path) in all.into_iter().filter(|(_, path)| is_of_a_project(path)) {
        let filled = rows.fill(&path, &stranger.id);
        let answer = inside.begin(method(&name), &filled).await;
        let status = answer.status().as_u16();
        if status == 200 && answer.headers()["content-type"] == "text/event-stream" {
            // The stream does not end while a client listens.
            continue;
        }
        let body = answer.into_body().collect().await.expect("a body").to_bytes();
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        // Not every project is a demonstration; an answer that says so shows that the route was reached.
        let refusing = ADMINS_IN_A_PROJECT.contains(&(name.as_str(), path.as_str()))
            || ASKERS.contains(&path.as_str());
        let for_others = status == 403 && refusing;
        let reached =
            for_others || body["details"]["kind"] == "demo" || ![403, 404].contains(&status);
        assert!(reached, "{name} {path}: {status} {body}");
    }
}

#[tokio::test]
async fn s_6_every_user_can_call_routes_outside_projects() {
    let board = Board::new().await;
    let anybody = TestUser::new(&board.server, "Any").await;
    let reads = operations()
        .into_iter()
        .filter(|(name, path)| name == "get" && !is_of_a_project(path) && !path.contains('{'));
    let extra = ("get".to_owned(), "/openapi.json".to_owned());
    for (name, path) in reads.chain([extra]) {
        let answer = anybody.begin(method(&name), &path).await;
        // Orphans can belong to any project, and programs are of the server's machine: only admins see them.
        let admins = ["/workspaces/orphans", "/agents/programs"];
        let expected = if admins.contains(&path.as_str()) { 403 } else { 200 };
        assert_eq!(answer.status(), expected, "{name} {path}");
    }
}

/// S-6: rows that the caller may not see do not exist in a request body either.
#[tokio::test]
async fn s_6_a_body_cannot_probe_rows_of_other_projects() {
    let board = Board::new().await;
    let hidden = board.task(json!({ "title": "Hidden" })).await;
    let bo = TestUser::new(&board.server, "Bo").await;
    let own = board.other_project("Own").await;
    bo.join(&own).await;
    let tasks = format!("/projects/{own}/tasks");
    let mine = bo.post(&tasks, json!({ "title": "Mine" })).await;
    let mine = text(&mine.json()["id"]);
    let repo = text(&board.items(&format!("/projects/{}/repos", board.project)).await[0]["id"]);
    for asked in [
        json!({ "title": "x", "dependencies": [hidden] }),
        json!({ "title": "x", "parent": hidden }),
        json!({ "title": "x", "repo_id": repo }),
    ] {
        bo.post(&tasks, asked).await.failed_with(404, "not_found");
    }
    let path = format!("/tasks/{mine}/dependencies");
    bo.post(&path, json!({ "depends_on_id": hidden })).await.failed_with(404, "not_found");
    bo.join(&board.project).await;
    let refused = bo.post(&path, json!({ "depends_on_id": hidden })).await;
    assert_eq!(refused.json()["code"], "dependency_scope", "a user who sees both gets the reason");
}

#[tokio::test]
async fn s_6_workspaces_are_listed_to_members_of_their_projects() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "Mine" })).await;
    board.done(&format!("/tasks/{task}/claim"), json!({})).await;
    let bo = TestUser::new(&board.server, "Bo").await;
    let seen = async || bo.get("/workspaces").await.json()["items"].as_array().unwrap().len();
    assert_eq!(seen().await, 0);
    bo.join(&board.project).await;
    assert_eq!(seen().await, 1);
    let mut news = bo.begin(Method::GET, &format!("/tasks/{task}/diff/stream")).await.into_body();
    bo.leave(&board.project).await;
    let path = board.read(&format!("/tasks/{task}/workspace")).await["path"].clone();
    let mut told = String::new();
    while let Some(frame) = news.frame().await {
        told.push_str(&String::from_utf8_lossy(&frame.unwrap().into_data().unwrap()));
        if told.contains("event: diff") {
            std::fs::write(std::path::Path::new(&text(&path)).join("secret"), "s\n").unwrap();
        }
    }
    assert!(told.contains("event: end") && !told.contains("secret"), "{told}");
}

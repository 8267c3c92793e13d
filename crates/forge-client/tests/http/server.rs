//! A real server on a free port, with the routes a test gives it.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::Response;
use forge_api::{SecretString, Task, TaskKind};
use forge_client::ApiClient;
use tokio::net::TcpListener;
use uuid::Uuid;

/// Requests of a test's client, one line each: method, path and query, credentials.
pub(crate) type Seen = Arc<Mutex<Vec<String>>>;

pub(crate) struct Served {
    pub(crate) client: ApiClient,
    pub(crate) seen: Seen,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Served {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Served {
    pub(crate) fn requests(&self) -> Vec<String> {
        self.seen.lock().expect("no test panics here").clone()
    }
}

pub(crate) const TOKEN: &str = "fg_0123456789abcdef";

pub(crate) async fn serve(routes: Router) -> Served {
    let seen = Seen::default();
    let log = Arc::clone(&seen);
    let routes = routes
        .layer(middleware::from_fn(move |request, next| note(Arc::clone(&log), request, next)));
    let socket = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = socket.local_addr().expect("an address");
    let task = tokio::spawn(async move {
        axum::serve(socket, routes).await.expect("served until aborted");
    });
    let url = format!("http://{address}").parse().expect("an address");
    let client = ApiClient::new(url, Some(&SecretString::new(TOKEN))).expect("a client");
    Served { client, seen, task }
}

async fn note(seen: Seen, request: Request, next: Next) -> Response {
    seen.lock().expect("no test panics here").push(line(&request));
    next.run(request).await
}

fn line(request: &Request) -> String {
    let mut line = format!("{} {}", request.method(), request.uri());
    for name in ["authorization", "cookie", "last-event-id", "prefer"] {
        if let Some(value) = request.headers().get(name) {
            let value = value.to_str().expect("plain headers");
            line.push_str(&format!(" {name}={value}"));
        }
    }
    line
}

/// A task with a title and default values otherwise.
pub(crate) fn task(title: &str) -> Task {
    Task {
        id: Uuid::nil(),
        project_id: Uuid::nil(),
        repo_id: None,
        number: 1,
        key: "T-1".to_owned(),
        kind: TaskKind::Task,
        title: title.to_owned(),
        description: String::new(),
        status: "todo".to_owned(),
        phase: forge_api::TaskPhase::Ready,
        version: 1,
        priority: 0,
        labels: Vec::new(),
        review_config: forge_api::ReviewConfig::default(),
        merge_config: forge_api::MergeConfig::default(),
        roles: std::collections::BTreeMap::new(),
        overrides: Default::default(),
        dependencies: Vec::new(),
        parent: None,
        subtask: None,
        error_annotation: None,
        pull_request: None,
        review_passed_at: None,
        archived_at: None,
        handoffs: Vec::new(),
        origin: None,
        landing: None,
        cleanup: None,
        reverted_by: None,
        regression: None,
        messages: Vec::new(),
        plan: None,
        questions: Vec::new(),
        budget: None,
        metadata: serde_json::Map::new(),
        workflow_hash: "abc".to_owned(),
        busy: None,
        created_at: "2026-01-02T03:04:05Z".to_owned(),
        updated_at: "2026-01-02T03:04:05Z".to_owned(),
    }
}

//! A fake GitHub: a git server with a password, and the part of the API that Forge uses, backed by the same bare
//! repository. Merges are real git merges.

use crate::git_server::GitServer;
use crate::github_merging::{merge_into_branch, merges_cleanly};
use crate::test_repository::TestRepository;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, Request, State as Shared};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, put};
use axum::{Json, Router};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::task::AbortOnDropHandle;

const NAME: &str = "team/shop.git";

/// The API operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitHubRoute {
    /// List pull requests.
    Find,
    /// Open a pull request.
    Open,
    /// Show a pull request.
    Show,
    /// Change the text of a pull request.
    Update,
    /// Merge a pull request.
    Merge,
    /// Read the checks of a commit.
    Checks,
}

/// A fault for the next request of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitHubFault {
    /// Performs the operation, but the connection breaks before the answer.
    LosesAnswer,
    /// Does nothing and answers with this status and message.
    Refuses(u16, &'static str),
}

/// A pull request on the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FakePullRequest {
    /// The number, from 1.
    pub number: u64,
    pub title: String,
    pub body: String,
    pub head: String,
    pub base: String,
    /// Whether it is closed, merged or not.
    pub closed: bool,
    /// The merge commit, if merged.
    pub merged_as: Option<String>,
    /// The tip of its branch at the merge.
    last_head: String,
}

#[derive(Debug)]
struct GitHubServerState {
    hub: TestRepository,
    web: String,
    secret: String,
    pulls: Mutex<Vec<FakePullRequest>>,
    /// Names and results; `None` while a check runs.
    checks: Mutex<Vec<(String, Option<bool>)>>,
    blocked: Mutex<bool>,
    faults: Mutex<Vec<(GitHubRoute, GitHubFault)>>,
    requests: Mutex<Vec<GitHubRoute>>,
}

/// A running fake with one repository, `team/shop`. Dropping it stops the server.
#[derive(Debug)]
pub struct GitHubServer {
    git: GitServer,
    state: Arc<GitHubServerState>,
    api: String,
    _directory: TempDir,
    _serving: AbortOnDropHandle<()>,
}

/// Whether a pull request can be merged, in GitHub's terms.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum FakeMergeableState {
    Unknown,
    Dirty,
    Blocked,
    Clean,
}

impl GitHubServer {
    /// Starts a server with a repository of one commit, protected by the token.
    pub async fn start(secret: &str) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let seed = TestRepository::create(&directory.path().join("seed")).await;
        let git = GitServer::start_as(&directory.path().join("git"), &seed, secret, NAME).await;
        let state = Arc::new(GitHubServerState {
            hub: git.hub(),
            web: git.origin(),
            secret: secret.to_owned(),
            pulls: Mutex::default(),
            checks: Mutex::default(),
            blocked: Mutex::default(),
            faults: Mutex::default(),
            requests: Mutex::default(),
        });
        let routes = Router::new()
            .route("/repos/team/shop/pulls", get(list_pulls).post(open_pull))
            .route("/repos/team/shop/pulls/{number}", get(show_pull).patch(update_pull))
            .route("/repos/team/shop/pulls/{number}/merge", put(merge_pull))
            .route("/repos/team/shop/commits/{commit}/{list}", get(show_checks))
            .layer(axum::middleware::from_fn_with_state(Arc::clone(&state), check_request))
            .with_state(Arc::clone(&state));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let api = format!("http://{}", listener.local_addr().expect("an address"));
        let serving = tokio::spawn(async move {
            axum::serve(listener, routes).await.ok();
        });
        let _serving = AbortOnDropHandle::new(serving);
        Self { git, state, api, _directory: directory, _serving }
    }

    /// The URL of its API.
    pub fn api(&self) -> &str {
        &self.api
    }

    pub fn git(&self) -> &GitServer {
        &self.git
    }

    /// The server's repository, for assertions and for pushes by other clients.
    pub fn hub(&self) -> TestRepository {
        self.git.hub()
    }

    /// Sets the checks of every commit from now on: names, and results if they have finished.
    pub fn set_checks(&self, checks: &[(&str, Option<bool>)]) {
        let checks = checks.iter().map(|(name, ended)| ((*name).to_owned(), *ended));
        *self.state.checks.lock().expect("no holder panics") = checks.collect();
    }

    /// Sets whether the branch protection blocks merges.
    pub fn set_blocked(&self, blocked: bool) {
        *self.state.blocked.lock().expect("no holder panics") = blocked;
    }

    /// Injects a fault into the next request of this route.
    pub fn inject_fault(&self, route: GitHubRoute, trouble: GitHubFault) {
        self.state.faults.lock().expect("no holder panics").push((route, trouble));
    }

    pub fn pulls(&self) -> Vec<FakePullRequest> {
        self.state.pulls.lock().expect("no holder panics").clone()
    }

    /// How often this route was requested.
    pub fn request_count(&self, route: GitHubRoute) -> usize {
        let asked = self.state.requests.lock().expect("no holder panics");
        asked.iter().filter(|other| **other == route).count()
    }

    /// Closes a pull request, as a user would.
    pub fn close(&self, number: u64) {
        self.state.update_pull(number, |pull| pull.closed = true);
    }

    /// Merges a pull request, as a user would.
    pub async fn merge_by_hand(&self, number: u64) {
        self.state.merge(number, "merge", "Merged by hand").await;
    }

    /// Commits a file to a branch on the server.
    pub async fn push(&self, branch: &str, file: &str, content: &str) -> String {
        let hub = self.hub();
        let scratch = self._directory.path().join(format!("by-{file}"));
        hub.git(&["clone", "--quiet", "--branch", branch, ".", scratch.to_str().expect("text")])
            .await;
        let other = TestRepository::open(&scratch);
        other.write(file, content);
        other.commit("theirs").await;
        other.git(&["push", "--quiet", "origin", branch]).await;
        other.git(&["rev-parse", "HEAD"]).await
    }
}

impl GitHubServerState {
    fn update_pull(&self, number: u64, change: impl FnOnce(&mut FakePullRequest)) {
        let mut pulls = self.pulls.lock().expect("no holder panics");
        change(pulls.iter_mut().find(|pull| pull.number == number).expect("there is such a one"));
    }

    fn pull(&self, number: u64) -> Option<FakePullRequest> {
        let pulls = self.pulls.lock().expect("no holder panics");
        pulls.iter().find(|pull| pull.number == number).cloned()
    }

    async fn head(&self, pull: &FakePullRequest) -> String {
        if pull.closed {
            return pull.last_head.clone();
        }
        self.hub.git(&["rev-parse", &format!("refs/heads/{}", pull.head)]).await
    }

    async fn merge(&self, number: u64, method: &str, message: &str) -> String {
        let pull = self.pull(number).expect("there is such a one");
        let head = self.head(&pull).await;
        let merged = merge_into_branch(&self.hub, &pull.base, &head, method, message).await;
        self.update_pull(number, |pull| {
            pull.closed = true;
            pull.merged_as = Some(merged.clone());
            pull.last_head = head;
        });
        merged
    }

    async fn pull_json(&self, pull: &FakePullRequest) -> Value {
        let head = self.head(pull).await;
        let blocked = *self.blocked.lock().expect("no holder panics");
        let mergeable = match merges_cleanly(&self.hub, &pull.base, &head).await {
            _ if pull.closed => FakeMergeableState::Unknown,
            false => FakeMergeableState::Dirty,
            true if blocked => FakeMergeableState::Blocked,
            true => FakeMergeableState::Clean,
        };
        json!({
            "number": pull.number,
            "html_url": format!("{}/team/shop/pull/{}", self.web, pull.number),
            "title": pull.title,
            "body": pull.body,
            "state": if pull.closed { "closed" } else { "open" },
            "merged": pull.merged_as.is_some(),
            "merge_commit_sha": pull.merged_as,
            "draft": false,
            "mergeable_state": mergeable,
            "head": { "ref": pull.head, "sha": head },
            "base": { "ref": pull.base, "sha": self.hub.git(&["rev-parse", &pull.base]).await },
        })
    }
}

/// Checks the token and applies injected faults.
async fn check_request(
    Shared(state): Shared<Arc<GitHubServerState>>,
    headers: HeaderMap,
    request: Request,
    next: Next,
) -> Response {
    let told = headers.get(header::AUTHORIZATION).and_then(|told| told.to_str().ok());
    if told != Some(&format!("Bearer {}", state.secret)) {
        return error_answer(StatusCode::UNAUTHORIZED, "Bad credentials");
    }
    let path = request.uri().path();
    let route = match request.method().as_str() {
        "POST" => GitHubRoute::Open,
        "PATCH" => GitHubRoute::Update,
        "PUT" => GitHubRoute::Merge,
        _ if path.contains("/commits/") => GitHubRoute::Checks,
        _ if path.ends_with("/pulls") => GitHubRoute::Find,
        _ => GitHubRoute::Show,
    };
    state.requests.lock().expect("no holder panics").push(route);
    let trouble = {
        let mut troubles = state.faults.lock().expect("no holder panics");
        let place = troubles.iter().position(|(other, _)| *other == route);
        place.map(|place| troubles.remove(place).1)
    };
    match trouble {
        None => next.run(request).await,
        Some(GitHubFault::Refuses(status, words)) => {
            error_answer(StatusCode::from_u16(status).expect("a status"), words)
        }
        Some(GitHubFault::LosesAnswer) => {
            let status = next.run(request).await.status();
            let broken = futures::stream::once(async {
                Err::<Bytes, _>(std::io::Error::other("hanging up"))
            });
            (status, Body::from_stream(broken)).into_response()
        }
    }
}

fn error_answer(status: StatusCode, words: &str) -> Response {
    (status, Json(json!({ "message": words }))).into_response()
}

async fn list_pulls(
    Shared(state): Shared<Arc<GitHubServerState>>,
    Query(query): Query<HashMap<String, String>>,
) -> Response {
    let pulls = state.pulls.lock().expect("no holder panics").clone();
    let mut found = Vec::new();
    for pull in pulls {
        let fits = query.get("head") == Some(&format!("team:{}", pull.head))
            && query.get("base") == Some(&pull.base);
        if fits && !pull.closed {
            found.push(state.pull_json(&pull).await);
        }
    }
    Json(found).into_response()
}

async fn open_pull(
    Shared(state): Shared<Arc<GitHubServerState>>,
    Json(asked): Json<Value>,
) -> Response {
    let text = |name: &str| asked[name].as_str().expect("text").to_owned();
    let (head, base) = (text("head"), text("base"));
    let (known, last_head) = state.hub.try_git(&["rev-parse", "--verify", &head]).await;
    if !known {
        return error_answer(StatusCode::UNPROCESSABLE_ENTITY, "Validation Failed");
    }
    let pull = {
        let mut pulls = state.pulls.lock().expect("no holder panics");
        if pulls.iter().any(|pull| pull.head == head && pull.base == base && !pull.closed) {
            return error_answer(StatusCode::UNPROCESSABLE_ENTITY, "A pull request already exists");
        }
        let number = u64::try_from(pulls.len() + 1).expect("few");
        let (title, body) = (text("title"), text("body"));
        let last_head = last_head.trim_end().to_owned();
        let (closed, merged_as) = (false, None);
        pulls.push(FakePullRequest {
            number,
            title,
            body,
            head,
            base,
            closed,
            merged_as,
            last_head,
        });
        pulls.last().expect("just added").clone()
    };
    (StatusCode::CREATED, Json(state.pull_json(&pull).await)).into_response()
}

async fn show_pull(
    Shared(state): Shared<Arc<GitHubServerState>>,
    Path(number): Path<u64>,
) -> Response {
    match state.pull(number) {
        Some(pull) => Json(state.pull_json(&pull).await).into_response(),
        None => error_answer(StatusCode::NOT_FOUND, "Not Found"),
    }
}

async fn update_pull(
    Shared(state): Shared<Arc<GitHubServerState>>,
    Path(number): Path<u64>,
    Json(asked): Json<Value>,
) -> Response {
    state.update_pull(number, |pull| {
        pull.title = asked["title"].as_str().expect("a title").to_owned();
        pull.body = asked["body"].as_str().expect("a text").to_owned();
    });
    show_pull(Shared(state), Path(number)).await
}

async fn merge_pull(
    Shared(state): Shared<Arc<GitHubServerState>>,
    Path(number): Path<u64>,
    Json(asked): Json<Value>,
) -> Response {
    let Some(pull) = state.pull(number) else {
        return error_answer(StatusCode::NOT_FOUND, "Not Found");
    };
    let head = state.head(&pull).await;
    let blocked = *state.blocked.lock().expect("no holder panics");
    if pull.closed || blocked || !merges_cleanly(&state.hub, &pull.base, &head).await {
        return error_answer(StatusCode::METHOD_NOT_ALLOWED, "Pull Request is not mergeable");
    }
    if asked["sha"] != head.as_str() {
        return error_answer(
            StatusCode::CONFLICT,
            "Head branch was modified. Review and try the merge again.",
        );
    }
    let text = |name: &str| asked[name].as_str().unwrap_or_default();
    let message = format!("{}\n\n{}", text("commit_title"), text("commit_message"));
    let merged = state.merge(number, text("merge_method"), &message).await;
    Json(json!({ "sha": merged, "merged": true, "message": "merged" })).into_response()
}

/// The checks as check runs, except the first, which is a commit status.
async fn show_checks(
    Shared(state): Shared<Arc<GitHubServerState>>,
    Path((_, list)): Path<(String, String)>,
) -> Response {
    let checks = state.checks.lock().expect("no holder panics").clone();
    let statuses = checks.iter().take(1).map(|(name, ended)| {
        let state = match ended {
            None => "pending",
            Some(true) => "success",
            Some(false) => "failure",
        };
        json!({ "context": name, "state": state, "target_url": format!("https://ci/{name}") })
    });
    let runs = checks.iter().skip(1).map(|(name, ended)| {
        let conclusion = ended.map(|passed| if passed { "success" } else { "failure" });
        let status = if ended.is_some() { "completed" } else { "queued" };
        json!({ "name": name, "status": status, "conclusion": conclusion, "html_url": format!("https://ci/{name}") })
    });
    let (field, found): (_, Vec<Value>) = match list.as_str() {
        "status" => ("statuses", statuses.collect()),
        _ => ("check_runs", runs.collect()),
    };
    Json(json!({ "total_count": found.len(), field: found })).into_response()
}

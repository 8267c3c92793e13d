//! A stand-in of GitHub: a git server with a password, and beside it as much of the API as Forge uses, backed by the
//! same bare repository. What it says it has merged, git has merged.

use crate::git_server::GitServer;
use crate::github_merge::{fits, merge};
use crate::repository::Repository;
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

/// What can be asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// Which pull requests there are.
    Find,
    /// To open one.
    Open,
    /// What one looks like.
    Show,
    /// To change what one says.
    Update,
    /// To merge one.
    Merge,
    /// What the checks of a commit say.
    Checks,
}

/// What can go wrong with the next question of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// It does what it was asked, and the connection breaks before it says so.
    LosesAnswer,
    /// It does nothing, and says this.
    Refuses(u16, &'static str),
}

/// A pull request there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// Its number, from 1.
    pub number: u64,
    /// Its title.
    pub title: String,
    /// Its text.
    pub body: String,
    /// The branch it brings.
    pub head: String,
    /// The branch it is for.
    pub base: String,
    /// Whether it is closed, merged or not.
    pub closed: bool,
    /// What it was merged as.
    pub merged_as: Option<String>,
    /// What its branch was at then.
    last_head: String,
}

#[derive(Debug)]
struct State {
    hub: Repository,
    web: String,
    secret: String,
    pulls: Mutex<Vec<Opened>>,
    /// Names, and how they ended; none while they run.
    checks: Mutex<Vec<(String, Option<bool>)>>,
    blocked: Mutex<bool>,
    troubles: Mutex<Vec<(Route, Trouble)>>,
    asked: Mutex<Vec<Route>>,
}

/// A running stand-in with one repository, `team/shop`. It ends with this value.
#[derive(Debug)]
pub struct GitHubServer {
    git: GitServer,
    state: Arc<State>,
    api: String,
    _directory: TempDir,
    _serving: AbortOnDropHandle<()>,
}

/// Whether a pull request can be merged, in GitHub's words.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum MergeableState {
    Unknown,
    Dirty,
    Blocked,
    Clean,
}

impl GitHubServer {
    /// Starts one with a repository of one commit, for whoever knows the token.
    pub async fn start(secret: &str) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let seed = Repository::create(&directory.path().join("seed")).await;
        let git = GitServer::start_as(&directory.path().join("git"), &seed, secret, NAME).await;
        let state = Arc::new(State {
            hub: git.hub(),
            web: git.origin(),
            secret: secret.to_owned(),
            pulls: Mutex::default(),
            checks: Mutex::default(),
            blocked: Mutex::default(),
            troubles: Mutex::default(),
            asked: Mutex::default(),
        });
        let routes = Router::new()
            .route("/repos/team/shop/pulls", get(find).post(open))
            .route("/repos/team/shop/pulls/{number}", get(show).patch(update))
            .route("/repos/team/shop/pulls/{number}/merge", put(merge_it))
            .route("/repos/team/shop/commits/{commit}/{list}", get(checks))
            .layer(axum::middleware::from_fn_with_state(Arc::clone(&state), guard))
            .with_state(Arc::clone(&state));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let api = format!("http://{}", listener.local_addr().expect("an address"));
        let serving = tokio::spawn(async move {
            axum::serve(listener, routes).await.ok();
        });
        let _serving = AbortOnDropHandle::new(serving);
        Self { git, state, api, _directory: directory, _serving }
    }

    /// The address of its API.
    pub fn api(&self) -> &str {
        &self.api
    }

    /// Its git server.
    pub fn git(&self) -> &GitServer {
        &self.git
    }

    /// Its repository, for looking at it and for others who push to it.
    pub fn hub(&self) -> Repository {
        self.git.hub()
    }

    /// The checks of every commit from now on: their names, and how they ended if they are over.
    pub fn check(&self, checks: &[(&str, Option<bool>)]) {
        let checks = checks.iter().map(|(name, ended)| ((*name).to_owned(), *ended));
        *self.state.checks.lock().expect("no holder panics") = checks.collect();
    }

    /// Whether the rules of the target are not kept.
    pub fn block(&self, blocked: bool) {
        *self.state.blocked.lock().expect("no holder panics") = blocked;
    }

    /// Has something go wrong with the next question of this kind.
    pub fn trouble(&self, route: Route, trouble: Trouble) {
        self.state.troubles.lock().expect("no holder panics").push((route, trouble));
    }

    /// The pull requests.
    pub fn pulls(&self) -> Vec<Opened> {
        self.state.pulls.lock().expect("no holder panics").clone()
    }

    /// How often this was asked.
    pub fn asked(&self, route: Route) -> usize {
        let asked = self.state.asked.lock().expect("no holder panics");
        asked.iter().filter(|other| **other == route).count()
    }

    /// A person closes one.
    pub fn close(&self, number: u64) {
        self.state.change(number, |pull| pull.closed = true);
    }

    /// A person merges one.
    pub async fn merge_by_hand(&self, number: u64) {
        self.state.merge(number, "merge", "Merged by hand").await;
    }

    /// Somebody commits a file to a branch there.
    pub async fn push(&self, branch: &str, file: &str, content: &str) -> String {
        let hub = self.hub();
        let scratch = self._directory.path().join(format!("by-{file}"));
        hub.git(&["clone", "--quiet", "--branch", branch, ".", scratch.to_str().expect("text")])
            .await;
        let other = Repository::at(&scratch);
        other.write(file, content);
        other.commit("theirs").await;
        other.git(&["push", "--quiet", "origin", branch]).await;
        other.git(&["rev-parse", "HEAD"]).await
    }
}

impl State {
    fn change(&self, number: u64, change: impl FnOnce(&mut Opened)) {
        let mut pulls = self.pulls.lock().expect("no holder panics");
        change(pulls.iter_mut().find(|pull| pull.number == number).expect("there is such a one"));
    }

    fn pull(&self, number: u64) -> Option<Opened> {
        let pulls = self.pulls.lock().expect("no holder panics");
        pulls.iter().find(|pull| pull.number == number).cloned()
    }

    async fn head(&self, pull: &Opened) -> String {
        if pull.closed {
            return pull.last_head.clone();
        }
        self.hub.git(&["rev-parse", &format!("refs/heads/{}", pull.head)]).await
    }

    async fn merge(&self, number: u64, method: &str, message: &str) -> String {
        let pull = self.pull(number).expect("there is such a one");
        let head = self.head(&pull).await;
        let merged = merge(&self.hub, &pull.base, &head, method, message).await;
        self.change(number, |pull| {
            pull.closed = true;
            pull.merged_as = Some(merged.clone());
            pull.last_head = head;
        });
        merged
    }

    async fn shown(&self, pull: &Opened) -> Value {
        let head = self.head(pull).await;
        let blocked = *self.blocked.lock().expect("no holder panics");
        let mergeable = match fits(&self.hub, &pull.base, &head).await {
            _ if pull.closed => MergeableState::Unknown,
            false => MergeableState::Dirty,
            true if blocked => MergeableState::Blocked,
            true => MergeableState::Clean,
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

/// Knows who asks, and has go wrong what is to go wrong.
async fn guard(
    Shared(state): Shared<Arc<State>>,
    headers: HeaderMap,
    request: Request,
    next: Next,
) -> Response {
    let told = headers.get(header::AUTHORIZATION).and_then(|told| told.to_str().ok());
    if told != Some(&format!("Bearer {}", state.secret)) {
        return no(StatusCode::UNAUTHORIZED, "Bad credentials");
    }
    let path = request.uri().path();
    let route = match request.method().as_str() {
        "POST" => Route::Open,
        "PATCH" => Route::Update,
        "PUT" => Route::Merge,
        _ if path.contains("/commits/") => Route::Checks,
        _ if path.ends_with("/pulls") => Route::Find,
        _ => Route::Show,
    };
    state.asked.lock().expect("no holder panics").push(route);
    let trouble = {
        let mut troubles = state.troubles.lock().expect("no holder panics");
        let place = troubles.iter().position(|(other, _)| *other == route);
        place.map(|place| troubles.remove(place).1)
    };
    match trouble {
        None => next.run(request).await,
        Some(Trouble::Refuses(status, words)) => {
            no(StatusCode::from_u16(status).expect("a status"), words)
        }
        Some(Trouble::LosesAnswer) => {
            let status = next.run(request).await.status();
            let broken = futures::stream::once(async {
                Err::<Bytes, _>(std::io::Error::other("hanging up"))
            });
            (status, Body::from_stream(broken)).into_response()
        }
    }
}

fn no(status: StatusCode, words: &str) -> Response {
    (status, Json(json!({ "message": words }))).into_response()
}

async fn find(
    Shared(state): Shared<Arc<State>>,
    Query(query): Query<HashMap<String, String>>,
) -> Response {
    let pulls = state.pulls.lock().expect("no holder panics").clone();
    let mut found = Vec::new();
    for pull in pulls {
        let fits = query.get("head") == Some(&format!("team:{}", pull.head))
            && query.get("base") == Some(&pull.base);
        if fits && !pull.closed {
            found.push(state.shown(&pull).await);
        }
    }
    Json(found).into_response()
}

async fn open(Shared(state): Shared<Arc<State>>, Json(asked): Json<Value>) -> Response {
    let text = |name: &str| asked[name].as_str().expect("text").to_owned();
    let (head, base) = (text("head"), text("base"));
    let (known, last_head) = state.hub.try_git(&["rev-parse", "--verify", &head]).await;
    if !known {
        return no(StatusCode::UNPROCESSABLE_ENTITY, "Validation Failed");
    }
    let pull = {
        let mut pulls = state.pulls.lock().expect("no holder panics");
        if pulls.iter().any(|pull| pull.head == head && pull.base == base && !pull.closed) {
            return no(StatusCode::UNPROCESSABLE_ENTITY, "A pull request already exists");
        }
        let number = u64::try_from(pulls.len() + 1).expect("few");
        let (title, body) = (text("title"), text("body"));
        let last_head = last_head.trim_end().to_owned();
        let (closed, merged_as) = (false, None);
        pulls.push(Opened { number, title, body, head, base, closed, merged_as, last_head });
        pulls.last().expect("just added").clone()
    };
    (StatusCode::CREATED, Json(state.shown(&pull).await)).into_response()
}

async fn show(Shared(state): Shared<Arc<State>>, Path(number): Path<u64>) -> Response {
    match state.pull(number) {
        Some(pull) => Json(state.shown(&pull).await).into_response(),
        None => no(StatusCode::NOT_FOUND, "Not Found"),
    }
}

async fn update(
    Shared(state): Shared<Arc<State>>,
    Path(number): Path<u64>,
    Json(asked): Json<Value>,
) -> Response {
    state.change(number, |pull| {
        pull.title = asked["title"].as_str().expect("a title").to_owned();
        pull.body = asked["body"].as_str().expect("a text").to_owned();
    });
    show(Shared(state), Path(number)).await
}

async fn merge_it(
    Shared(state): Shared<Arc<State>>,
    Path(number): Path<u64>,
    Json(asked): Json<Value>,
) -> Response {
    let Some(pull) = state.pull(number) else { return no(StatusCode::NOT_FOUND, "Not Found") };
    let head = state.head(&pull).await;
    let blocked = *state.blocked.lock().expect("no holder panics");
    if pull.closed || blocked || !fits(&state.hub, &pull.base, &head).await {
        return no(StatusCode::METHOD_NOT_ALLOWED, "Pull Request is not mergeable");
    }
    if asked["sha"] != head.as_str() {
        return no(
            StatusCode::CONFLICT,
            "Head branch was modified. Review and try the merge again.",
        );
    }
    let text = |name: &str| asked[name].as_str().unwrap_or_default();
    let message = format!("{}\n\n{}", text("commit_title"), text("commit_message"));
    let merged = state.merge(number, text("merge_method"), &message).await;
    Json(json!({ "sha": merged, "merged": true, "message": "merged" })).into_response()
}

/// The checks as check runs, but for the first, which is a status.
async fn checks(
    Shared(state): Shared<Arc<State>>,
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

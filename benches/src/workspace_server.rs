//! A server with repositories, whose workspaces are measured.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use forge_server::settings::ServerSettings;
use forge_testkit::test_repository::{TestRepository, search_path};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::bench_error::BenchError;
use crate::http_client::{HttpClient, TOKEN};
use crate::stopwatch::BenchStopwatch;

const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How many looks in a row find a pool unchanged before it counts as filled.
const QUIET_LOOKS: u32 = 25;
const PATIENCE: Duration = Duration::from_secs(600);

/// A server with one project for each repository.
pub(crate) struct WorkspaceServer {
    pub(crate) address: SocketAddr,
    projects: Vec<String>,
    root: PathBuf,
    pool: usize,
    tasks: usize,
    pub(crate) claimed: Vec<String>,
    stop: CancellationToken,
    serving: JoinHandle<()>,
}

impl WorkspaceServer {
    /// Starts the server with a pool of this size for each repository.
    pub(crate) async fn start(
        place: &Path,
        repository: &TestRepository,
        pool: usize,
    ) -> Result<Self, BenchError> {
        let mut hosted = Self::start_empty(place, pool, &[]).await?;
        hosted.add(repository, json!({})).await?;
        Ok(hosted)
    }

    /// Starts the server without any project, with additional settings.
    pub(crate) async fn start_empty(
        place: &Path,
        pool: usize,
        more: &[(&str, String)],
    ) -> Result<Self, BenchError> {
        let data = place.join(format!("data-{pool}"));
        let flags = [
            ("data_dir", data.display().to_string()),
            ("bind", "127.0.0.1:0".to_owned()),
            ("pool_size", pool.to_string()),
        ];
        let flags = flags.into_iter().chain(more.iter().cloned());
        let flags: Vec<_> = flags.map(|(name, value)| (name.to_owned(), value)).collect();
        let environment: Vec<(OsString, OsString)> = vec![
            ("PATH".into(), search_path()),
            ("HOME".into(), place.into()),
            ("FORGE_BOOTSTRAP_TOKEN".into(), TOKEN.into()),
        ];
        let settings = ServerSettings::load(flags, environment.clone())?;
        let server = forge_server::start(settings, environment).await?;
        let (address, stop) = (server.address(), CancellationToken::new());
        let stopped = stop.clone();
        let serving = tokio::spawn(async move {
            server.run_until(stopped).await;
        });
        let root = data.join("workspaces");
        let projects = Vec::new();
        let (tasks, claimed) = (0, Vec::new());
        Ok(Self { address, projects, root, pool, tasks, claimed, stop, serving })
    }

    /// Adds a project with another repository; `project` holds additional fields of the request.
    pub(crate) async fn add(
        &mut self,
        repository: &TestRepository,
        mut project: Value,
    ) -> Result<(), BenchError> {
        let mut client = HttpClient::connect(self.address).await?;
        project["name"] = format!("Bench {}", self.projects.len()).into();
        let project = client.create("/api/v1/projects", &project).await?;
        let project = project["id"].as_str().unwrap_or_default().to_owned();
        let path = format!("/api/v1/projects/{project}/repos");
        client.create(&path, &json!({ "path": repository.path() })).await?;
        self.projects.push(project);
        Ok(())
    }

    /// The path of a project's tasks.
    pub(crate) fn tasks_of(&self, project: usize) -> String {
        let project = self.projects.get(project).map_or("", String::as_str);
        format!("/api/v1/projects/{project}/tasks")
    }

    /// From the request to the answer that the workspace is ready.
    pub(crate) async fn claim(&mut self, project: usize) -> Result<Duration, BenchError> {
        self.tasks += 1;
        let path = self.tasks_of(project);
        let title = format!("Task {}", self.tasks);
        // The server closes idle connections.
        let mut client = HttpClient::connect(self.address).await?;
        let task = client.create(&path, &json!({ "title": title })).await?;
        let task = format!("/api/v1/tasks/{}", task["id"].as_str().unwrap_or_default());
        let watch = BenchStopwatch::start();
        let body = Some(Bytes::from_static(b"{}"));
        let (status, answer) = client.call(Method::POST, &format!("{task}/claim"), body).await?;
        let elapsed = watch.elapsed();
        let (_, found) = client.call(Method::GET, &format!("{task}/workspace"), None).await?;
        let found: serde_json::Value = serde_json::from_slice(&found)?;
        let there = found["path"].as_str().is_some_and(|path| Path::new(path).is_dir());
        if status != StatusCode::OK || !there {
            let said = String::from_utf8_lossy(&answer);
            return Err(format!("the claim answered {status}: {said}, with {found}").into());
        }
        self.claimed.push(task);
        Ok(elapsed)
    }

    /// From the request to remove a workspace to the answer that it is removed.
    pub(crate) async fn clean(&self, task: &str) -> Result<Duration, BenchError> {
        let mut client = HttpClient::connect(self.address).await?;
        let body = Bytes::from_static(b"{}");
        let cancel = format!("{task}/cancel");
        let (status, said) = client.call(Method::POST, &cancel, Some(body.clone())).await?;
        if status != StatusCode::OK {
            return Err(format!("{status}: {}", String::from_utf8_lossy(&said)).into());
        }
        let watch = BenchStopwatch::start();
        let clean = format!("{task}/workspace/clean");
        let (status, said) = client.call(Method::POST, &clean, Some(body)).await?;
        let elapsed = watch.elapsed();
        let (_, found) = client.call(Method::GET, &format!("{task}/workspace"), None).await?;
        let found: serde_json::Value = serde_json::from_slice(&found)?;
        let there = found["path"].as_str().is_some_and(|path| Path::new(path).is_dir());
        if status != StatusCode::OK || there {
            let said = String::from_utf8_lossy(&said);
            return Err(format!("the removal answered {status}: {said}, with {found}").into());
        }
        Ok(elapsed)
    }

    /// Waits until the pools are filled, no worktree is being added any more, and the disk is quiet.
    pub(crate) async fn wait_for_full_pools(&self) -> Result<(), BenchError> {
        let mut looks = tokio::time::interval(POLL_INTERVAL);
        let (mut seen, mut quiet) = (0, 0);
        let filled = async {
            loop {
                looks.tick().await;
                let (now, pools) = (self.ready_worktrees(), self.root.join(".pool"));
                let settled = now >= self.pool * self.projects.len()
                    && now == seen
                    && now == worktrees(&pools);
                quiet = if settled { quiet + 1 } else { 0 };
                seen = now;
                if quiet >= QUIET_LOOKS {
                    return;
                }
            }
        };
        tokio::time::timeout(PATIENCE, filled).await.map_err(|_| "the pool was not filled")?;
        rustix::fs::sync();
        Ok(())
    }

    /// How many pooled worktrees are ready.
    pub(crate) fn ready_worktrees(&self) -> usize {
        count_ready(&self.root.join(".pool"))
    }

    pub(crate) async fn stop(self) -> Result<(), BenchError> {
        self.stop.cancel();
        self.serving.await?;
        Ok(())
    }
}

/// How many worktrees the pools have, ready or being made.
fn worktrees(pools: &Path) -> usize {
    let entries = |path: &Path| std::fs::read_dir(path).into_iter().flatten().flatten();
    let members = entries(pools).flat_map(|pool| entries(&pool.path()));
    members.filter(|entry| entry.path().is_dir()).count()
}

fn count_ready(pools: &Path) -> usize {
    let entries = |path: &Path| std::fs::read_dir(path).into_iter().flatten().flatten();
    let signs = entries(pools).flat_map(|pool| entries(&pool.path()));
    signs.filter(|entry| entry.path().extension().is_some_and(|kind| kind == "ready")).count()
}

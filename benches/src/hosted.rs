//! A server on repositories, whose workspaces are measured.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use forge_server::settings::Settings;
use forge_testkit::repository::{Repository, search_path};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::bench_error::BenchError;
use crate::http_client::{HttpClient, TOKEN};
use crate::stopwatch::Stopwatch;

const LOOK_EVERY: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(600);

/// A server with one project for each repository.
pub(crate) struct Hosted {
    pub(crate) address: SocketAddr,
    projects: Vec<String>,
    root: PathBuf,
    pool: usize,
    tasks: usize,
    pub(crate) claimed: Vec<String>,
    stop: CancellationToken,
    serving: JoinHandle<()>,
}

impl Hosted {
    /// Starts it with a pool of this size for each repository.
    pub(crate) async fn start(
        place: &Path,
        repository: &Repository,
        pool: usize,
    ) -> Result<Self, BenchError> {
        let mut hosted = Self::empty(place, pool, &[]).await?;
        hosted.add(repository, json!({})).await?;
        Ok(hosted)
    }

    /// Starts it without any project, with more settings.
    pub(crate) async fn empty(
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
        let settings = Settings::load(flags, environment.clone())?;
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

    /// Adds a project with another repository; what else is said of it goes into the request.
    pub(crate) async fn add(
        &mut self,
        repository: &Repository,
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

    /// Where the tasks of a project are.
    pub(crate) fn tasks_of(&self, project: usize) -> String {
        let project = self.projects.get(project).map_or("", String::as_str);
        format!("/api/v1/projects/{project}/tasks")
    }

    /// From the request to the answer that says that the workspace is ready.
    pub(crate) async fn claim(&mut self, project: usize) -> Result<Duration, BenchError> {
        self.tasks += 1;
        let path = self.tasks_of(project);
        let title = format!("Task {}", self.tasks);
        // One that was idle for a while is closed by the server.
        let mut client = HttpClient::connect(self.address).await?;
        let task = client.create(&path, &json!({ "title": title })).await?;
        let task = format!("/api/v1/tasks/{}", task["id"].as_str().unwrap_or_default());
        let watch = Stopwatch::start();
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

    /// From the request to remove a workspace to the answer that it is gone.
    pub(crate) async fn clean(&self, task: &str) -> Result<Duration, BenchError> {
        let mut client = HttpClient::connect(self.address).await?;
        let body = Bytes::from_static(b"{}");
        let cancel = format!("{task}/cancel");
        let (status, said) = client.call(Method::POST, &cancel, Some(body.clone())).await?;
        if status != StatusCode::OK {
            return Err(format!("{status}: {}", String::from_utf8_lossy(&said)).into());
        }
        let watch = Stopwatch::start();
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

    /// Until everything that is to wait for tasks does, and the disk is quiet.
    pub(crate) async fn full(&self) -> Result<(), BenchError> {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        let filled = async {
            loop {
                looks.tick().await;
                if self.ready() >= self.pool * self.projects.len() {
                    return;
                }
            }
        };
        tokio::time::timeout(PATIENCE, filled).await.map_err(|_| "the pool was not filled")?;
        rustix::fs::sync();
        Ok(())
    }

    /// How many worktrees wait for tasks.
    pub(crate) fn ready(&self) -> usize {
        ready(&self.root.join(".pool"))
    }

    pub(crate) async fn stop(self) -> Result<(), BenchError> {
        self.stop.cancel();
        self.serving.await?;
        Ok(())
    }
}

fn ready(pools: &Path) -> usize {
    let entries = |path: &Path| std::fs::read_dir(path).into_iter().flatten().flatten();
    let signs = entries(pools).flat_map(|pool| entries(&pool.path()));
    signs.filter(|entry| entry.path().extension().is_some_and(|kind| kind == "ready")).count()
}

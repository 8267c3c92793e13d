//! Workspaces against plain git in the same run: a claim over HTTP until its workspace is ready, and a removal.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use forge_git::{
    BranchName, DirectoryName, Git, Holder, Patience, Repo, RepoLocks, WorkspaceLocks,
    WorkspaceRoot, WorktreeBranch,
};
use forge_proc::ProcessIdentity;
use forge_server::settings::Settings;
use forge_testkit::repository::{Repository, search_path};
use http::{Method, StatusCode};
use serde_json::json;
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::bench_error::BenchError;
use crate::figure::{Aim, Figure};
use crate::http_client::{HttpClient, TOKEN};
use crate::place::place;
use crate::report::Report;
use crate::sample::{Sample, millis};
use crate::scope::Scope;
use crate::stopwatch::Stopwatch;

const ROUNDS: usize = 3;
const PER_DIRECTORY: usize = 50;
const MOVED: usize = 1000;
const LOOK_EVERY: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(600);

/// How many times faster than git each has to be on a repository of so many files.
struct Targets {
    warm: Option<f64>,
    moved: Option<f64>,
    removal: Option<f64>,
}

const EMPTY: f64 = 2.0;

fn targets(files: usize) -> Targets {
    let (warm, moved, removal) = match files {
        500 => (Some(3.0), None, Some(5.0)),
        20_000 => (Some(100.0), Some(5.0), Some(100.0)),
        100_000 => (Some(500.0), Some(20.0), Some(500.0)),
        _ => (None, None, None),
    };
    Targets { warm, moved, removal }
}

pub(crate) async fn run(scope: Scope, report: &mut Report) -> Result<(), BenchError> {
    // Kept to the end: a filesystem makes new files slowly for minutes after it has deleted many.
    let mut places = Vec::new();
    for files in scope.files {
        let place = place()?;
        measure(*files, &place, report).await?;
        places.push(place);
    }
    Ok(())
}

async fn measure(files: usize, place: &TempDir, report: &mut Report) -> Result<(), BenchError> {
    report.heading(&format!("Workspaces of {files} files, each beside plain git"));
    let repository = generate(&place.path().join("repo"), files).await?;
    let plain = Plain { repository: &repository, place: place.path() };
    let (mut warm, mut moved, mut empty) =
        (Sample::default(), Sample::default(), Sample::default());
    let (mut added, mut removed) = (Sample::default(), Sample::default());
    let (mut removal, mut aside) = (Sample::default(), Sample::default());

    let mut board = Board::start(place.path(), &repository, 1).await?;
    // Connections, statements and caches are warm in a server that has work to do.
    board.claim().await?;
    for round in 0..ROUNDS {
        board.full().await?;
        added.add(plain.add(&format!("before-{round}")).await?);
        warm.add(board.claim().await?);
    }
    for round in 0..ROUNDS {
        board.full().await?;
        touch(&repository, files, round).await?;
        rustix::fs::sync();
        moved.add(board.claim().await?);
    }
    board.stop().await?;

    let mut board = Board::start(place.path(), &repository, 0).await?;
    for round in 0..ROUNDS {
        rustix::fs::sync();
        added.add(plain.add(&format!("after-{round}")).await?);
        rustix::fs::sync();
        empty.add(board.claim().await?);
    }
    for round in 0..ROUNDS {
        let task = board.claimed.get(round).ok_or("every claim is remembered")?;
        removal.add(board.clean(task).await?);
    }
    board.stop().await?;
    for round in 0..ROUNDS {
        removed.add(plain.remove(&format!("before-{round}")).await?);
        aside.add(set_aside(&repository, place.path(), round).await?);
    }

    let targets = targets(files);
    let git = millis(added.median());
    report.add(Figure::new("git worktree add -b", git, "ms"));
    for (name, sample, target) in [
        ("claim, pool warm, target unmoved", &warm, targets.warm),
        ("claim, target moved by 1,000 files", &moved, targets.moved),
        ("claim, empty pool", &empty, Some(EMPTY)),
    ] {
        compare(report, name, millis(sample.median()), git, target);
    }
    let git = millis(removed.median());
    report.add(Figure::new("git worktree remove --force", git, "ms"));
    compare(report, "removal, whole request", millis(removal.median()), git, targets.removal);
    compare(report, "removal, aside under the lock", millis(aside.median()), git, None);
    Ok(())
}

fn compare(report: &mut Report, name: &str, ours: f64, git: f64, target: Option<f64>) {
    report.add(Figure::new(name, ours, "ms"));
    let ratio = Figure::new(format!("{name}, git ÷ ours"), git / ours, "x");
    report.add(ratio.aim(target.map_or(Aim::None, Aim::AtLeast)));
}

async fn generate(path: &Path, files: usize) -> Result<Repository, BenchError> {
    let repository = Repository::create(path).await;
    for number in 0..files {
        write(path, number, 0)?;
    }
    repository.commit("many files").await;
    repository.git(&["repack", "-a", "-d", "--quiet"]).await;
    Ok(repository)
}

/// Text that does not compress to nothing, of a size that sources have.
fn write(path: &Path, number: usize, round: usize) -> std::io::Result<()> {
    let directory = path
        .join(format!("part{}", number / PER_DIRECTORY / 20))
        .join(format!("dir{}", number / PER_DIRECTORY));
    std::fs::create_dir_all(&directory)?;
    let mut seed = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ round as u64;
    let mut text = format!("file {number} as of {round}\n");
    for _ in 0..5 + number % 30 {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        text.push_str(&format!("    let value_{seed:x} = compute({});\n", seed % 1000));
    }
    std::fs::write(directory.join(format!("file{number}.rs")), text)
}

/// A person's commit that changes some files.
async fn touch(repository: &Repository, files: usize, round: usize) -> Result<(), BenchError> {
    let step = (files / MOVED).max(1);
    for number in (0..files).step_by(step).take(MOVED) {
        write(repository.path(), number, round + 1)?;
    }
    repository.commit(&format!("move {round}")).await;
    Ok(())
}

struct Plain<'a> {
    repository: &'a Repository,
    place: &'a Path,
}

impl Plain<'_> {
    async fn add(&self, name: &str) -> Result<Duration, BenchError> {
        let path = self.path(name);
        let watch = Stopwatch::start();
        self.repository.git(&["worktree", "add", "--quiet", "-b", name, &path]).await;
        Ok(watch.elapsed())
    }

    async fn remove(&self, name: &str) -> Result<Duration, BenchError> {
        let path = self.path(name);
        let watch = Stopwatch::start();
        self.repository.git(&["worktree", "remove", "--force", &path]).await;
        Ok(watch.elapsed())
    }

    fn path(&self, name: &str) -> String {
        self.place.join("plain").join(name).display().to_string()
    }
}

/// What a removal does before it answers.
async fn set_aside(
    repository: &Repository,
    place: &Path,
    round: usize,
) -> Result<Duration, BenchError> {
    let repo = Repo::open(&Git::locate(&search_path())?, repository.path()).await?;
    let root = WorkspaceRoot::open(&place.join("removals")).await?;
    let (locks, workspaces) =
        (RepoLocks::new(place.join("locks")), WorkspaceLocks::new(place.join("locks")));
    let process = ProcessIdentity::of_self().ok_or("this process is not in the kernel's table")?;
    let holder = Holder { execution: "a bench".to_owned(), node: "here".to_owned(), process };
    let name = DirectoryName::new(format!("removal-{round}"))?;
    let hold = workspaces.hold(&root, &name, holder, Patience::Reject).await?;
    let base = repo.tip(&BranchName::new("main")?).await?.ok_or("main is there")?;
    let branch = WorktreeBranch::New { name: BranchName::new(format!("removal-{round}"))?, base };
    repo.add_worktree(&locks, &hold, &branch).await?;
    let watch = Stopwatch::start();
    locks.acquire(&repo).await?.remove_worktree(&hold).await?;
    let elapsed = watch.elapsed();
    root.empty_trash().await?;
    Ok(elapsed)
}

/// A server with one project on the repository.
struct Board {
    address: SocketAddr,
    project: String,
    root: PathBuf,
    pool: usize,
    tasks: usize,
    claimed: Vec<String>,
    stop: CancellationToken,
    serving: JoinHandle<()>,
}

impl Board {
    async fn start(place: &Path, repository: &Repository, pool: usize) -> Result<Self, BenchError> {
        let data = place.join(format!("data-{pool}"));
        let flags = [
            ("data_dir", data.display().to_string()),
            ("bind", "127.0.0.1:0".to_owned()),
            ("pool_size", pool.to_string()),
        ];
        let flags = flags.map(|(name, value)| (name.to_owned(), value));
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
        let mut client = HttpClient::connect(address).await?;
        let project = client.create("/api/v1/projects", &json!({ "name": "Bench" })).await?;
        let project = project["id"].as_str().unwrap_or_default().to_owned();
        let path = format!("/api/v1/projects/{project}/repos");
        client.create(&path, &json!({ "path": repository.path() })).await?;
        let root = data.join("workspaces");
        Ok(Self { address, project, root, pool, tasks: 0, claimed: Vec::new(), stop, serving })
    }

    /// From the request to the answer that says that the workspace is ready.
    async fn claim(&mut self) -> Result<Duration, BenchError> {
        self.tasks += 1;
        let path = format!("/api/v1/projects/{}/tasks", self.project);
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
    async fn clean(&self, task: &str) -> Result<Duration, BenchError> {
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
    async fn full(&self) -> Result<(), BenchError> {
        let mut looks = tokio::time::interval(LOOK_EVERY);
        let filled = async {
            loop {
                looks.tick().await;
                if ready(&self.root.join(".pool")) >= self.pool {
                    return;
                }
            }
        };
        tokio::time::timeout(PATIENCE, filled).await.map_err(|_| "the pool was not filled")?;
        rustix::fs::sync();
        Ok(())
    }

    async fn stop(self) -> Result<(), BenchError> {
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

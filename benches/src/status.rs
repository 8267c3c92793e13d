//! Looking at workspaces (W-16), over HTTP, beside plain `git status` in the same run.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use forge_git::{
    BranchName, DirectoryName, Git, Journal, JournalNote, JournalReason, Person, Repo, RepoLocks,
    Signature, Site, WorkspaceRoot,
};
use forge_server::settings::Settings;
use forge_testkit::repository::{Repository, search_path};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use crate::bench_error::BenchError;
use crate::figure::{Aim, Figure};
use crate::http_client::{HttpClient, TOKEN};
use crate::place::place;
use crate::report::Report;
use crate::sample::{Sample, millis, spread};
use crate::scope::Scope;
use crate::stopwatch::Stopwatch;

const ROUNDS: usize = 15;
const TOUCHED: usize = 5;
const FILES_OF_A_DIRECTORY: usize = 50;
const MOST_LIST_MILLIS: f64 = 10.0;
const MOST_DIFF_RATIO: f64 = 1.3;
const MOST_ENTRY_RATIO: f64 = 1.5;
const MOST_STREAM_MILLIS: f64 = 300.0;

/// A task and its worktree.
struct Workspace {
    task: String,
    path: PathBuf,
    branch: String,
}

pub(crate) async fn run(scope: Scope, report: &mut Report) -> Result<(), BenchError> {
    let (count, files) = (scope.workspaces, scope.files_looked_at);
    report.heading(&format!("Looking at workspaces: {count} of {files} files"));
    let place = place()?;
    let data = place.path().join("data").display().to_string();
    let flags = [("data_dir", data.as_str()), ("bind", "127.0.0.1:0")];
    let flags = flags.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let environment: Vec<(OsString, OsString)> = vec![
        ("PATH".into(), search_path()),
        ("HOME".into(), place.path().into()),
        ("FORGE_BOOTSTRAP_TOKEN".into(), TOKEN.into()),
    ];
    let settings = Settings::load(flags, environment.clone())?;
    let server = forge_server::start(settings, environment).await?;
    let (address, stop) = (server.address(), CancellationToken::new());
    let serving = tokio::spawn(server.run_until(stop.clone()));
    let repository = generate(&place.path().join("repository"), files).await?;
    let workspaces = claim(address, &repository, count).await?;
    let mut client = HttpClient::connect(address).await?;
    diffs(&mut client, &workspaces, report).await?;
    summaries(&mut client, report).await?;
    stream(address, &workspaces, report).await?;
    entries(&repository, place.path(), &workspaces, report).await?;
    stop.cancel();
    serving.await?;
    Ok(())
}

async fn generate(path: &Path, files: usize) -> Result<Repository, BenchError> {
    let repository = Repository::create(path).await;
    for number in 0..files {
        let directory = number / FILES_OF_A_DIRECTORY;
        let directory = path.join(format!("d{}/e{}", directory / 20, directory % 20));
        std::fs::create_dir_all(&directory)?;
        let content = format!("file {number}\n").repeat(20);
        std::fs::write(directory.join(format!("f{number}.txt")), content)?;
    }
    repository.commit("files").await;
    Ok(repository)
}

async fn claim(
    address: SocketAddr,
    repository: &Repository,
    count: usize,
) -> Result<Vec<Workspace>, BenchError> {
    let mut client = HttpClient::connect(address).await?;
    let project = client.create("/api/v1/projects", &json!({ "name": "Bench" })).await?;
    let project = format!("/api/v1/projects/{}", text(&project["id"]));
    let repo = json!({ "path": repository.path() });
    client.create(&format!("{project}/repos"), &repo).await?;
    let mut workspaces = Vec::new();
    for number in 0..count {
        let asked = json!({ "title": format!("Task {number}") });
        let task = client.create(&format!("{project}/tasks"), &asked).await?;
        let task = text(&task["id"]);
        let body = Some(Bytes::from_static(b"{}"));
        let path = format!("/api/v1/tasks/{task}/claim");
        let (status, said) = client.call(Method::POST, &path, body).await?;
        if status != StatusCode::OK {
            return Err(format!("POST {path}: {status} {}", String::from_utf8_lossy(&said)).into());
        }
        let found = read(&mut client, &format!("/api/v1/tasks/{task}/workspace")).await?;
        let (path, branch) = (text(&found["path"]).into(), text(&found["branch"]));
        workspaces.push(Workspace { task, path, branch });
    }
    Ok(workspaces)
}

/// The first diff of a workspace that nobody has looked at, and the next one of a workspace that is watched.
async fn diffs(
    client: &mut HttpClient,
    workspaces: &[Workspace],
    report: &mut Report,
) -> Result<(), BenchError> {
    let (mut first, mut plain, mut next) =
        (Sample::default(), Sample::default(), Sample::default());
    let mut ratios = Vec::new();
    for workspace in workspaces {
        touch(workspace, 0)?;
        let mut statuses = Sample::default();
        for _ in 0..3 {
            statuses.add(status(workspace).await);
        }
        let watch = Stopwatch::start();
        let diff = read(client, &format!("/api/v1/tasks/{}/diff", workspace.task)).await?;
        let time = watch.elapsed();
        expect_files(&diff)?;
        first.add(time);
        plain.join(statuses.clone());
        ratios.push(millis(time) / millis(statuses.median()));
    }
    for (round, workspace) in workspaces.iter().cycle().take(ROUNDS).enumerate() {
        let path = format!("/api/v1/tasks/{}/diff", workspace.task);
        // Until the watch is there, which nothing tells but an answer that does not change any more.
        read(client, &format!("/api/v1/tasks/{}/workspace", workspace.task)).await?;
        read(client, &path).await?;
        touch(workspace, round + 1)?;
        let watch = Stopwatch::start();
        expect_files(&read(client, &path).await?)?;
        next.add(watch.elapsed());
    }
    report.add(Figure::new("git status, median", millis(plain.median()), "ms"));
    report.add(Figure::new("first diff, median", millis(first.median()), "ms"));
    let ratio = Figure::new("first diff ÷ git status, median", spread(&mut ratios).median, "x");
    report.add(ratio.aim(Aim::AtMost(MOST_DIFF_RATIO)));
    report.add(Figure::new("diff after another write, median", millis(next.median()), "ms"));
    let ratio = millis(next.median()) / millis(plain.median());
    report.add(Figure::new("diff after another write ÷ git status", ratio, "x"));
    Ok(())
}

/// All summaries in one request, of workspaces in which nothing happened since they were last looked at.
async fn summaries(client: &mut HttpClient, report: &mut Report) -> Result<(), BenchError> {
    let list = "/api/v1/workspaces?limit=200";
    // The first look starts the watch, the second is kept.
    let mut quiet = false;
    for _ in 0..ROUNDS {
        let before = children_faults()?;
        read(client, list).await?;
        quiet = children_faults()? == before;
        if quiet {
            break;
        }
    }
    let mut times = Sample::default();
    let before = children_faults()?;
    for _ in 0..ROUNDS {
        let watch = Stopwatch::start();
        read(client, list).await?;
        times.add(watch.elapsed());
    }
    let runs = children_faults()? - before;
    if !quiet || runs > 0.0 {
        report.heading("  (git ran although nothing had changed)");
    }
    report.add(
        Figure::new("git processes seen meanwhile (page faults)", runs, "").aim(Aim::AtMost(0.0)),
    );
    let median = Figure::new("all summaries, unchanged, median", millis(times.median()), "ms");
    report.add(median.aim(Aim::AtMost(MOST_LIST_MILLIS)));
    report.add(Figure::new(
        "all summaries, unchanged, slowest",
        millis(times.percentile(100)),
        "ms",
    ));
    Ok(())
}

/// From a write to the event that tells of it.
async fn stream(
    address: SocketAddr,
    workspaces: &[Workspace],
    report: &mut Report,
) -> Result<(), BenchError> {
    let workspace = workspaces.first().ok_or("there is no workspace")?;
    let mut connection = TcpStream::connect(address).await?;
    let path = format!("/api/v1/tasks/{}/diff/stream", workspace.task);
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {TOKEN}\r\n\r\n");
    connection.write_all(request.as_bytes()).await?;
    until(&mut connection, "event: diff").await?;
    let mut times = Sample::default();
    for round in 0..ROUNDS {
        let name = format!("told-{round}.txt");
        let watch = Stopwatch::start();
        std::fs::write(workspace.path.join(&name), "told\n")?;
        until(&mut connection, &name).await?;
        times.add(watch.elapsed());
    }
    let median = Figure::new("a write is in the stream, median", millis(times.median()), "ms");
    report.add(median.aim(Aim::AtMost(MOST_STREAM_MILLIS)));
    report.add(Figure::new(
        "a write is in the stream, slowest",
        millis(times.percentile(100)),
        "ms",
    ));
    Ok(())
}

/// The state of a workspace kept in its journal, each time with five other files (W-14).
async fn entries(
    repository: &Repository,
    place: &Path,
    workspaces: &[Workspace],
    report: &mut Report,
) -> Result<(), BenchError> {
    let repo = Repo::open(&Git::locate(&search_path())?, repository.path()).await?;
    let data = place.join("data");
    let root = WorkspaceRoot::open(&data.join("workspaces")).await?;
    let locks = RepoLocks::new(data.join("locks"));
    let (mut kept, mut ratios) = (Sample::default(), Vec::new());
    for (round, workspace) in workspaces.iter().cycle().take(ROUNDS).enumerate() {
        let name = workspace.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let branch = BranchName::new(workspace.branch.as_str())?;
        let site = Site::find(&repo, &root, &DirectoryName::new(name)?, &branch).await?;
        let journal = Journal::of(&repo, &workspace.task)?;
        touch(workspace, ROUNDS + round)?;
        let plain = status(workspace).await;
        touch(workspace, 2 * ROUNDS + round)?;
        let author = Person::new("Bench", "bench@localhost")?;
        let signature = Signature { author: author.clone(), committer: author, at: 0 };
        let note = JournalNote { reason: JournalReason::Periodic, execution: None, signature };
        let watch = Stopwatch::start();
        journal.record(&locks, &site, &note).await?;
        let time = watch.elapsed();
        kept.add(time);
        ratios.push(millis(time) / millis(plain));
    }
    report.add(Figure::new("a journal entry, median", millis(kept.median()), "ms"));
    let ratio =
        Figure::new("a journal entry ÷ git status, median", spread(&mut ratios).median, "x");
    report.add(ratio.aim(Aim::AtMost(MOST_ENTRY_RATIO)));
    Ok(())
}

async fn until(connection: &mut TcpStream, wanted: &str) -> Result<(), BenchError> {
    let (mut seen, mut buffer) = (String::new(), vec![0; 64 * 1024]);
    while !seen.contains(wanted) {
        let count = connection.read(&mut buffer).await?;
        if count == 0 {
            return Err(format!("the stream ended before {wanted}: {seen}").into());
        }
        seen.push_str(&String::from_utf8_lossy(buffer.get(..count).unwrap_or_default()));
    }
    Ok(())
}

/// Edits some files and adds one.
fn touch(workspace: &Workspace, round: usize) -> std::io::Result<()> {
    for number in 0..TOUCHED {
        let file = number * FILES_OF_A_DIRECTORY;
        let name = format!("d0/e{number}/f{file}.txt");
        std::fs::write(workspace.path.join(name), format!("edited {round}\n"))?;
    }
    std::fs::write(workspace.path.join("d0/new.txt"), format!("new {round}\n"))
}

fn expect_files(diff: &Value) -> Result<(), BenchError> {
    let files = diff["files"].as_array().map_or(0, Vec::len);
    if files == TOUCHED + 1 { Ok(()) } else { Err(format!("{files} files in {diff}").into()) }
}

async fn status(workspace: &Workspace) -> std::time::Duration {
    let repository = Repository::at(&workspace.path);
    let watch = Stopwatch::start();
    repository.git(&["status"]).await;
    watch.elapsed()
}

async fn read(client: &mut HttpClient, path: &str) -> Result<Value, BenchError> {
    let (status, answer) = client.call(Method::GET, path, None).await?;
    if status != StatusCode::OK {
        return Err(format!("GET {path}: {status} {}", String::from_utf8_lossy(&answer)).into());
    }
    Ok(serde_json::from_slice(&answer)?)
}

/// Page faults of all processes that this one started and that are over: any git would add hundreds.
fn children_faults() -> Result<f64, BenchError> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
    let faults = fields.split_ascii_whitespace().nth(8).and_then(|field| field.parse().ok());
    faults.ok_or_else(|| "the system does not count page faults".into())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

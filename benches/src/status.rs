//! Workspace status (W-16) over HTTP, compared with plain `git status` in the same run.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use forge_git::{
    BranchName, CommitIdentity, CommitSignature, DirectoryName, GitProgram, Journal,
    JournalEntryMetadata, JournalReason, Repo, RepoLocks, SnapshotSource, WorkspaceRoot,
};
use forge_server::settings::ServerSettings;
use forge_testkit::test_repository::{TestRepository, search_path};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use crate::bench_dir::bench_dir;
use crate::bench_error::BenchError;
use crate::bench_report::BenchReport;
use crate::bench_scope::BenchScope;
use crate::duration_sample::{DurationSample, millis, spread};
use crate::http_client::{HttpClient, TOKEN};
use crate::report_figure::{FigureTarget, ReportFigure};
use crate::stopwatch::BenchStopwatch;

const ROUNDS: usize = 15;
const TOUCHED: usize = 5;
const FILES_OF_A_DIRECTORY: usize = 50;
const MOST_LIST_MILLIS: f64 = 10.0;
const MOST_DIFF_RATIO: f64 = 1.3;
const MOST_ENTRY_RATIO: f64 = 1.5;
const MOST_STREAM_MILLIS: f64 = 300.0;

/// A task and its worktree.
struct ClaimedWorkspace {
    task: String,
    path: PathBuf,
    branch: String,
}

pub(crate) async fn run(scope: BenchScope, report: &mut BenchReport) -> Result<(), BenchError> {
    let (count, files) = (scope.workspaces, scope.files_looked_at);
    report.heading(&format!("Looking at workspaces: {count} of {files} files"));
    let place = bench_dir()?;
    let data = place.path().join("data").display().to_string();
    let flags = [("data_dir", data.as_str()), ("bind", "127.0.0.1:0")];
    let flags = flags.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let environment: Vec<(OsString, OsString)> = vec![
        ("PATH".into(), search_path()),
        ("HOME".into(), place.path().into()),
        ("FORGE_BOOTSTRAP_TOKEN".into(), TOKEN.into()),
    ];
    let settings = ServerSettings::load(flags, environment.clone())?;
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

async fn generate(path: &Path, files: usize) -> Result<TestRepository, BenchError> {
    let repository = TestRepository::create(path).await;
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
    repository: &TestRepository,
    count: usize,
) -> Result<Vec<ClaimedWorkspace>, BenchError> {
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
        workspaces.push(ClaimedWorkspace { task, path, branch });
    }
    Ok(workspaces)
}

/// The first diff of a workspace that was not read before, and the next one of a watched workspace.
async fn diffs(
    client: &mut HttpClient,
    workspaces: &[ClaimedWorkspace],
    report: &mut BenchReport,
) -> Result<(), BenchError> {
    let (mut first, mut plain, mut next) =
        (DurationSample::default(), DurationSample::default(), DurationSample::default());
    let mut ratios = Vec::new();
    for workspace in workspaces {
        change_files(workspace, 0)?;
        let mut statuses = DurationSample::default();
        for _ in 0..3 {
            statuses.add(status(workspace).await);
        }
        let watch = BenchStopwatch::start();
        let diff = read(client, &format!("/api/v1/tasks/{}/diff", workspace.task)).await?;
        let time = watch.elapsed();
        expect_files(&diff)?;
        first.add(time);
        plain.join(statuses.clone());
        ratios.push(millis(time) / millis(statuses.median()));
    }
    for (round, workspace) in workspaces.iter().cycle().take(ROUNDS).enumerate() {
        let path = format!("/api/v1/tasks/{}/diff", workspace.task);
        // Waits for the watch; the only sign of it is an answer that does not change any more.
        read(client, &format!("/api/v1/tasks/{}/workspace", workspace.task)).await?;
        read(client, &path).await?;
        change_files(workspace, round + 1)?;
        let watch = BenchStopwatch::start();
        expect_files(&read(client, &path).await?)?;
        next.add(watch.elapsed());
    }
    report.add(ReportFigure::new("git status, median", millis(plain.median()), "ms"));
    report.add(ReportFigure::new("first diff, median", millis(first.median()), "ms"));
    let ratio =
        ReportFigure::new("first diff ÷ git status, median", spread(&mut ratios).median, "x");
    report.add(ratio.target(FigureTarget::AtMost(MOST_DIFF_RATIO)));
    report.add(ReportFigure::new("diff after another write, median", millis(next.median()), "ms"));
    let ratio = millis(next.median()) / millis(plain.median());
    report.add(ReportFigure::new("diff after another write ÷ git status", ratio, "x"));
    Ok(())
}

/// All summaries in one request, of workspaces without changes since the last request.
async fn summaries(client: &mut HttpClient, report: &mut BenchReport) -> Result<(), BenchError> {
    let list = "/api/v1/workspaces?limit=200";
    // The first request starts the watch, the second is cached.
    let mut quiet = false;
    for _ in 0..ROUNDS {
        let before = children_faults()?;
        read(client, list).await?;
        quiet = children_faults()? == before;
        if quiet {
            break;
        }
    }
    let mut times = DurationSample::default();
    let before = children_faults()?;
    for _ in 0..ROUNDS {
        let watch = BenchStopwatch::start();
        read(client, list).await?;
        times.add(watch.elapsed());
    }
    let runs = children_faults()? - before;
    if !quiet || runs > 0.0 {
        report.heading("  (git ran although nothing had changed)");
    }
    report.add(
        ReportFigure::new("git processes seen meanwhile (page faults)", runs, "")
            .target(FigureTarget::AtMost(0.0)),
    );
    let median =
        ReportFigure::new("all summaries, unchanged, median", millis(times.median()), "ms");
    report.add(median.target(FigureTarget::AtMost(MOST_LIST_MILLIS)));
    report.add(ReportFigure::new(
        "all summaries, unchanged, slowest",
        millis(times.percentile(100)),
        "ms",
    ));
    Ok(())
}

/// From a write to the event that reports it.
async fn stream(
    address: SocketAddr,
    workspaces: &[ClaimedWorkspace],
    report: &mut BenchReport,
) -> Result<(), BenchError> {
    let workspace = workspaces.first().ok_or("there is no workspace")?;
    let mut connection = TcpStream::connect(address).await?;
    let path = format!("/api/v1/tasks/{}/diff/stream", workspace.task);
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {TOKEN}\r\n\r\n");
    connection.write_all(request.as_bytes()).await?;
    wait_for_text(&mut connection, "event: diff").await?;
    let mut times = DurationSample::default();
    for round in 0..ROUNDS {
        let name = format!("told-{round}.txt");
        let watch = BenchStopwatch::start();
        std::fs::write(workspace.path.join(&name), "told\n")?;
        wait_for_text(&mut connection, &name).await?;
        times.add(watch.elapsed());
    }
    let median =
        ReportFigure::new("a write is in the stream, median", millis(times.median()), "ms");
    report.add(median.target(FigureTarget::AtMost(MOST_STREAM_MILLIS)));
    report.add(ReportFigure::new(
        "a write is in the stream, slowest",
        millis(times.percentile(100)),
        "ms",
    ));
    Ok(())
}

/// Saves the state of a workspace to its journal, each time with five other files (W-14).
async fn entries(
    repository: &TestRepository,
    place: &Path,
    workspaces: &[ClaimedWorkspace],
    report: &mut BenchReport,
) -> Result<(), BenchError> {
    let repo = Repo::open(&GitProgram::locate(&search_path())?, repository.path()).await?;
    let data = place.join("data");
    let root = WorkspaceRoot::open(&data.join("workspaces")).await?;
    let locks = RepoLocks::new(data.join("locks"));
    let (mut kept, mut ratios) = (DurationSample::default(), Vec::new());
    for (round, workspace) in workspaces.iter().cycle().take(ROUNDS).enumerate() {
        let name = workspace.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let branch = BranchName::new(workspace.branch.as_str())?;
        let site = SnapshotSource::find(&repo, &root, &DirectoryName::new(name)?, &branch).await?;
        let journal = Journal::for_task(&repo, &workspace.task)?;
        change_files(workspace, ROUNDS + round)?;
        let plain = status(workspace).await;
        change_files(workspace, 2 * ROUNDS + round)?;
        let author = CommitIdentity::new("Bench", "bench@localhost")?;
        let signature = CommitSignature { author: author.clone(), committer: author, at: 0 };
        let note =
            JournalEntryMetadata { reason: JournalReason::Periodic, execution: None, signature };
        let watch = BenchStopwatch::start();
        journal.save_workspace(&locks, &site, &note).await?;
        let time = watch.elapsed();
        kept.add(time);
        ratios.push(millis(time) / millis(plain));
    }
    report.add(ReportFigure::new("a journal entry, median", millis(kept.median()), "ms"));
    let ratio =
        ReportFigure::new("a journal entry ÷ git status, median", spread(&mut ratios).median, "x");
    report.add(ratio.target(FigureTarget::AtMost(MOST_ENTRY_RATIO)));
    Ok(())
}

async fn wait_for_text(connection: &mut TcpStream, wanted: &str) -> Result<(), BenchError> {
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
fn change_files(workspace: &ClaimedWorkspace, round: usize) -> std::io::Result<()> {
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

async fn status(workspace: &ClaimedWorkspace) -> std::time::Duration {
    let repository = TestRepository::open(&workspace.path);
    let watch = BenchStopwatch::start();
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

/// Page faults of all ended child processes: any git process would add hundreds.
fn children_faults() -> Result<f64, BenchError> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
    let faults = fields.split_ascii_whitespace().nth(8).and_then(|field| field.parse().ok());
    faults.ok_or_else(|| "the system does not count page faults".into())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

//! Landing, compared with the same steps in git, and many landings at once compared with the capacity of the checks
//! (M-6, M-11).

use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use forge_domain::workflow::{StateDefinition, template};
use forge_testkit::test_repository::TestRepository;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::bench_dir::bench_dir;
use crate::bench_error::BenchError;
use crate::bench_report::BenchReport;
use crate::bench_scope::BenchScope;
use crate::duration_sample::{DurationSample, millis};
use crate::http_client::HttpClient;
use crate::many_files::generate;
use crate::report_figure::{FigureTarget, ReportFigure};
use crate::stopwatch::BenchStopwatch;
use crate::workspace_server::WorkspaceServer;

const ROUNDS: usize = 5;
/// A branch that is not checked out: the git variant does not update a checkout either.
const TARGET: &str = "trunk";
const WORKFLOW: &str = "no-review";
const AGENTS: usize = 40;
const SLOTS: usize = 4;
const CHECK_SECONDS: f64 = 2.0;
const POLL_INTERVAL: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(300);
const REF_POLL_INTERVAL: Duration = Duration::from_millis(1);

pub(crate) async fn run(scope: BenchScope, report: &mut BenchReport) -> Result<(), BenchError> {
    measure_single_landings(scope.files_looked_at, report).await?;
    report.heading(&format!("{AGENTS} agents that are done at once, a small repository"));
    let landed = measure_many_landings(json!({ "merge": { "train": true } })).await?;
    let name = "landings a second, no checks";
    report.add(ReportFigure::new(name, landed, "/s").target(FigureTarget::AtLeast(5.0)));
    let landed = measure_many_landings(json!({
        "merge": { "train": true },
        "default_review_config": { "ci_steps": [format!("sleep {CHECK_SECONDS}")] },
    }))
    .await?;
    let bound = SLOTS as f64 / CHECK_SECONDS;
    report.add(ReportFigure::new("landings a second, checks of 2 s in 4 slots", landed, "/s"));
    let name = "the same ÷ slots ÷ check time";
    report.add(ReportFigure::new(name, landed / bound, "x").target(FigureTarget::AtLeast(0.7)));
    Ok(())
}

/// A squash on a repository of many files: the whole request compared with a temporary worktree.
async fn measure_single_landings(files: usize, report: &mut BenchReport) -> Result<(), BenchError> {
    report.heading(&format!("Landing a squash on {files} files"));
    let place = bench_dir()?;
    let repository = generate(&place.path().join("repo"), files).await?;
    repository.git(&["branch", TARGET]).await;
    let mut hosted = WorkspaceServer::start_empty(place.path(), 0, &[]).await?;
    hosted.add(&repository, json!({ "workflow": WORKFLOW })).await?;
    let (mut ours, mut whole) = (DurationSample::default(), DurationSample::default());
    let (mut plain, mut plain_whole) = (DurationSample::default(), DurationSample::default());
    for round in 0..ROUNDS {
        let (landed, answered) = land(&hosted, &repository, round).await?;
        ours.add(landed);
        whole.add(answered);
        rustix::fs::sync();
        let (landed, cleared) = land_with_git(&repository, place.path(), round).await;
        plain.add(landed);
        plain_whole.add(cleared);
        rustix::fs::sync();
    }
    hosted.stop().await?;
    let (ours, plain) = (millis(ours.median()), millis(plain.median()));
    report.add(ReportFigure::new("worktree, merge --squash, commit, remove", plain, "ms"));
    report.add(ReportFigure::new("landing, from the request until the target has it", ours, "ms"));
    report.add(
        ReportFigure::new("git ÷ ours", plain / ours, "x").target(FigureTarget::AtLeast(10.0)),
    );
    let (whole, plain) = (millis(whole.median()), millis(plain_whole.median()));
    report.add(ReportFigure::new("git, the task's worktree and branch gone too", plain, "ms"));
    report.add(ReportFigure::new("ours, whole request, the same gone and saved", whole, "ms"));
    report.add(
        ReportFigure::new("git ÷ ours", plain / whole, "x").target(FigureTarget::AtLeast(10.0)),
    );
    Ok(())
}

/// Lands a user's task: measures until the target has the commit, and until the answer, when its workspace is
/// removed.
async fn land(
    hosted: &WorkspaceServer,
    repository: &TestRepository,
    round: usize,
) -> Result<(Duration, Duration), BenchError> {
    let mut client = HttpClient::connect(hosted.address).await?;
    let asked = json!({
        "title": format!("Land {round}"),
        "merge_config": { "target_branch": TARGET },
    });
    let task = client.create(&hosted.tasks_of(0), &asked).await?;
    let task = format!("/api/v1/tasks/{}", task["id"].as_str().unwrap_or_default());
    let claimed = send(&mut client, &format!("{task}/claim"), &json!({})).await?;
    let found = get(&mut client, &format!("{task}/workspace")).await?;
    let path = found["path"].as_str().ok_or("the claim made no workspace")?;
    let worktree = TestRepository::open(Path::new(path));
    worktree.write(&format!("landed-{round}.rs"), "fn landed() {}\n");
    worktree.commit("work").await;
    let version = &claimed["version"];
    let version = if version.is_null() { &claimed["task"]["version"] } else { version };
    let merge = state(|state| state.merged.is_some())?;
    let asked = json!({ "status": merge, "version": version });
    let mut client = HttpClient::connect(hosted.address).await?;
    let tip = repository.path().join(".git/refs/heads").join(TARGET);
    let before = std::fs::read(&tip)?;
    let watch = BenchStopwatch::start();
    let moved = async {
        let mut looks = tokio::time::interval(REF_POLL_INTERVAL);
        while std::fs::read(&tip).is_ok_and(|now| now == before) {
            looks.tick().await;
        }
        watch.elapsed()
    };
    let moved = tokio::time::timeout(PATIENCE, moved);
    let asking = async {
        let answer = send(&mut client, &format!("{task}/transition"), &asked).await;
        (answer, watch.elapsed())
    };
    let (moved, (answer, answered)) = tokio::join!(moved, asking);
    let (moved, answer) = (moved.map_err(|_| "the target did not move")?, answer?);
    let landed = format!("{TARGET}:landed-{round}.rs");
    if !repository.try_git(&["cat-file", "-e", &landed]).await.0 {
        return Err(format!("it did not land: {answer}").into());
    }
    Ok((moved, answered))
}

/// The name of the first workflow state that matches.
fn state(is_it: impl Fn(&StateDefinition) -> bool) -> Result<String, BenchError> {
    let workflow = template(WORKFLOW).ok_or("the workflow is shipped")?;
    let found = workflow.state.into_iter().find(is_it);
    Ok(found.ok_or("the workflow has such a state")?.name)
}

/// The same with git alone: until it has landed, and until the task's worktree and branch are removed as well.
async fn land_with_git(
    repository: &TestRepository,
    place: &Path,
    round: usize,
) -> (Duration, Duration) {
    let branch = format!("by-hand-{round}");
    let work = place.join(format!("work-{round}"));
    let path = work.display().to_string();
    repository.git(&["worktree", "add", "--quiet", "-b", &branch, &path, TARGET]).await;
    let worktree = TestRepository::open(&work);
    worktree.write(&format!("by-hand-{round}.rs"), "fn landed() {}\n");
    worktree.commit("work").await;
    rustix::fs::sync();
    let merge = place.join(format!("merge-{round}"));
    let path = merge.display().to_string();
    let watch = BenchStopwatch::start();
    repository.git(&["worktree", "add", "--quiet", "--detach", &path, TARGET]).await;
    let merging = TestRepository::open(&merge);
    merging.git(&["merge", "--quiet", "--squash", &branch]).await;
    merging.git(&["commit", "--quiet", "-m", "squashed"]).await;
    let head = merging.git(&["rev-parse", "HEAD"]).await;
    repository.git(&["update-ref", &format!("refs/heads/{TARGET}"), head.trim()]).await;
    repository.git(&["worktree", "remove", "--force", &path]).await;
    let landed = watch.elapsed();
    let path = work.display().to_string();
    repository.git(&["worktree", "remove", "--force", &path]).await;
    repository.git(&["branch", "--quiet", "-D", &branch]).await;
    (landed, watch.elapsed())
}

/// Landings per second, from the moment the tasks become claimable.
async fn measure_many_landings(settings: Value) -> Result<f64, BenchError> {
    let place = bench_dir()?;
    let repository = TestRepository::create(&place.path().join("repo")).await;
    let slots = [("max_concurrent_checks", SLOTS.to_string())];
    let mut hosted = WorkspaceServer::start_empty(place.path(), 4, &slots).await?;
    let mut client = HttpClient::connect(hosted.address).await?;
    send(&mut client, "/api/v1/system/dispatch/pause", &json!({})).await?;
    let agent = json!({
        "name": "coder",
        "executor": {
            "kind": "shell",
            "command": ["sh", "-c", "echo \"$FORGE_TASK_ID\" > \"$FORGE_TASK_ID.txt\""],
        },
        "max_concurrent": AGENTS,
    });
    client.create("/api/v1/agents", &agent).await?;
    let mut settings = settings;
    settings["dispatch"] = json!({ "enabled": true });
    hosted.add(&repository, json!({ "workflow": WORKFLOW, "settings": settings })).await?;
    let ready = state(|state| state.claimable)?;
    for number in 0..AGENTS {
        let task = json!({ "title": format!("Task {number}") });
        let task = client.create(&hosted.tasks_of(0), &task).await?;
        let path = format!("/api/v1/tasks/{}/transition", task["id"].as_str().unwrap_or_default());
        send(&mut client, &path, &json!({ "status": ready, "version": task["version"] })).await?;
    }
    hosted.wait_for_full_pools().await?;
    let watch = BenchStopwatch::start();
    send(&mut client, "/api/v1/system/dispatch/resume", &json!({})).await?;
    let mut looks = tokio::time::interval(POLL_INTERVAL);
    let all = async {
        loop {
            looks.tick().await;
            let landed = repository.git(&["rev-list", "--count", "main"]).await;
            if landed.trim() == (AGENTS + 1).to_string() {
                return watch.elapsed();
            }
        }
    };
    let elapsed = tokio::time::timeout(PATIENCE, all).await.map_err(|_| "not all landed")?;
    hosted.stop().await?;
    Ok(AGENTS as f64 / elapsed.as_secs_f64())
}

async fn send(client: &mut HttpClient, path: &str, body: &Value) -> Result<Value, BenchError> {
    let body = Bytes::from(serde_json::to_vec(body)?);
    let (status, said) = client.call(Method::POST, path, Some(body)).await?;
    if status != StatusCode::OK {
        return Err(format!("{path}: {status}: {}", String::from_utf8_lossy(&said)).into());
    }
    Ok(serde_json::from_slice(&said)?)
}

async fn get(client: &mut HttpClient, path: &str) -> Result<Value, BenchError> {
    let (_, said) = client.call(Method::GET, path, None).await?;
    Ok(serde_json::from_slice(&said)?)
}

//! Landing, beside what a person would do with git, and many at once beside what the checks allow (M-6, M-11).

use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use forge_domain::workflow::{StateDefinition, template};
use forge_testkit::repository::Repository;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::bench_error::BenchError;
use crate::figure::{Aim, Figure};
use crate::hosted::Hosted;
use crate::http_client::HttpClient;
use crate::many_files::generate;
use crate::place::place;
use crate::report::Report;
use crate::sample::{Sample, millis};
use crate::scope::Scope;
use crate::stopwatch::Stopwatch;

const ROUNDS: usize = 5;
/// Where nobody has it checked out: git's way does not bring a checkout forward either.
const TARGET: &str = "trunk";
const WORKFLOW: &str = "no-review";
const AGENTS: usize = 40;
const SLOTS: usize = 4;
const CHECK_SECONDS: f64 = 2.0;
const LOOK_EVERY: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(300);
const REF_LOOK_EVERY: Duration = Duration::from_millis(1);

pub(crate) async fn run(scope: Scope, report: &mut Report) -> Result<(), BenchError> {
    one_by_one(scope.files_looked_at, report).await?;
    report.heading(&format!("{AGENTS} agents that are done at once, a small repository"));
    let landed = many(json!({ "merge": { "train": true } })).await?;
    let name = "landings a second, no checks";
    report.add(Figure::new(name, landed, "/s").aim(Aim::AtLeast(5.0)));
    let landed = many(json!({
        "merge": { "train": true },
        "default_review_config": { "ci_steps": [format!("sleep {CHECK_SECONDS}")] },
    }))
    .await?;
    let bound = SLOTS as f64 / CHECK_SECONDS;
    report.add(Figure::new("landings a second, checks of 2 s in 4 slots", landed, "/s"));
    let name = "the same ÷ slots ÷ check time";
    report.add(Figure::new(name, landed / bound, "x").aim(Aim::AtLeast(0.7)));
    Ok(())
}

/// A squash on a repository of many files: the whole request beside a temporary worktree.
async fn one_by_one(files: usize, report: &mut Report) -> Result<(), BenchError> {
    report.heading(&format!("Landing a squash on {files} files"));
    let place = place()?;
    let repository = generate(&place.path().join("repo"), files).await?;
    repository.git(&["branch", TARGET]).await;
    let mut hosted = Hosted::empty(place.path(), 0, &[]).await?;
    hosted.add(&repository, json!({ "workflow": WORKFLOW })).await?;
    let (mut ours, mut whole) = (Sample::default(), Sample::default());
    let (mut plain, mut plain_whole) = (Sample::default(), Sample::default());
    for round in 0..ROUNDS {
        let (landed, answered) = land(&hosted, &repository, round).await?;
        ours.add(landed);
        whole.add(answered);
        rustix::fs::sync();
        let (landed, cleared) = by_hand(&repository, place.path(), round).await;
        plain.add(landed);
        plain_whole.add(cleared);
        rustix::fs::sync();
    }
    hosted.stop().await?;
    let (ours, plain) = (millis(ours.median()), millis(plain.median()));
    report.add(Figure::new("worktree, merge --squash, commit, remove", plain, "ms"));
    report.add(Figure::new("landing, from the request until the target has it", ours, "ms"));
    report.add(Figure::new("git ÷ ours", plain / ours, "x").aim(Aim::AtLeast(10.0)));
    let (whole, plain) = (millis(whole.median()), millis(plain_whole.median()));
    report.add(Figure::new("git, the task's worktree and branch gone too", plain, "ms"));
    report.add(Figure::new("ours, whole request, the same gone and saved", whole, "ms"));
    report.add(Figure::new("git ÷ ours", plain / whole, "x").aim(Aim::AtLeast(10.0)));
    Ok(())
}

/// A person's task: from the request to land it until its target has it, and until the answer, when its workspace is gone.
async fn land(
    hosted: &Hosted,
    repository: &Repository,
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
    let worktree = Repository::at(Path::new(path));
    worktree.write(&format!("landed-{round}.rs"), "fn landed() {}\n");
    worktree.commit("work").await;
    let version = &claimed["version"];
    let version = if version.is_null() { &claimed["task"]["version"] } else { version };
    let merge = state(|state| state.merged.is_some())?;
    let asked = json!({ "status": merge, "version": version });
    let mut client = HttpClient::connect(hosted.address).await?;
    let tip = repository.path().join(".git/refs/heads").join(TARGET);
    let before = std::fs::read(&tip)?;
    let watch = Stopwatch::start();
    let moved = async {
        let mut looks = tokio::time::interval(REF_LOOK_EVERY);
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

/// The state of the workflow that is like this.
fn state(is_it: impl Fn(&StateDefinition) -> bool) -> Result<String, BenchError> {
    let workflow = template(WORKFLOW).ok_or("the workflow is shipped")?;
    let found = workflow.state.into_iter().find(is_it);
    Ok(found.ok_or("the workflow has such a state")?.name)
}

/// The same with git alone: until it has landed, and until the task's own worktree and branch are gone as well.
async fn by_hand(repository: &Repository, place: &Path, round: usize) -> (Duration, Duration) {
    let branch = format!("by-hand-{round}");
    let work = place.join(format!("work-{round}"));
    let path = work.display().to_string();
    repository.git(&["worktree", "add", "--quiet", "-b", &branch, &path, TARGET]).await;
    let worktree = Repository::at(&work);
    worktree.write(&format!("by-hand-{round}.rs"), "fn landed() {}\n");
    worktree.commit("work").await;
    rustix::fs::sync();
    let merge = place.join(format!("merge-{round}"));
    let path = merge.display().to_string();
    let watch = Stopwatch::start();
    repository.git(&["worktree", "add", "--quiet", "--detach", &path, TARGET]).await;
    let merging = Repository::at(&merge);
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

/// Landings a second, from the moment the tasks are given out.
async fn many(settings: Value) -> Result<f64, BenchError> {
    let place = place()?;
    let repository = Repository::create(&place.path().join("repo")).await;
    let slots = [("max_concurrent_checks", SLOTS.to_string())];
    let mut hosted = Hosted::empty(place.path(), 4, &slots).await?;
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
    hosted.full().await?;
    let watch = Stopwatch::start();
    send(&mut client, "/api/v1/system/dispatch/resume", &json!({})).await?;
    let mut looks = tokio::time::interval(LOOK_EVERY);
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

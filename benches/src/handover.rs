//! From the end of one execution to the next agent's process, with a warm pool: the share of git, of the process
//! start, and of Forge itself.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use forge_domain::project::{ProjectDispatchSettings, ProjectSettings};
use forge_domain::workflow::{StateName, TaskStanding, template};
use forge_domain::{Actor, TaskCommand, TaskId, UserId, WorkspaceType};
use forge_engine::{
    AgentSpec, DataDirectory, Engine, EngineLimits, EngineParts, FaultPoints, GitProgram, IdSource,
    LocalRepoSpec, PoolLimits, ProjectSpec, ServerEnvironment, SystemClock, TaskSpec,
};
use forge_proc::{CaptureLimits, ProgramInvocation, StdinSource, capture};
use forge_store::tables;
use forge_testkit::test_repository::{TestRepository, search_path};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::bench_dir::bench_dir;
use crate::bench_error::BenchError;
use crate::bench_report::BenchReport;
use crate::duration_sample::{DurationSample, millis};
use crate::report_figure::{FigureTarget, ReportFigure};
use crate::stopwatch::BenchStopwatch;

const TASKS: usize = 13;
const STARTS: usize = 20;
const POLL_INTERVAL: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(120);
/// Target for Forge's own part, in milliseconds.
const TARGET: f64 = 50.0;

pub(crate) async fn run(report: &mut BenchReport) -> Result<(), BenchError> {
    report.heading("An agent that is free again, to the next agent's process, pool warm");
    let place = bench_dir()?;
    let (git, calls) = recording_git(place.path())?;
    let repository = TestRepository::create(&place.path().join("repo")).await;
    let engine = engine(place.path(), git).await?;
    let tasks = board(&engine, &repository).await?;
    let (stop, running) = (CancellationToken::new(), engine.clone());
    let stopped = stop.clone();
    let running = tokio::spawn(async move { running.run(stopped).await });
    wait_for_full_pools(&place.path().join("data/workspaces/.pool")).await?;
    engine.dispatch().pause_dispatch(acting_user(), false).await?;
    for task in &tasks {
        let handed_in =
            engine.progress().wait_until(*task, |task| task.standing != TaskStanding::Open);
        tokio::time::timeout(PATIENCE, handed_in)
            .await
            .map_err(|_| "a task was not submitted")??;
    }
    let gaps = execution_gaps(&engine, &tasks).await?;
    stop.cancel();
    running.await?;
    engine.die().await;

    let git_runs = git_times(&calls)?;
    let start = millis(measure_spawn(place.path()).await?.median());
    let (mut all, mut gits, mut own) = (Vec::new(), Vec::new(), Vec::new());
    for (from, to) in gaps {
        let git = overlap(&git_runs, from, to);
        all.push(to - from);
        gits.push(git);
        own.push((to - from - git - start).max(0.0));
    }
    report.add(ReportFigure::new("free to started, in all", median(&mut all), "ms"));
    report.add(ReportFigure::new("of that git", median(&mut gits), "ms"));
    report.add(ReportFigure::new("of that the start of a process", start, "ms"));
    report.add(
        ReportFigure::new("our own", median(&mut own), "ms").target(FigureTarget::AtMost(TARGET)),
    );
    Ok(())
}

fn acting_user() -> Actor {
    Actor::User { id: UserId::new(Uuid::from_u128(7)) }
}

/// A git wrapper that records when it ran.
fn recording_git(place: &Path) -> Result<(GitProgram, PathBuf), BenchError> {
    let search = search_path();
    let mut found = std::env::split_paths(&search).map(|directory| directory.join("git"));
    let real = found.find(|path| path.is_file()).ok_or("git is not installed")?;
    let (bin, calls) = (place.join("bin"), place.join("git-calls"));
    std::fs::create_dir(&bin)?;
    let (program, quoted) = (bin.join("git"), calls.display());
    let script = format!(
        "#!/usr/bin/env bash\nbegun=$EPOCHREALTIME\n'{}' \"$@\"\ncode=$?\necho \"$begun $EPOCHREALTIME\" >> '{quoted}'\nexit $code\n",
        real.display()
    );
    std::fs::write(&program, script)?;
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755))?;
    let path = std::env::join_paths([bin].into_iter().chain(std::env::split_paths(&search)))?;
    Ok((GitProgram::locate(&path)?, calls))
}

async fn engine(place: &Path, git: GitProgram) -> Result<Engine, BenchError> {
    let vars: [(OsString, OsString); 2] =
        [("PATH".into(), search_path()), ("HOME".into(), place.into())];
    let pool = PoolLimits { size: TASKS, disk_bytes: u64::MAX };
    let parts = EngineParts {
        home: DataDirectory::open(&place.join("data"), || Uuid::from_u128(1))?,
        database: None,
        workspace_root: None,
        git,
        clock: Arc::new(SystemClock),
        ids: IdSource::Random,
        faults: FaultPoints::none(),
        environment: ServerEnvironment::from_vars(vars),
        limits: EngineLimits { pool, ..EngineLimits::default() },
    };
    Ok(Engine::start(parts).await?)
}

/// One agent that works on one task at a time, and tasks that wait for it.
async fn board(engine: &Engine, repository: &TestRepository) -> Result<Vec<TaskId>, BenchError> {
    engine.dispatch().pause_dispatch(acting_user(), true).await?;
    let asked = ProjectSpec {
        name: "Bench".to_owned(),
        workspace_type: WorkspaceType::GitWorktree,
        workflow: template("default").ok_or("the default workflow is shipped")?,
        settings: ProjectSettings {
            dispatch: ProjectDispatchSettings {
                enabled: true,
                ..ProjectDispatchSettings::default()
            },
            ..ProjectSettings::default()
        },
    };
    let project = engine.projects().create_project(acting_user(), asked).await?.id;
    let asked = LocalRepoSpec { path: repository.path().to_owned(), name: None };
    engine.repos().add_repo(acting_user(), project, asked).await?;
    let asked = AgentSpec {
        name: "ada".to_owned(),
        executor: json!({ "kind": "shell", "command": ["sh", "-ec", "echo done > done"] }),
        roles: Vec::new(),
        max_concurrent: 1,
        ephemeral: false,
        fallback: None,
    };
    engine.agents().create_agent(acting_user(), asked).await?;
    let mut tasks = Vec::new();
    for number in 0..TASKS {
        let asked = TaskSpec { title: format!("Task {number}"), ..TaskSpec::default() };
        let task = engine.commands().create_task(acting_user(), project, asked).await?;
        let workflow = engine.records().workflow(&task.workflow).await?;
        let queue = workflow.claim_queue().ok_or("the workflow has a queue")?;
        let to = StateName::new(queue.name().as_str());
        let command = TaskCommand::Move { to, version: Some(task.version), reason: None };
        engine.commands().handle(acting_user(), task.id, command).await?;
        tasks.push(task.id);
    }
    Ok(tasks)
}

/// Waits until the pools are full.
async fn wait_for_full_pools(pools: &Path) -> Result<(), BenchError> {
    let mut looks = tokio::time::interval(POLL_INTERVAL);
    let entries = |path: &Path| std::fs::read_dir(path).into_iter().flatten().flatten();
    let ready = || {
        let signs = entries(pools).flat_map(|pool| entries(&pool.path()));
        signs.filter(|entry| entry.path().extension().is_some_and(|kind| kind == "ready")).count()
    };
    let filled = async {
        while ready() < TASKS {
            looks.tick().await;
        }
    };
    tokio::time::timeout(PATIENCE, filled).await.map_err(|_| "the pool was not filled")?;
    rustix::fs::sync();
    Ok(())
}

/// From the end of each execution to the start of the next, in milliseconds of wall-clock time.
async fn execution_gaps(engine: &Engine, tasks: &[TaskId]) -> Result<Vec<(f64, f64)>, BenchError> {
    let mut runs = Vec::new();
    for task in tasks {
        for run in tables::executions::list_of_task(engine.db(), *task).await? {
            let (begun, ended) =
                (run.started_at.ok_or("a start")?, run.finished_at.ok_or("an end")?);
            runs.push((begun.millis(), ended.millis()));
        }
    }
    runs.sort_unstable();
    if runs.len() != tasks.len() {
        return Err(format!("{} tasks had {} runs", tasks.len(), runs.len()).into());
    }
    let pairs = runs.iter().zip(runs.iter().skip(1));
    Ok(pairs.map(|((_, ended), (begun, _))| (*ended as f64, *begun as f64)).collect())
}

/// The recorded times of git calls.
fn git_times(calls: &Path) -> Result<Vec<(f64, f64)>, BenchError> {
    let mut runs = Vec::new();
    for line in std::fs::read_to_string(calls)?.lines() {
        let (from, to) = line.split_once(' ').ok_or("a line of two times")?;
        runs.push((from.parse::<f64>()? * 1000.0, to.parse::<f64>()? * 1000.0));
    }
    runs.sort_by(|one, other| one.0.total_cmp(&other.0));
    Ok(runs)
}

/// How much of an interval at least one git ran; overlapping calls count once.
fn overlap(runs: &[(f64, f64)], from: f64, to: f64) -> f64 {
    let (mut covered, mut upto) = (0.0, from);
    for (begun, ended) in runs {
        let (begun, ended) = (begun.max(upto), ended.min(to));
        if ended > begun {
            covered += ended - begun;
            upto = ended;
        }
    }
    covered
}

/// Measures a shell that does nothing, from the start to its end.
async fn measure_spawn(place: &Path) -> Result<DurationSample, BenchError> {
    let mut sample = DurationSample::default();
    for _ in 0..STARTS {
        let call =
            ProgramInvocation::new("sh", place).args(["-ec", ":"]).env("PATH", search_path());
        let watch = BenchStopwatch::start();
        let limits = CaptureLimits { stdout: 1 << 10, stderr: 1 << 10, deadline: PATIENCE };
        capture(call.stdin(StdinSource::Closed), limits).await?;
        sample.add(watch.elapsed());
    }
    Ok(sample)
}

fn median(numbers: &mut [f64]) -> f64 {
    crate::duration_sample::spread(numbers).median
}

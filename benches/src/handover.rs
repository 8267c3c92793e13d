//! From an agent that is free again to the next agent's process, with worktrees that wait: what of it is git's, what is
//! the start of a process, and what is ours.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use forge_domain::workflow::{Standing, StateName, template};
use forge_domain::{Actor, Command, TaskId, UserId};
use forge_engine::{
    Engine, Environment, Faults, Git, Home, Ids, Limits, NewAgent, NewProject, NewRepo, NewTask,
    Parts, PoolLimits, SystemClock,
};
use forge_proc::{CaptureLimits, Invocation, Stdin, capture};
use forge_store::tables;
use forge_testkit::repository::{Repository, search_path};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::bench_error::BenchError;
use crate::figure::{Aim, Figure};
use crate::place::place;
use crate::report::Report;
use crate::sample::{Sample, millis};
use crate::stopwatch::Stopwatch;

const TASKS: usize = 13;
const STARTS: usize = 20;
const LOOK_EVERY: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(120);
/// Milliseconds of our own.
const TARGET: f64 = 50.0;

pub(crate) async fn run(report: &mut Report) -> Result<(), BenchError> {
    report.heading("An agent that is free again, to the next agent's process, pool warm");
    let place = place()?;
    let (git, calls) = counted_git(place.path())?;
    let repository = Repository::create(&place.path().join("repo")).await;
    let engine = engine(place.path(), git).await?;
    let tasks = board(&engine, &repository).await?;
    let (stop, running) = (CancellationToken::new(), engine.clone());
    let stopped = stop.clone();
    let running = tokio::spawn(async move { running.run(stopped).await });
    full(&place.path().join("data/workspaces/.pool")).await?;
    engine.pause_dispatch(person(), false).await?;
    for task in &tasks {
        let handed_in = engine.reached(*task, |task| task.standing != Standing::Open);
        tokio::time::timeout(PATIENCE, handed_in)
            .await
            .map_err(|_| "a task was not handed in")??;
    }
    let gaps = gaps(&engine, &tasks).await?;
    stop.cancel();
    running.await?;
    engine.die().await;

    let git_runs = git_runs(&calls)?;
    let start = millis(spawned(place.path()).await?.median());
    let (mut all, mut gits, mut own) = (Vec::new(), Vec::new(), Vec::new());
    for (from, to) in gaps {
        let git = within(&git_runs, from, to);
        all.push(to - from);
        gits.push(git);
        own.push((to - from - git - start).max(0.0));
    }
    report.add(Figure::new("free to started, in all", median(&mut all), "ms"));
    report.add(Figure::new("of that git", median(&mut gits), "ms"));
    report.add(Figure::new("of that the start of a process", start, "ms"));
    report.add(Figure::new("our own", median(&mut own), "ms").aim(Aim::AtMost(TARGET)));
    Ok(())
}

fn person() -> Actor {
    Actor::User { id: UserId::new(Uuid::from_u128(7)) }
}

/// A git that writes down when it ran.
fn counted_git(place: &Path) -> Result<(Git, PathBuf), BenchError> {
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
    Ok((Git::locate(&path)?, calls))
}

async fn engine(place: &Path, git: Git) -> Result<Engine, BenchError> {
    let vars: [(OsString, OsString); 2] =
        [("PATH".into(), search_path()), ("HOME".into(), place.into())];
    let pool = PoolLimits { size: TASKS, disk_bytes: u64::MAX };
    let parts = Parts {
        home: Home::open(&place.join("data"), || Uuid::from_u128(1))?,
        database: None,
        workspace_root: None,
        git,
        clock: Arc::new(SystemClock),
        ids: Ids::Random,
        faults: Faults::none(),
        environment: Environment::from_vars(vars),
        limits: Limits { pool, ..Limits::default() },
    };
    Ok(Engine::start(parts).await?)
}

/// One agent that does one task at a time, and tasks that wait for it.
async fn board(engine: &Engine, repository: &Repository) -> Result<Vec<TaskId>, BenchError> {
    engine.pause_dispatch(person(), true).await?;
    let asked = NewProject {
        name: "Bench".to_owned(),
        workspace_type: "git_worktree".to_owned(),
        workflow: template("default").ok_or("the default workflow is shipped")?,
        settings: json!({ "dispatch": { "enabled": true } }),
    };
    let project = engine.create_project(person(), asked).await?.id;
    let asked = NewRepo { path: repository.path().to_owned(), name: None };
    engine.add_repo(person(), project, asked).await?;
    let asked = NewAgent {
        name: "ada".to_owned(),
        executor: json!({ "kind": "shell", "command": ["sh", "-ec", "echo done > done"] }),
        roles: Vec::new(),
        max_concurrent: 1,
        ephemeral: false,
        fallback: None,
    };
    engine.create_agent(person(), asked).await?;
    let mut tasks = Vec::new();
    for number in 0..TASKS {
        let asked = NewTask { title: format!("Task {number}"), ..NewTask::default() };
        let task = engine.create_task(person(), project, asked).await?;
        let workflow = engine.workflow(&task.workflow).await?;
        let queue = workflow.pool().ok_or("the workflow has a queue")?;
        let to = StateName::new(queue.name().as_str());
        let command = Command::Move { to, version: task.version, reason: None };
        engine.handle(person(), task.id, command).await?;
        tasks.push(task.id);
    }
    Ok(tasks)
}

/// Until everything that is to wait for tasks does.
async fn full(pools: &Path) -> Result<(), BenchError> {
    let mut looks = tokio::time::interval(LOOK_EVERY);
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

/// From the end of each run to the start of the next, in milliseconds of the machine's clock.
async fn gaps(engine: &Engine, tasks: &[TaskId]) -> Result<Vec<(f64, f64)>, BenchError> {
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

/// When git ran.
fn git_runs(calls: &Path) -> Result<Vec<(f64, f64)>, BenchError> {
    let mut runs = Vec::new();
    for line in std::fs::read_to_string(calls)?.lines() {
        let (from, to) = line.split_once(' ').ok_or("a line of two times")?;
        runs.push((from.parse::<f64>()? * 1000.0, to.parse::<f64>()? * 1000.0));
    }
    runs.sort_by(|one, other| one.0.total_cmp(&other.0));
    Ok(runs)
}

/// How much of a stretch some git ran in; runs beside each other count once.
fn within(runs: &[(f64, f64)], from: f64, to: f64) -> f64 {
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

/// A shell that does nothing, from asking for it to its end.
async fn spawned(place: &Path) -> Result<Sample, BenchError> {
    let mut sample = Sample::default();
    for _ in 0..STARTS {
        let call = Invocation::new("sh", place).args(["-ec", ":"]).env("PATH", search_path());
        let watch = Stopwatch::start();
        let limits = CaptureLimits { stdout: 1 << 10, stderr: 1 << 10, deadline: PATIENCE };
        capture(call.stdin(Stdin::Closed), limits).await?;
        sample.add(watch.elapsed());
    }
    Ok(sample)
}

fn median(numbers: &mut [f64]) -> f64 {
    crate::sample::spread(numbers).median
}

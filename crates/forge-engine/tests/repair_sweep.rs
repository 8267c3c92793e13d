//! Repairs and resets with a failure, a death and a kill at each of their fault points (P-1, P-4, W-8, W-9).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::Workspace;
use forge_domain::workflow::RoleName;
use forge_domain::{Assignee, ProjectId, ResetScope, TaskCommand, TaskId};
use forge_engine::{EngineError, EngineLimits, FaultAction, PoolLimits, TaskSpec};
use forge_store::tables;
use forge_testkit::end_state::EndState;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::{FaultSweep, sweep_faults};
use forge_testkit::kill_sweep::{CompletedScenario, kill_at_every_point};
use std::path::{Path, PathBuf};

const POOL: PoolLimits = PoolLimits { size: 1, disk_bytes: u64::MAX };

/// Contents that must be reachable from some reference in the end.
const WRITTEN: [&str; 2] = ["committed\n", "loose\n"];

/// The first execution's work stays uncommitted, because of the nested repository.
const LEAVES: &str = "[ -d app ] || { git init -q app; echo committed > app/f; echo loose > loose.txt; cd app; \
    git -c user.name=a -c user.email=a@b commit -q --allow-empty -m inner; }";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repair {
    /// The directory is gone, the branch exists (W-8).
    Recovery,
    /// The same without git's record: a pooled worktree takes its place.
    Forgotten,
    /// A new worktree in place of the old one (W-9).
    FreshStart,
    /// Changes discarded at an assignment (T-14).
    Discard,
}

/// The state at the end of a run.
#[derive(Debug, PartialEq, Eq)]
struct End {
    traces: EndState,
    /// The relevant files of the worktree, with their bytes.
    files: Vec<(&'static str, Option<String>)>,
    /// Contents that no reference reaches any more.
    lost: Vec<&'static str>,
    /// Whether an event reported the repair.
    told: bool,
}

async fn task_of(
    world: &EngineFixture,
    repair: Repair,
) -> Result<(ProjectId, TaskId, forge_domain::AgentId), EngineError> {
    let project = world.project("Board", EngineFixture::workflow("default")).await?;
    world.settle().await?;
    let script = match repair {
        Repair::Recovery | Repair::Forgotten => LEAVES,
        Repair::FreshStart | Repair::Discard => "echo committed > f.txt",
    };
    let agent = world.agent("coder", script).await?;
    let asked = TaskSpec { title: "Work".to_owned(), ..TaskSpec::default() };
    Ok((project, world.task(project, asked).await?, agent))
}

fn aside(world: &EngineFixture) -> PathBuf {
    world.repository.path().with_file_name("aside")
}

/// Lets an agent work once, breaks the workspace, and requests the repair. Returns how many points were passed before
/// that. Every step can continue from wherever the last death left things.
async fn scenario(
    world: &EngineFixture,
    repair: Repair,
) -> Result<(ProjectId, TaskId, usize), EngineError> {
    let (project, task, agent) = task_of(world, repair).await?;
    world.claim(task, agent).await?;
    world.settle().await?;
    let before = world.faults.passed().len();
    let now = world.engine().records().task(task).await?;
    match (repair, now.state.as_str(), &now.workspace) {
        (Repair::Recovery | Repair::Forgotten, "blocked", Some(workspace)) => {
            if !aside(world).exists() {
                std::fs::rename(&workspace.path, aside(world)).unwrap();
            }
            if repair == Repair::Forgotten {
                world.repository.git(&["worktree", "prune"]).await;
            }
            world.move_between(task, "blocked", "in_progress").await?;
        }
        (Repair::FreshStart, "review", Some(workspace)) => {
            std::fs::write(loose(workspace), "loose\n").unwrap();
            world
                .engine()
                .commands()
                .handle(EngineFixture::acting_user(), task, TaskCommand::ResetWorkspace)
                .await?;
        }
        (Repair::Discard, "review", Some(workspace)) => {
            std::fs::write(loose(workspace), "loose\n").unwrap();
            let (role, assignee) = (RoleName::new("coder"), Assignee::Agent { id: agent });
            let command = TaskCommand::Assign { role, assignee, reset: ResetScope::Worktree };
            world.engine().commands().handle(EngineFixture::acting_user(), task, command).await?;
        }
        _ => {}
    }
    world.settle().await?;
    Ok((project, task, before))
}

fn loose(workspace: &Workspace) -> PathBuf {
    Path::new(&workspace.path).join("loose.txt")
}

async fn end(world: &EngineFixture, repair: Repair, project: ProjectId, task: TaskId) -> End {
    let workspace =
        world.engine().records().task(task).await.unwrap().workspace.expect("a workspace");
    let read = |name| std::fs::read_to_string(Path::new(&workspace.path).join(name)).ok();
    let kept = world.repository.git(&["rev-list", "--objects", "--all"]).await;
    let mut lost = Vec::new();
    for content in WRITTEN {
        let file = world.repository.path().with_file_name("content");
        std::fs::write(&file, content).unwrap();
        let id = world.repository.git(&["hash-object", file.to_str().unwrap()]).await;
        if !kept.contains(&id) {
            lost.push(content);
        }
    }
    let events = tables::events::of_task(world.engine().db(), task).await.unwrap();
    let told = match repair {
        Repair::Recovery | Repair::Forgotten => "workspace.recovered",
        Repair::FreshStart => "workspace.reset",
        Repair::Discard => "journal.recorded",
    };
    let mut traces = world.end_state(project).await;
    // The end of the name differs in every world.
    for name in &mut traces.workspaces {
        name.truncate("board-1-work".len());
    }
    End {
        traces,
        files: ["f.txt", "loose.txt", "app/f"].map(|name| (name, read(name))).to_vec(),
        lost,
        told: events.iter().any(|event| event.kind == told),
    }
}

/// Runs the scenario until it completes, restarting after a death and repeating after a failure.
async fn run(
    faults: FaultSweep,
    repair: Repair,
    pool: PoolLimits,
) -> (End, Vec<&'static str>, usize) {
    through(EngineFixture::with_pool(faults, None, pool).await, repair).await
}

async fn through(mut world: EngineFixture, repair: Repair) -> (End, Vec<&'static str>, usize) {
    let (sweep, died) = (world.faults.clone(), world.faults.died());
    for _ in 0..3 {
        let ended = tokio::select! {
            biased;
            () = died.cancelled(), if !died.is_cancelled() => None,
            ended = scenario(&world, repair) => Some(ended),
        };
        match ended {
            Some(Ok((project, task, before))) => {
                return (end(&world, repair, project, task).await, sweep.passed(), before);
            }
            Some(Err(EngineError::Planned(_))) => {}
            Some(Err(error)) => panic!("the scenario failed by itself: {error}"),
            None => world.restart().await,
        }
    }
    panic!("the scenario never gets through")
}

async fn sweep(fault: FaultAction, repair: Repair, pool: PoolLimits, wanted: &[&str]) -> End {
    let (expected, points, before) = run(FaultSweep::counting(), repair, pool).await;
    assert_eq!(expected.lost, [""; 0], "{expected:#?}");
    assert!(expected.told && expected.traces.sound && expected.traces.open_steps == 0);
    for point in wanted {
        assert!(points.iter().skip(before).any(|passed| passed == point), "{point}: {points:?}");
    }
    let again = async |faults| run(faults, repair, pool).await.0;
    sweep_faults(fault, &points, before..points.len(), &expected, again).await;
    expected
}

/// Does the same with the whole process killed; the test of this name runs again in it.
async fn killed(test: &str, repair: Repair) {
    let limits = EngineLimits { pool: POOL, ..EngineFixture::limits() };
    kill_at_every_point(test, limits, async |world| {
        let (end, points, from) = through(world, repair).await;
        assert_eq!(end.lost, [""; 0], "{end:#?}");
        CompletedScenario { end_state: end, points, first_point: from }
    })
    .await;
}

const RECOVERY: [&str; 4] =
    ["workspace.rebuilt", "workspace.restoring", "workspace.restored", "workspace.recovered"];

fn assert_recovered(end: &End) {
    assert_eq!(end.traces.tasks["Work"].state, "review");
    let files = [("f.txt", None), ("loose.txt", Some("loose\n")), ("app/f", Some("committed\n"))];
    assert_eq!(end.files, files.map(|(name, bytes)| (name, bytes.map(str::to_owned))));
}

#[tokio::test]
async fn p_4_w_8_a_recovery_that_dies_anywhere_ends_the_same() {
    assert_recovered(&sweep(FaultAction::Die, Repair::Recovery, PoolLimits::NONE, &RECOVERY).await);
}

#[tokio::test]
async fn p_4_w_8_w_15_a_recovery_from_the_pool_that_dies_anywhere_ends_the_same() {
    let points = [&RECOVERY[..], &["adopt.taken", "adopt.finished"]].concat();
    assert_recovered(&sweep(FaultAction::Die, Repair::Forgotten, POOL, &points).await);
}

#[tokio::test]
async fn m_1_w_8_a_recovery_that_fails_anywhere_ends_the_same() {
    assert_recovered(&sweep(FaultAction::Fail, Repair::Recovery, POOL, &RECOVERY).await);
}

const FRESH: [&str; 5] =
    ["clean.saved", "clean.removed", "clean.archived", "renew.removed", "workspace.added"];

fn assert_fresh(end: &End) {
    let task = &end.traces.tasks["Work"];
    assert_eq!((task.state.as_str(), task.workspace.as_deref()), ("todo", Some("Ready")));
    assert!(end.files.iter().all(|(_, bytes)| bytes.is_none()), "{:?}", end.files);
}

#[tokio::test]
async fn p_4_w_9_w_15_a_reset_with_a_pool_that_dies_anywhere_loses_nothing() {
    assert_fresh(&sweep(FaultAction::Die, Repair::FreshStart, POOL, &FRESH).await);
}

#[tokio::test]
async fn m_1_w_9_w_15_a_reset_with_a_pool_that_fails_anywhere_loses_nothing() {
    assert_fresh(&sweep(FaultAction::Fail, Repair::FreshStart, POOL, &FRESH).await);
}

#[tokio::test]
async fn p_4_t_14_throwing_edits_away_loses_nothing_wherever_it_dies_or_fails() {
    for fault in [FaultAction::Die, FaultAction::Fail] {
        let end = sweep(fault, Repair::Discard, PoolLimits::NONE, &["reset.saved"]).await;
        assert_eq!(end.traces.tasks["Work"].state, "todo");
        let files =
            [("f.txt", Some("committed\n".to_owned())), ("loose.txt", None), ("app/f", None)];
        assert_eq!(end.files, files, "what is committed stays");
    }
}

#[tokio::test]
async fn p_4_w_8_w_15_a_recovery_killed_anywhere_is_finished_by_a_new_process() {
    const TEST: &str = "p_4_w_8_w_15_a_recovery_killed_anywhere_is_finished_by_a_new_process";
    killed(TEST, Repair::Forgotten).await;
}

#[tokio::test]
async fn p_4_w_9_w_15_a_reset_killed_anywhere_is_finished_by_a_new_process() {
    const TEST: &str = "p_4_w_9_w_15_a_reset_killed_anywhere_is_finished_by_a_new_process";
    killed(TEST, Repair::FreshStart).await;
}

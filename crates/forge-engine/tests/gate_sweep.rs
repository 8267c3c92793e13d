//! Checks that leave a mess and a reviewer that edits, killed at every fault point: one verdict, one receipt, and nothing
//! but the coder's work (P-4, M-3, M-5).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::workflow::RoleName;
use forge_domain::{Assignee, Event, ProjectId};
use forge_engine::{EngineError, Fault, NewTask};
use forge_store::tables::{self, reviews::ReviewStatus};
use forge_testkit::fault_sweep::{FaultSweep, strike_at};
use forge_testkit::killed::{Passed, killed_anywhere};
use forge_testkit::repository::Repository;
use forge_testkit::traces::Traces;
use forge_testkit::world::World;

const CHECK: &str = "echo mess > mess.txt; echo changed > numbers.txt; git checkout --quiet --detach; test -f added.txt";
const REVIEWER: &str = "echo mine > mine.txt; echo worse > added.txt; git checkout --quiet --detach; echo '{\"verdict\":\"pass\",\"feedback\":\"fine\"}'";

/// Create → claimed → worked → checked → judged. What follows has its own sweep.
async fn scenario(world: &World) -> Result<ProjectId, EngineError> {
    let project = world.project("Board", World::workflow("default")).await?;
    let coder = world.agent("coder", "echo new > added.txt").await?;
    let id = world.agent("reviewer", REVIEWER).await?;
    let roles = [(RoleName::new("reviewer"), Assignee::Agent { id })].into();
    let task = world.task(project, NewTask { roles, ..World::checked("Walk", &[CHECK]) }).await?;
    world.claim(task, coder).await?;
    world.settle().await?;
    Ok(project)
}

/// What the gate has on record.
#[derive(Debug, PartialEq, Eq)]
struct Gate {
    attempts: Vec<(u32, ReviewStatus, bool, usize)>,
    verdicts: usize,
    receipt: bool,
    /// What would land, and what the workspace differs in from it.
    work: (String, String),
}

async fn gate(world: &World, project: ProjectId) -> Gate {
    let db = world.engine().db();
    let task = world.find(project, "Walk").await.unwrap().expect("the task");
    let attempts = tables::reviews::list_of_task(db, task.id).await.unwrap();
    let rows = tables::events::of_task(db, task.id).await.unwrap();
    let events = rows.into_iter().map(|row| row.recorded().expect("a task's event"));
    let verdict = |event: &Event| matches!(event, Event::ReviewFinished { verdict: Some(_), .. });
    let reviewed = task.reviewed.clone().expect("it was checked");
    let tip = world.repository.git(&["rev-parse", &task.workspace.clone().unwrap().branch]).await;
    assert_eq!(tip, reviewed, "the branch is where it was checked");
    assert!(task.review_passed_at.is_some(), "{:?}", task.annotation);
    let key = task.gate.receipt.clone().expect("it passed");
    let repo = task.repo_id.expect("a repository");
    Gate {
        attempts: attempts
            .iter()
            .map(|one| (one.attempt, one.status, one.taken_from.is_some(), one.results.len()))
            .collect(),
        verdicts: events.filter(|recorded| verdict(&recorded.event)).count(),
        receipt: tables::receipts::find(db, repo, &key).await.unwrap().is_some(),
        work: (
            world.repository.git(&["diff-tree", "-p", "--no-commit-id", &reviewed]).await,
            Repository::at(&world.directory(task.id).await).git(&["status", "--porcelain"]).await,
        ),
    }
}

async fn run(faults: FaultSweep) -> ((Traces, Gate), Vec<&'static str>) {
    through(World::with(faults, None).await).await
}

async fn through(mut world: World) -> ((Traces, Gate), Vec<&'static str>) {
    let project = world.through(scenario).await;
    let mut traces = world.traces(project).await;
    // It has a random part in its name.
    let place = traces.workspaces.pop().expect("a workspace");
    assert!(place.starts_with("board-1-walk-") && traces.workspaces.is_empty(), "{place}");
    ((traces, gate(&world, project).await), world.faults.passed())
}

/// Where the gate's own part begins.
fn begins(points: &[&str]) -> usize {
    points.iter().position(|point| *point == "checks.collected").unwrap_or_default()
}

async fn sweep(fault: Fault) {
    let (expected, points) = run(FaultSweep::counting()).await;
    let (traces, gate) = &expected;
    assert_eq!(traces.tasks["Walk"].state, "review", "{expected:#?}");
    assert_eq!(gate.attempts, [(1, ReviewStatus::Passed, false, 1)]);
    assert_eq!((gate.verdicts, gate.receipt), (1, true));
    let (change, left) = &gate.work;
    assert!(change.contains("+new") && !change.contains("numbers.txt"), "{change}");
    assert_eq!(left, "");
    let put_back = points.iter().filter(|point| **point == "workspace.put_back").count();
    assert_eq!(put_back, 2, "after the checks and after the judge: {points:?}");
    let begins = begins(&points);
    let again = async |faults| run(faults).await.0;
    strike_at(fault, &points, begins..points.len(), &expected, again).await;
}

#[tokio::test]
async fn p_4_m_3_dying_at_every_point_of_the_gate_leads_to_one_verdict_and_one_receipt() {
    sweep(Fault::Die).await;
}

#[tokio::test]
async fn m_1_m_3_failing_at_every_point_of_the_gate_leads_to_one_verdict_and_one_receipt() {
    sweep(Fault::Fail).await;
}

#[tokio::test]
async fn p_4_m_3_a_gate_killed_anywhere_is_finished_by_a_new_process() {
    const TEST: &str = "p_4_m_3_a_gate_killed_anywhere_is_finished_by_a_new_process";
    killed_anywhere(TEST, World::limits(), async |world| {
        let (end, points) = through(world).await;
        Passed { end, from: begins(&points), points }
    })
    .await;
}

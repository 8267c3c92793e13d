//! Checks that leave files and a reviewer that edits, killed at every fault point: one verdict, one receipt, and only
//! the coder's work (P-4, M-3, M-5).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::workflow::RoleName;
use forge_domain::{Assignee, ProjectId, TaskEvent};
use forge_engine::{EngineError, FaultAction, TaskSpec};
use forge_store::tables::{self, reviews::ReviewRowStatus};
use forge_testkit::end_state::EndState;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::{FaultSweep, sweep_faults};
use forge_testkit::kill_sweep::{CompletedScenario, kill_at_every_point};
use forge_testkit::test_repository::TestRepository;

const CHECK: &str = "echo mess > mess.txt; echo changed > numbers.txt; git checkout --quiet --detach; test -f added.txt";
const REVIEWER: &str = "echo mine > mine.txt; echo worse > added.txt; git checkout --quiet --detach; echo '{\"verdict\":\"pass\",\"feedback\":\"fine\"}'";

/// Created → claimed → worked on → checked → judged. Another sweep covers what follows.
async fn scenario(world: &EngineFixture) -> Result<ProjectId, EngineError> {
    let project = world.project("Board", EngineFixture::workflow("default")).await?;
    let coder = world.agent("coder", "echo new > added.txt").await?;
    let id = world.agent("reviewer", REVIEWER).await?;
    let roles = [(RoleName::new("reviewer"), Assignee::Agent { id })].into();
    let task = world
        .task(project, TaskSpec { roles, ..EngineFixture::checked_task_request("Walk", &[CHECK]) })
        .await?;
    world.claim(task, coder).await?;
    world.settle().await?;
    Ok(project)
}

/// What the gate has recorded.
#[derive(Debug, PartialEq, Eq)]
struct Gate {
    attempts: Vec<(u32, ReviewRowStatus, bool, usize)>,
    verdicts: usize,
    receipt: bool,
    /// What would land, and how the workspace differs from it.
    work: (String, String),
}

async fn gate(world: &EngineFixture, project: ProjectId) -> Gate {
    let db = world.engine().db();
    let task = world.find(project, "Walk").await.unwrap().expect("the task");
    let attempts = tables::reviews::list_of_task(db, task.id).await.unwrap();
    let rows = tables::events::of_task(db, task.id).await.unwrap();
    let events = rows.into_iter().map(|row| row.recorded().expect("a task's event"));
    let verdict =
        |event: &TaskEvent| matches!(event, TaskEvent::ReviewFinished { verdict: Some(_), .. });
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
            TestRepository::open(&world.workspace_dir(task.id).await)
                .git(&["status", "--porcelain"])
                .await,
        ),
    }
}

async fn run(faults: FaultSweep) -> ((EndState, Gate), Vec<&'static str>) {
    through(EngineFixture::with(faults, None).await).await
}

async fn through(mut world: EngineFixture) -> ((EndState, Gate), Vec<&'static str>) {
    let project = world.run_to_completion(scenario).await;
    let mut traces = world.end_state(project).await;
    // Its name has a random part.
    let place = traces.workspaces.pop().expect("a workspace");
    assert!(place.starts_with("board-1-walk-") && traces.workspaces.is_empty(), "{place}");
    ((traces, gate(&world, project).await), world.faults.passed())
}

/// The first fault point of the gate.
fn begins(points: &[&str]) -> usize {
    points.iter().position(|point| *point == "checks.collected").unwrap_or_default()
}

async fn sweep(fault: FaultAction) {
    let (expected, points) = run(FaultSweep::counting()).await;
    let (traces, gate) = &expected;
    assert_eq!(traces.tasks["Walk"].state, "review", "{expected:#?}");
    assert_eq!(gate.attempts, [(1, ReviewRowStatus::Passed, false, 1)]);
    assert_eq!((gate.verdicts, gate.receipt), (1, true));
    let (change, left) = &gate.work;
    assert!(change.contains("+new") && !change.contains("numbers.txt"), "{change}");
    assert_eq!(left, "");
    let put_back = points.iter().filter(|point| **point == "workspace.put_back").count();
    assert_eq!(put_back, 2, "after the checks and after the judge: {points:?}");
    let begins = begins(&points);
    let again = async |faults| run(faults).await.0;
    sweep_faults(fault, &points, begins..points.len(), &expected, again).await;
}

#[tokio::test]
async fn p_4_m_3_dying_at_every_point_of_the_gate_leads_to_one_verdict_and_one_receipt() {
    sweep(FaultAction::Die).await;
}

#[tokio::test]
async fn m_1_m_3_failing_at_every_point_of_the_gate_leads_to_one_verdict_and_one_receipt() {
    sweep(FaultAction::Fail).await;
}

#[tokio::test]
async fn p_4_m_3_a_gate_killed_anywhere_is_finished_by_a_new_process() {
    const TEST: &str = "p_4_m_3_a_gate_killed_anywhere_is_finished_by_a_new_process";
    kill_at_every_point(TEST, EngineFixture::limits(), async |world| {
        let (end_state, points) = through(world).await;
        CompletedScenario { end_state, first_point: begins(&points), points }
    })
    .await;
}

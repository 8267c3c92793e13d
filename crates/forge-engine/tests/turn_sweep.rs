//! A task with two ordered turns (T-17) from its claim to the landed branch, with a failure, and a death, at every
//! fault point.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::{ProjectId, SubtaskRequest};
use forge_engine::{EngineError, FaultAction, TaskSpec};
use forge_testkit::end_state::EndState;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::{FaultSweep, sweep_faults};

/// Commits in between, so that the turn has commits to squash; repeated after a kill it leaves the same. It writes no
/// git settings: a git killed at that leaves a lock in the user's repository, which Forge must not remove.
const SCRIPT: &str = "echo 1 > $FORGE_TASK_NUMBER.own; git add .
    git -c user.name=a -c user.email=a@b.c commit -qm own || true; echo 2 > $FORGE_TASK_NUMBER.left";

/// Every step can continue from wherever the last death left things.
async fn scenario(world: &EngineFixture) -> Result<ProjectId, EngineError> {
    let project = world.project("Board", EngineFixture::workflow("no-review")).await?;
    let script = SCRIPT.replace(
        "$FORGE_TASK_NUMBER",
        "$(sed -n 's/.*\\(T-[0-9]*\\).*/\\1/p' \"$FORGE_PROMPT_FILE\" | head -n 1)",
    );
    let agent = world.agent("coder", &script).await?;
    let parent = world.task(project, EngineFixture::task_request("Work")).await?;
    for (title, order) in [("Second", 2), ("First", 1)] {
        let subtask = SubtaskRequest::OrderedTurn { order: Some(order) };
        let asked =
            TaskSpec { parent: Some(parent), subtask, ..EngineFixture::task_request(title) };
        world.task(project, asked).await?;
    }
    world.claim(parent, agent).await?;
    world.settle().await?;
    Ok(project)
}

async fn run(faults: FaultSweep) -> (EndState, Vec<&'static str>) {
    let mut world = EngineFixture::with(faults, None).await;
    let project = world.run_to_completion(scenario).await;
    (world.end_state(project).await, world.faults.passed())
}

async fn sweep(fault: FaultAction) {
    let (expected, points) = run(FaultSweep::counting()).await;
    for title in ["Work", "First", "Second"] {
        let task = &expected.tasks[title];
        assert_eq!((task.state.as_str(), task.replays), ("done", true), "{expected:#?}");
    }
    assert_eq!(expected.landed, ["Work (T-1)", "first"]);
    assert_eq!((expected.open_steps, expected.checkouts, expected.processes.len()), (0, 1, 0));
    let passes = |point: &str| points.iter().filter(|passed| **passed == point).count();
    assert_eq!((passes("family.told"), passes("family.begun")), (2, 2), "{points:?}");
    assert_eq!((passes("turn.kept"), passes("turn.joined")), (2, 2), "{points:?}");
    // From the start of the first turn to that of the second, and from the end of that one: other sweeps cover the
    // rest.
    let places = |wanted: &str| {
        let all = points.iter().enumerate().filter(|(_, point)| **point == wanted);
        all.map(|(nth, _)| nth).collect::<Vec<_>>()
    };
    let (begun, told) = (places("family.begun"), places("family.told"));
    let (first, last) = (places("family.beginning")[0], places("family.telling")[1]);
    let places = (0..points.len())
        .filter(|nth| (first..=begun[1]).contains(nth) || (last..=told[1] + 2).contains(nth));
    let again = async |faults| run(faults).await.0;
    sweep_faults(fault, &points, places, &expected, again).await;
}

#[tokio::test]
async fn p_4_t_17_dying_at_every_point_of_a_sequence_of_turns_leads_to_the_same_end() {
    sweep(FaultAction::Die).await;
}

#[tokio::test]
async fn m_1_t_17_failing_at_every_point_of_a_sequence_of_turns_leads_to_the_same_end() {
    sweep(FaultAction::Fail).await;
}

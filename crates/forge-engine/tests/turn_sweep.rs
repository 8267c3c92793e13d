//! A task with two ordered turns (T-17) from its claim to the landed branch, again and again: failing, and dying, at every
//! fault point.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::{AskedSubtask, ProjectId};
use forge_engine::{EngineError, Fault, NewTask};
use forge_testkit::fault_sweep::{FaultSweep, strike_at};
use forge_testkit::traces::Traces;
use forge_testkit::world::World;

/// Commits on the way, so that the turn has commits to make one of; killed and begun again it leaves the same. It writes
/// no settings: a git that is killed at that leaves a lock in the person's repository, which is not ours to remove.
const SCRIPT: &str = "echo 1 > $FORGE_TASK_NUMBER.own; git add .
    git -c user.name=a -c user.email=a@b.c commit -qm own || true; echo 2 > $FORGE_TASK_NUMBER.left";

/// Every verb reaches its goal from wherever the last death left things.
async fn scenario(world: &World) -> Result<ProjectId, EngineError> {
    let project = world.project("Board", World::workflow("no-review")).await?;
    let script = SCRIPT.replace(
        "$FORGE_TASK_NUMBER",
        "$(sed -n 's/.*\\(T-[0-9]*\\).*/\\1/p' \"$FORGE_PROMPT_FILE\" | head -n 1)",
    );
    let agent = world.agent("coder", &script).await?;
    let parent = world.task(project, World::titled("Work")).await?;
    for (title, order) in [("Second", 2), ("First", 1)] {
        let subtask = AskedSubtask::OrderedTurn { order: Some(order) };
        let asked = NewTask { parent: Some(parent), subtask, ..World::titled(title) };
        world.task(project, asked).await?;
    }
    world.claim(parent, agent).await?;
    world.settle().await?;
    Ok(project)
}

async fn run(faults: FaultSweep) -> (Traces, Vec<&'static str>) {
    let mut world = World::with(faults, None).await;
    let project = world.through(scenario).await;
    (world.traces(project).await, world.faults.passed())
}

async fn sweep(fault: Fault) {
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
    // From the first turn's beginning to the second's, and from that one's end on: the rest is any task's, swept there.
    let places = |wanted: &str| {
        let all = points.iter().enumerate().filter(|(_, point)| **point == wanted);
        all.map(|(nth, _)| nth).collect::<Vec<_>>()
    };
    let (begun, told) = (places("family.begun"), places("family.told"));
    let (first, last) = (places("family.beginning")[0], places("family.telling")[1]);
    let places = (0..points.len())
        .filter(|nth| (first..=begun[1]).contains(nth) || (last..=told[1] + 2).contains(nth));
    let again = async |faults| run(faults).await.0;
    strike_at(fault, &points, places, &expected, again).await;
}

#[tokio::test]
async fn p_4_t_17_dying_at_every_point_of_a_sequence_of_turns_leads_to_the_same_end() {
    sweep(Fault::Die).await;
}

#[tokio::test]
async fn m_1_t_17_failing_at_every_point_of_a_sequence_of_turns_leads_to_the_same_end() {
    sweep(Fault::Fail).await;
}

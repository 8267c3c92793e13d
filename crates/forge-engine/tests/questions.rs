//! A question of an execution (T-27), from the question to the landed branch, on both databases and with a failure, and
//! a death, at every fault point: the answer reaches the agent once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::{ProjectId, TaskCommand};
use forge_engine::{EngineError, FaultAction};
use forge_store::tables;
use forge_testkit::database::TestDatabase;
use forge_testkit::end_state::EndState;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::{FaultSweep, sweep_faults};
use std::sync::Arc;

/// The branch contains how often the prompt of its last turn has the answer. A turn that is repeated after a death does
/// the same.
const SCRIPT: &str = "grep -c 8080 \"$FORGE_PROMPT_FILE\" > answers || true";

/// Every step can continue from wherever the last death left things.
async fn scenario(world: &EngineFixture) -> Result<ProjectId, EngineError> {
    let project = world.project("Board", EngineFixture::workflow("no-review")).await?;
    let agent = world.agent("coder", SCRIPT).await?;
    let task = world.task(project, EngineFixture::task_request("Ports")).await?;
    world.claim(task, agent).await?;
    let commands = world.engine().commands();
    let user = EngineFixture::acting_user();
    if world.load_task(task).await.asked_questions == 0 {
        let ask = TaskCommand::Ask { text: "Which port?".to_owned(), is_awaited: false };
        commands.handle(user.clone(), task, ask).await?;
    }
    world.settle().await?;
    let waiting = world.load_task(task).await;
    if !waiting.questions.is_empty() {
        assert!(waiting.answer_turn.is_some() && waiting.run.is_none(), "{waiting:?}");
        let answer = TaskCommand::Answer { number: 1, text: "8080".to_owned(), live: false };
        commands.handle(user, task, answer).await?;
    }
    world.settle().await?;
    Ok(project)
}

async fn run(faults: FaultSweep) -> (EndState, Vec<&'static str>, String) {
    let mut world = EngineFixture::with(faults, None).await;
    let project = world.run_to_completion(scenario).await;
    let answers = world.repository.git(&["show", "main:answers"]).await;
    (world.end_state(project).await, world.faults.passed(), answers)
}

async fn sweep(fault: FaultAction) {
    let (state, points, answers) = run(FaultSweep::counting()).await;
    assert_eq!(state.tasks["Ports"].state, "done", "{state:#?}");
    assert_eq!(answers.trim(), "1", "the answer is in the last prompt once");
    // From the question to the start of the turn with the answer; other sweeps cover the rest.
    let ended = points.iter().position(|point| *point == "turn.ended").unwrap();
    let second = points.iter().rposition(|point| *point == "turn.ended").unwrap();
    assert!(ended < second, "{points:?}");
    let expected = (state, answers);
    let again = async |faults| {
        let (state, _, answers) = run(faults).await;
        (state, answers)
    };
    sweep_faults(fault, &points, ended..=second, &expected, again).await;
}

#[tokio::test]
async fn p_4_t_27_dying_between_a_question_and_its_answer_leads_to_the_same_end() {
    sweep(FaultAction::Die).await;
}

#[tokio::test]
async fn m_1_t_27_failing_between_a_question_and_its_answer_leads_to_the_same_end() {
    sweep(FaultAction::Fail).await;
}

forge_testkit::both_databases! {
    async fn t_27_a_question_and_its_answer_survive_a_restart(database: Arc<TestDatabase>) {
        let mut world = EngineFixture::with(FaultSweep::counting(), Some(database.url().clone())).await;
        let project = world.project("Board", EngineFixture::workflow("no-review")).await.unwrap();
        let agent = world.agent("coder", SCRIPT).await.unwrap();
        let task = world.task(project, EngineFixture::task_request("Ports")).await.unwrap();
        world.claim(task, agent).await.unwrap();
        let user = EngineFixture::acting_user();
        let ask = TaskCommand::Ask { text: "Which port?".to_owned(), is_awaited: false };
        world.engine().commands().handle(user.clone(), task, ask).await.unwrap();
        world.settle().await.unwrap();
        world.restart().await;
        world.settle().await.unwrap();
        let db = world.engine().db();
        assert!(world.load_task(task).await.answer_turn.is_some(), "it still waits");
        assert_eq!(tables::executions::list_of_task(db, task).await.unwrap().len(), 1);
        assert!(tables::needs_person::since(db, task).await.unwrap().is_some());
        let messages = world.engine().agent_messages();
        messages.answer(user, task, 1, "8080".to_owned()).await.unwrap();
        world.restart().await;
        world.settle().await.unwrap();
        assert_eq!(world.repository.git(&["show", "main:answers"]).await.trim(), "1");
        let db = world.engine().db();
        assert_eq!(tables::executions::list_of_task(db, task).await.unwrap().len(), 2);
        let question = tables::questions::load(db, task, 1).await.unwrap().unwrap();
        assert_eq!(question.answer.unwrap().text, "8080");
        assert_eq!(world.end_state(project).await.tasks["Ports"].state, "done");
    }
}

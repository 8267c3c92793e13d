//! Questions of an execution to the person in charge (T-27).

use crate::support::{
    TaskFixture, agent_actor, by_agent, judged, machine, out_of_quota, passed, person, role, turn,
};
use forge_domain::task::{ExecutionPurpose, FollowUpMessage, TaskSnapshot};
use forge_domain::{
    AgentReport, EffectReport, ExecutionEnding, ExecutionResult, NextStep, PersonReason, Refusal,
    ResetScope, TaskCommand, TaskCommandLines, TaskWait, Verdict, WaitTarget,
};

const DONE: ExecutionEnding = ExecutionEnding::Exited { code: 0 };
const QUESTION: &str = "Which port?";
const MESSAGE: &str = "Question 1:\n\nWhich port?\n\nThe answer:\n\n8080";

fn question(text: &str) -> TaskCommand {
    TaskCommand::Ask { text: text.to_owned(), is_awaited: false }
}

fn reply(number: u32, text: &str, live: bool) -> TaskCommand {
    TaskCommand::Answer { number, text: text.to_owned(), live }
}

fn ask(fixture: &mut TaskFixture, agent: u64) {
    let actor = agent_actor(agent, fixture.execution());
    fixture.accept(actor, question(QUESTION));
}

fn in_session(session: &str) -> ExecutionResult {
    let told = AgentReport { session: Some(session.to_owned()), ..AgentReport::default() };
    ExecutionResult { told, ..turn(DONE) }
}

/// A working task whose agent asked, ended its turn, and waits.
fn waiting() -> TaskFixture {
    let mut fixture = TaskFixture::working();
    ask(&mut fixture, 1);
    fixture.end_turn(in_session("s-1"));
    fixture
}

/// A task whose reviewer is an agent at work.
fn judging() -> TaskFixture {
    let mut fixture = TaskFixture::in_review();
    let (role, assignee) = (role("reviewer"), by_agent(2));
    fixture.accept(person(1), TaskCommand::Assign { role, assignee, reset: ResetScope::Nothing });
    fixture.checks(vec![passed()]);
    fixture.prepare();
    fixture.start();
    fixture
}

fn follow_up(task: &TaskSnapshot) -> Option<FollowUpMessage> {
    task.run.as_ref().and_then(|run| run.follow_up.clone())
}

fn messages(task: &TaskSnapshot) -> Vec<String> {
    task.run.as_ref().map(|run| run.messages.clone()).unwrap_or_default()
}

fn open(fixture: &TaskFixture) -> Vec<u32> {
    fixture.task.questions.iter().map(|question| question.number).collect()
}

fn wait(fixture: &TaskFixture) -> TaskWait {
    TaskWait::of(&fixture.workflow, &fixture.task)
}

#[test]
fn t_27_work_with_an_open_question_waits_for_the_answer_and_continues_with_it() {
    let mut fixture = waiting();
    assert_eq!(fixture.state(), "in_progress", "the work is not handed in");
    assert_eq!(fixture.outstanding(), [""; 0], "nothing starts without the answer");
    fixture.accept(person(1), reply(1, " 8080\n", true));
    let message = MESSAGE.to_owned();
    let expected = FollowUpMessage { session: "s-1".to_owned(), message };
    assert_eq!(follow_up(&fixture.task), Some(expected));
    assert_eq!((open(&fixture), fixture.task.steers.len()), (vec![], 0), "it is said once");
    fixture.whole_turn(in_session("s-1"));
    assert_eq!(fixture.state(), "review");
}

#[test]
fn t_27_a_program_without_conversations_gets_the_answer_in_its_prompt() {
    let mut fixture = TaskFixture::working();
    ask(&mut fixture, 1);
    fixture.end_turn(turn(DONE));
    fixture.accept(person(1), reply(1, "8080", false));
    assert_eq!((follow_up(&fixture.task), messages(&fixture.task)), (None, vec![MESSAGE.into()]));
}

#[test]
fn t_27_a_running_agent_gets_the_answer_live_or_as_its_next_turn() {
    let mut fixture = TaskFixture::working();
    ask(&mut fixture, 1);
    fixture.accept(person(1), reply(1, "8080", true));
    assert_eq!(fixture.outstanding(), ["run_execution", "deliver_steer"]);
    let read = fixture.task.steers.iter().map(|steer| steer.id).collect();
    fixture.take("deliver_steer");
    let told = AgentReport { steered: read, ..AgentReport::default() };
    fixture.end_turn(ExecutionResult { told, ..turn(DONE) });
    assert_eq!((fixture.state(), fixture.task.steers.len()), ("review", 0), "it has read it");

    let mut fixture = TaskFixture::working();
    ask(&mut fixture, 1);
    fixture.accept(person(1), reply(1, "8080", false));
    assert_eq!(fixture.outstanding(), ["run_execution"]);
    fixture.end_turn(in_session("s-1"));
    assert_eq!(follow_up(&fixture.task).map(|sent| sent.message).as_deref(), Some(MESSAGE));
}

/// An answer that the asking program fetches itself is no message; one that it does not fetch is.
#[test]
fn t_27_an_awaited_answer_reaches_the_agent_once() {
    let mut fixture = TaskFixture::working();
    let agent = agent_actor(1, fixture.execution());
    let awaited = TaskCommand::Ask { text: QUESTION.to_owned(), is_awaited: true };
    fixture.accept(agent.clone(), awaited);
    fixture.accept(person(1), reply(1, "8080", true));
    assert_eq!(fixture.outstanding(), ["run_execution"], "it is not sent as well");
    let refused = fixture.refuse(person(1), TaskCommand::ReceiveAnswer { number: 1 });
    assert!(matches!(refused, Refusal::NotTheAsker { .. }), "{refused}");
    assert_eq!(fixture.task.steers.len(), 1);
    for _ in 0..2 {
        fixture.accept(agent.clone(), TaskCommand::ReceiveAnswer { number: 1 });
        assert_eq!(fixture.task.steers.len(), 0);
    }
    fixture.end_turn(turn(DONE));
    assert_eq!(fixture.state(), "review");
}

#[test]
fn t_27_the_agent_continues_after_the_last_of_several_answers() {
    let mut fixture = TaskFixture::working();
    ask(&mut fixture, 1);
    ask(&mut fixture, 1);
    fixture.end_turn(in_session("s-1"));
    fixture.accept(person(1), reply(2, "yes", false));
    assert_eq!((open(&fixture), fixture.outstanding()), (vec![1], vec![]));
    fixture.accept(person(2), reply(1, "8080", false));
    let said = follow_up(&fixture.task).map(|sent| sent.message).unwrap_or_default();
    assert!(said.contains("8080") && said.contains("yes"), "{said}");
}

/// A person who starts the agent again without an answer gets one turn, and the task waits again.
#[test]
fn t_27_an_unanswered_question_starts_nothing_by_itself() {
    let mut fixture = waiting();
    let execution = fixture.task.last_run.as_ref().expect("it ran").execution;
    fixture.accept(person(1), TaskCommand::Restart { execution });
    fixture.whole_turn(turn(DONE));
    assert_eq!((fixture.state(), fixture.outstanding()), ("in_progress", vec![]));
    assert_eq!(open(&fixture), [1]);
}

#[test]
fn t_27_the_wait_and_its_answer_command_are_shown_everywhere() {
    let mut fixture = TaskFixture::working();
    for ends in [false, true] {
        if ends {
            fixture.end_turn(turn(DONE));
        } else {
            ask(&mut fixture, 1);
        }
        let wait = wait(&fixture);
        assert_eq!(wait.waits_for, WaitTarget::Person);
        assert_eq!(wait.person.map(PersonReason::code).as_deref(), Some("question"));
        assert_eq!(wait.message, "its coder asks: Which port?");
        let lines = TaskCommandLines::new(&fixture.task);
        let next = NextStep::of(&fixture.workflow, &fixture.task, &wait, &person(1), lines);
        assert_eq!(next[0].command, "forge task answer T-12 TEXT --question 1");
    }
    fixture.accept(person(1), reply(1, "8080", false));
    assert_eq!(wait(&fixture).person, None);
}

/// E-9, E-12: an execution that is lost or out of quota does not lose the answer, and does not end the wait.
#[test]
fn t_27_an_answer_survives_lost_executions_and_quotas() {
    let lost = ExecutionResult::without_work(ExecutionEnding::Lost);
    let mut fixture = waiting();
    fixture.accept(person(1), reply(1, "8080", false));
    fixture.whole_turn(lost.clone());
    assert_eq!(follow_up(&fixture.task).map(|sent| sent.message).as_deref(), Some(MESSAGE));

    let mut fixture = TaskFixture::working();
    ask(&mut fixture, 1);
    fixture.end_turn(lost);
    assert_eq!(open(&fixture), [1], "it is asked already");
    fixture.whole_turn(out_of_quota());
    fixture.accept(person(1), reply(1, "8080", false));
    fixture.take("await_quota");
    fixture.report(EffectReport::RunDue);
    assert_eq!(messages(&fixture.task), [MESSAGE]);
}

#[test]
fn t_27_an_answer_to_a_failed_execution_waits_for_the_next() {
    let mut fixture = TaskFixture::working();
    let execution = fixture.execution();
    ask(&mut fixture, 1);
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 3 }));
    assert_eq!(fixture.state(), "blocked");
    assert!(wait(&fixture).message.contains("besides: the agent exited"), "{:?}", wait(&fixture));
    fixture.accept(person(1), reply(1, "8080", false));
    assert_eq!(fixture.outstanding(), [""; 0], "a person decides about a failure");
    fixture.accept(person(1), TaskCommand::Restart { execution });
    assert_eq!(messages(&fixture.task), [MESSAGE]);
}

#[test]
fn t_27_an_agent_does_not_hand_in_what_it_still_asks_about() {
    let mut fixture = TaskFixture::working();
    ask(&mut fixture, 1);
    let agent = agent_actor(1, fixture.execution());
    let refused = fixture.refuse(agent.clone(), fixture.moving("review", None));
    assert_eq!(refused, Refusal::QuestionOpen { key: fixture.task.key(), number: 1 });
    fixture.accept(person(1), reply(1, "8080", true));
    fixture.accept(agent, fixture.moving("review", None));
}

#[test]
fn t_27_a_person_who_hands_the_work_in_or_ends_the_task_closes_its_questions() {
    let mut fixture = waiting();
    fixture.move_to("review", None);
    assert_eq!(open(&fixture), [0; 0]);
    let mut fixture = waiting();
    fixture.move_to("blocked", None);
    assert_eq!(open(&fixture), [1], "it is parked, not decided");
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    assert_eq!((open(&fixture), wait(&fixture).person), (vec![], None));
    let refused = fixture.refuse(person(1), reply(1, "8080", false));
    assert_eq!(refused, Refusal::QuestionClosed { key: fixture.task.key(), number: 1 });
    let refused = fixture.refuse(person(1), question(QUESTION));
    assert!(matches!(refused, Refusal::TaskTerminal { .. }), "{refused}");
}

#[test]
fn t_27_a_reviewer_asks_too_and_its_review_stays_open() {
    let mut fixture = judging();
    ask(&mut fixture, 2);
    fixture.end_turn(judged(None));
    assert_eq!((fixture.state(), fixture.task.review.is_some()), ("review", true));
    assert_eq!(wait(&fixture).message, "its reviewer asks: Which port?");
    fixture.accept(person(1), reply(1, "8080", false));
    let run = fixture.task.run.clone().expect("it is asked again");
    assert_eq!(
        (run.purpose, run.messages.as_slice()),
        (ExecutionPurpose::Judge, [MESSAGE.to_owned()].as_slice())
    );
    ask_and_pass(&mut fixture);
    assert_eq!(open(&fixture), [0; 0], "after its verdict the answer would reach no reviewer");
    assert!(fixture.task.review_passed_at.is_some());
}

fn ask_and_pass(fixture: &mut TaskFixture) {
    fixture.prepare();
    fixture.start();
    ask(fixture, 2);
    fixture.end_turn(judged(Some(Verdict::Pass { feedback: None })));
}

#[test]
fn t_27_only_people_answer_once_and_only_the_running_execution_asks() {
    let mut fixture = TaskFixture::working();
    let agent = agent_actor(1, fixture.execution());
    ask(&mut fixture, 1);
    for actor in [agent.clone(), machine()] {
        let refused = fixture.refuse(actor, reply(1, "8080", false));
        assert!(matches!(refused, Refusal::PeopleOnly(_)), "{refused}");
    }
    for (actor, command) in [
        (person(1), reply(1, " ", false)),
        (person(1), reply(1, &"x".repeat(100_001), false)),
        (agent.clone(), question("\n")),
        (agent.clone(), question(&"x".repeat(20_001))),
    ] {
        let refused = fixture.refuse(actor, command);
        assert!(matches!(refused, Refusal::InvalidField { field: "text", .. }), "{refused}");
    }
    for _ in 1..20 {
        ask(&mut fixture, 1);
    }
    let refused = fixture.refuse(agent.clone(), question(QUESTION));
    assert!(matches!(refused, Refusal::InvalidField { field: "text", .. }), "{refused}");
    fixture.accept(person(1), reply(1, "8080", false));
    let refused = fixture.refuse(person(2), reply(1, "9090", false));
    assert!(matches!(refused, Refusal::QuestionClosed { .. }), "{refused}");
    fixture.end_turn(in_session("s-1"));
    let refused = fixture.refuse(agent, question(QUESTION));
    assert!(matches!(refused, Refusal::ExecutionEnded { .. }), "{refused}");
}

#[test]
fn t_27_a_question_of_a_user_before_any_execution_has_an_answer_and_no_message() {
    let mut fixture = TaskFixture::of("default");
    fixture.accept(person(1), question(QUESTION));
    fixture.accept(person(2), reply(1, "8080", true));
    assert_eq!((open(&fixture), fixture.task.steers.len()), (vec![], 0));
}

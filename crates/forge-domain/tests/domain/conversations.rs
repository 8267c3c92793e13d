//! Reports of agent programs: an exhausted quota (E-9), a failure in the program's own words, and continued
//! conversations (E-7).

use crate::support::{TaskFixture, agent_actor, by_agent, person, role, turn};
use forge_domain::task::{AnnotationType, FollowUpMessage};
use forge_domain::{
    AgentFailure, AgentReport, Assignee, EffectReport, ExecutionEnding, ExecutionResult,
    FailureClass, Refusal, TaskCommand, Timestamp,
};

const DONE: ExecutionEnding = ExecutionEnding::Exited { code: 0 };

fn failed(class: FailureClass, until: Option<Timestamp>) -> ExecutionResult {
    let failure = AgentFailure { class, message: "no more today".to_owned(), until };
    let told = AgentReport { failure: Some(failure), ..AgentReport::default() };
    ExecutionResult { told, ..turn(ExecutionEnding::Exited { code: 1 }) }
}

fn annotation(fixture: &TaskFixture) -> Option<AnnotationType> {
    fixture.task.annotation.as_ref().map(|annotation| annotation.kind)
}

fn follow_up() -> FollowUpMessage {
    FollowUpMessage { session: "s-1".to_owned(), message: "and now the tests".to_owned() }
}

fn asked() -> TaskCommand {
    let agent = by_agent(1).agent().expect("an agent");
    let FollowUpMessage { session, message } = follow_up();
    TaskCommand::FollowUp { role: role("coder"), agent, session: Some(session), message }
}

#[test]
fn e_9_an_exhausted_quota_makes_the_task_wait_in_its_state() {
    let mut fixture = TaskFixture::working();
    let first = fixture.execution();
    let until = fixture.now().plus_seconds(3600);
    let decision = fixture.end_turn(failed(FailureClass::Quota, Some(until)));
    assert_eq!(fixture.state(), "in_progress");
    assert_eq!(annotation(&fixture), Some(AnnotationType::QuotaWait));
    assert!(fixture.task.run.is_none(), "a waiting execution uses no agent's capacity");
    let begins: Vec<_> = decision.effects.iter().map(|planned| planned.not_before).collect();
    assert_eq!(begins, [until], "nothing begins before the time that was named");
    let details = fixture.task.annotation.clone().expect("noted").details;
    assert_eq!(details["until"], until.millis());
    fixture.wait_until(until);
    fixture.take("await_quota");
    fixture.report(EffectReport::RunDue);
    assert_ne!(fixture.execution(), first, "the next try is an execution of its own");
    assert_eq!(annotation(&fixture), None);
    fixture.whole_turn(turn(DONE));
    assert_eq!((fixture.state(), annotation(&fixture)), ("review", None));
}

#[test]
fn e_9_the_wait_can_be_cancelled() {
    let mut fixture = TaskFixture::working();
    fixture.end_turn(failed(FailureClass::Quota, None));
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    assert_eq!(fixture.state(), "cancelled");
    assert_eq!(
        fixture.outstanding(),
        ["clean_workspace"],
        "nothing waits for the allowance any more"
    );
    assert!(fixture.report(EffectReport::RunDue).events.is_empty(), "a late one changes nothing");
}

#[test]
fn e_9_after_too_many_waits_the_task_is_parked() {
    let mut fixture = TaskFixture::of("default");
    fixture.claim(by_agent(1));
    let mut waits = 0;
    while fixture.state() == "in_progress" {
        fixture.wait_until(fixture.now().plus_seconds(3600));
        fixture.whole_turn(failed(FailureClass::Quota, None));
        if fixture.task.postponed.is_some() {
            fixture.take("await_quota");
            fixture.report(EffectReport::RunDue);
        }
        waits += 1;
        assert!(waits < 100, "it is bounded");
    }
    assert_eq!(fixture.state(), "blocked");
}

#[test]
fn e_9_a_reported_failure_counts_despite_exit_code_0() {
    let mut fixture = TaskFixture::working();
    let result = ExecutionResult { ending: DONE, ..failed(FailureClass::Error, None) };
    fixture.end_turn(result);
    assert_eq!(fixture.state(), "blocked");
    let annotation = fixture.task.annotation.clone().expect("noted");
    assert!(annotation.message.contains("said that it failed"), "{}", annotation.message);
    assert_eq!(annotation.details["failure"]["class"], "error");
}

#[test]
fn e_7_a_follow_up_continues_the_conversation() {
    let mut fixture = TaskFixture::working();
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 3 }));
    assert_eq!(fixture.state(), "blocked");
    fixture.accept(person(1), asked());
    assert_eq!(fixture.state(), "in_progress");
    let run = fixture.task.run.clone().expect("a run");
    assert_eq!(run.follow_up, Some(follow_up()));
    assert_eq!(fixture.outstanding(), ["prepare_workspace"]);
    fixture.whole_turn(ExecutionResult::without_work(ExecutionEnding::Lost));
    let again = fixture.task.run.clone().expect("a run");
    assert_eq!(again.follow_up, Some(follow_up()), "a lost one is said again");
    fixture.whole_turn(turn(DONE));
    assert_eq!(fixture.state(), "review");
}

#[test]
fn e_7_a_follow_up_needs_a_person_and_an_idle_task_of_the_same_agent() {
    let mut fixture = TaskFixture::working();
    let busy = fixture.refuse(person(1), asked());
    assert!(matches!(busy, Refusal::WorkspaceLocked { .. }), "{busy}");
    let execution = fixture.execution();
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 3 }));
    let refused = fixture.refuse(agent_actor(1, execution), asked());
    assert!(matches!(refused, Refusal::PeopleOnly(_)), "{refused}");
    fixture
        .task
        .roles
        .insert(role("coder"), Assignee::Agent { id: by_agent(2).agent().expect("an agent") });
    let refused = fixture.refuse(person(1), asked());
    assert!(matches!(refused, Refusal::InvalidField { field: "execution", .. }), "{refused}");
}

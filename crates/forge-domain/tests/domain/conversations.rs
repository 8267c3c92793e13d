//! What a program tells about its turn: an allowance that is used up (E-9), a failure in its own words, and
//! conversations that go on (E-7).

use crate::support::{Desk, agent_actor, by_agent, person, role, turn};
use forge_domain::task::{AnnotationType, FollowUp};
use forge_domain::{
    Assignee, Command, Ending, FailureClass, Refusal, Report, RunFailure, RunResult, Timestamp,
    Told,
};

const DONE: Ending = Ending::Exited { code: 0 };

fn failed(class: FailureClass, until: Option<Timestamp>) -> RunResult {
    let failure = RunFailure { class, message: "no more today".to_owned(), until };
    let told = Told { failure: Some(failure), ..Told::default() };
    RunResult { told, ..turn(Ending::Exited { code: 1 }) }
}

fn annotation(desk: &Desk) -> Option<AnnotationType> {
    desk.task.annotation.as_ref().map(|annotation| annotation.kind)
}

fn follow_up() -> FollowUp {
    FollowUp { session: "s-1".to_owned(), message: "and now the tests".to_owned() }
}

fn asked() -> Command {
    let agent = by_agent(1).agent().expect("an agent");
    Command::FollowUp { role: role("coder"), agent, follow_up: follow_up() }
}

#[test]
fn e_9_a_used_up_allowance_makes_the_task_wait_where_it_is() {
    let mut desk = Desk::working();
    let first = desk.execution();
    let until = desk.now().plus_seconds(3600);
    let decision = desk.end_turn(failed(FailureClass::Quota, Some(until)));
    assert_eq!(desk.state(), "in_progress");
    assert_eq!(annotation(&desk), Some(AnnotationType::QuotaWait));
    assert!(desk.task.run.is_none(), "who waits takes up nobody's place");
    let begins: Vec<_> = decision.effects.iter().map(|planned| planned.not_before).collect();
    assert_eq!(begins, [until], "nothing begins before the time that was named");
    let details = desk.task.annotation.clone().expect("noted").details;
    assert_eq!(details["until"], until.millis());
    desk.wait_until(until);
    desk.take("await_quota");
    desk.report(Report::RunDue);
    assert_ne!(desk.execution(), first, "the next try is an execution of its own");
    assert_eq!(annotation(&desk), None);
    desk.whole_turn(turn(DONE));
    assert_eq!((desk.state(), annotation(&desk)), ("review", None));
}

#[test]
fn e_9_the_wait_can_be_called_off() {
    let mut desk = Desk::working();
    desk.end_turn(failed(FailureClass::Quota, None));
    desk.accept(person(1), Command::Cancel { reason: None });
    assert_eq!(desk.state(), "cancelled");
    assert_eq!(desk.outstanding(), ["clean_workspace"], "nothing waits for the allowance any more");
    assert!(desk.report(Report::RunDue).events.is_empty(), "a late one changes nothing");
}

#[test]
fn e_9_without_end_a_person_is_asked() {
    let mut desk = Desk::of("default");
    desk.claim(by_agent(1));
    let mut waits = 0;
    while desk.state() == "in_progress" {
        desk.wait_until(desk.now().plus_seconds(3600));
        desk.whole_turn(failed(FailureClass::Quota, None));
        if desk.task.postponed.is_some() {
            desk.take("await_quota");
            desk.report(Report::RunDue);
        }
        waits += 1;
        assert!(waits < 100, "it is bounded");
    }
    assert_eq!(desk.state(), "blocked");
}

#[test]
fn e_9_a_failure_counts_although_the_program_ended_well() {
    let mut desk = Desk::working();
    let result = RunResult { ending: DONE, ..failed(FailureClass::Auth, None) };
    desk.end_turn(result);
    assert_eq!(desk.state(), "blocked");
    let annotation = desk.task.annotation.clone().expect("noted");
    assert!(annotation.message.contains("not signed in"), "{}", annotation.message);
    assert_eq!(annotation.details["failure"]["class"], "auth");
}

#[test]
fn e_7_a_follow_up_goes_on_with_the_conversation() {
    let mut desk = Desk::working();
    desk.end_turn(turn(Ending::Exited { code: 3 }));
    assert_eq!(desk.state(), "blocked");
    desk.accept(person(1), asked());
    assert_eq!(desk.state(), "in_progress");
    let run = desk.task.run.clone().expect("a run");
    assert_eq!(run.follow_up, Some(follow_up()));
    assert_eq!(desk.outstanding(), ["prepare_workspace"]);
    desk.whole_turn(RunResult::bare(Ending::Lost));
    let again = desk.task.run.clone().expect("a run");
    assert_eq!(again.follow_up, Some(follow_up()), "a lost one is said again");
    desk.whole_turn(turn(DONE));
    assert_eq!(desk.state(), "review");
}

#[test]
fn e_7_a_follow_up_needs_a_person_and_an_idle_task_of_the_same_agent() {
    let mut desk = Desk::working();
    let busy = desk.refuse(person(1), asked());
    assert!(matches!(busy, Refusal::WorkspaceLocked { .. }), "{busy}");
    let execution = desk.execution();
    desk.end_turn(turn(Ending::Exited { code: 3 }));
    let refused = desk.refuse(agent_actor(1, execution), asked());
    assert!(matches!(refused, Refusal::PeopleOnly(_)), "{refused}");
    desk.task
        .roles
        .insert(role("coder"), Assignee::Agent { id: by_agent(2).agent().expect("an agent") });
    let refused = desk.refuse(person(1), asked());
    assert!(matches!(refused, Refusal::InvalidField { field: "execution", .. }), "{refused}");
}

//! Stopping a run, beginning it anew, taking it for failed (T-13, T-22).

use crate::support::{Desk, agent_actor, by_agent, by_user, machine, person, turn};
use forge_domain::task::{Activity, AnnotationType, Purpose};
use forge_domain::{Command, Ending, ExecutionId, Refusal};

fn stop(execution: ExecutionId) -> Command {
    Command::StopRun { execution, reason: Some("it loops".to_owned()) }
}

fn trouble(desk: &Desk) -> Option<AnnotationType> {
    desk.task.annotation.as_ref().map(|trouble| trouble.kind)
}

fn over(desk: &mut Desk) {
    desk.end_turn(turn(Ending::Stopped));
    desk.stop();
}

#[test]
fn t_13_a_stopped_run_leaves_the_state_and_nothing_goes_on_by_itself() {
    for mut desk in [Desk::working(), Desk::judging()] {
        let (execution, state) = (desk.execution(), desk.state().to_owned());
        desk.accept(person(1), stop(execution));
        assert!(desk.is_stopping());
        desk.accept(person(1), stop(execution));
        over(&mut desk);
        assert_eq!((desk.state(), trouble(&desk)), (state.as_str(), Some(AnnotationType::Stopped)));
        assert_eq!((desk.task.run.as_ref(), desk.task.activity), (None, None));
        assert!(desk.outstanding().is_empty(), "nobody resumes by themselves");
        let message = desk.task.annotation.as_ref().map(|trouble| trouble.message.clone());
        assert!(message.is_some_and(|message| message.contains("it loops")));
        let refusal = desk.refuse(person(1), stop(execution));
        assert_eq!(refusal, Refusal::ExecutionOver { key: desk.task.key() });
    }
}

#[test]
fn t_22_a_run_is_begun_anew_after_its_stop_or_in_its_middle() {
    for mut desk in [Desk::working(), Desk::judging()] {
        let (execution, state) = (desk.execution(), desk.state().to_owned());
        let before = desk.task.run.clone().expect("a run");
        desk.accept(person(1), stop(execution));
        over(&mut desk);
        desk.accept(person(1), Command::Restart { execution });
        let again = desk.task.run.clone().expect("another run");
        assert_ne!(again.execution, execution);
        assert_eq!((again.role, again.purpose), (before.role, before.purpose));
        assert_eq!((desk.state(), trouble(&desk)), (state.as_str(), None));
        desk.prepare();
        desk.start();
        let second = desk.execution();
        desk.accept(person(1), Command::Restart { execution: second });
        assert!(desk.is_stopping());
        over(&mut desk);
        assert_ne!(desk.execution(), second, "it begins once the old one is gone");
        assert_eq!(desk.state(), state);
    }
}

#[test]
fn t_22_a_run_that_is_being_stopped_can_be_begun_anew() {
    let mut desk = Desk::working();
    let execution = desk.execution();
    desk.accept(person(1), stop(execution));
    desk.accept(person(1), Command::Restart { execution });
    over(&mut desk);
    assert_ne!(desk.execution(), execution);
    assert_eq!(trouble(&desk), None);
}

#[test]
fn t_22_a_failed_run_is_begun_anew_from_where_its_task_was_parked() {
    let mut desk = Desk::working();
    let execution = desk.execution();
    desk.end_turn(turn(Ending::Exited { code: 3 }));
    assert_eq!(desk.state(), "blocked");
    desk.accept(person(1), Command::Restart { execution });
    assert_eq!((desk.state(), trouble(&desk)), ("in_progress", None));
    assert_eq!(desk.task.run.as_ref().map(|run| run.purpose), Some(Purpose::Work));
}

#[test]
fn t_22_what_cannot_be_begun_anew_says_why() {
    let mut desk = Desk::in_review();
    let execution = desk.task.last_run.clone().expect("it worked").execution;
    let refusal = desk.refuse(person(1), Command::Restart { execution });
    assert!(matches!(refusal, Refusal::NotRestartable { .. }), "its checks run: {refusal}");
    let mut desk = Desk::working();
    let first = desk.execution();
    desk.accept(person(1), Command::HandOff { message: "over to you".to_owned() });
    over(&mut desk);
    let refusal = desk.refuse(person(1), Command::Restart { execution: first });
    assert!(refusal.to_string().contains("nobody holds the role"), "{refusal}");
    desk.claim(by_agent(2));
    let refusal = desk.refuse(person(1), Command::Restart { execution: first });
    assert_eq!(refusal, Refusal::ExecutionOver { key: desk.task.key() }, "it is history");
    for actor in [machine(), agent_actor(2, desk.execution())] {
        let execution = desk.execution();
        for command in [
            stop(execution),
            Command::Restart { execution },
            Command::MarkFailed { execution, reason: None },
        ] {
            assert!(matches!(desk.refuse(actor.clone(), command), Refusal::PeopleOnly(_)));
        }
    }
}

#[test]
fn t_22_a_run_taken_for_failed_takes_the_edge_of_a_failed_one() {
    let mut desk = Desk::working();
    let execution = desk.execution();
    desk.accept(person(1), Command::MarkFailed { execution, reason: Some("nonsense".to_owned()) });
    assert!(desk.is_stopping());
    over(&mut desk);
    assert_eq!((desk.state(), trouble(&desk)), ("blocked", Some(AnnotationType::ExecutionFailed)));
    let mut desk = Desk::working();
    let execution = desk.execution();
    desk.accept(person(1), stop(execution));
    over(&mut desk);
    desk.accept(person(1), Command::MarkFailed { execution, reason: None });
    assert_eq!(desk.state(), "blocked", "also once it was stopped");
    let mut desk = Desk::judging();
    let execution = desk.execution();
    desk.accept(person(1), Command::MarkFailed { execution, reason: None });
    assert_eq!((desk.state(), trouble(&desk)), ("blocked", Some(AnnotationType::ReviewBlocked)));
    assert!(desk.task.rejections.is_empty(), "the work is not to blame");
}

#[test]
fn t_22_a_persons_own_run_is_stopped_and_begun_anew_without_a_process() {
    let mut desk = Desk::of("default");
    desk.claim(by_user(1));
    desk.prepare();
    let execution = desk.execution();
    desk.accept(person(1), stop(execution));
    assert_eq!((desk.task.run.as_ref(), desk.state()), (None, "in_progress"));
    desk.accept(person(1), Command::Restart { execution });
    desk.prepare();
    let second = desk.execution();
    desk.accept(person(1), Command::Restart { execution: second });
    assert_ne!(desk.execution(), second);
    assert!(matches!(desk.task.activity, Some(Activity::Preparing { .. })));
}

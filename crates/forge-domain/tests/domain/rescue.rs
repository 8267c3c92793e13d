//! Stopping, restarting and failing an execution (T-13, T-22).

use crate::support::{TaskFixture, agent_actor, by_agent, by_user, machine, person, turn};
use forge_domain::task::{AnnotationType, ExecutionPurpose, TaskActivity};
use forge_domain::{ExecutionEnding, ExecutionId, Refusal, TaskCommand};

fn stop(execution: ExecutionId) -> TaskCommand {
    TaskCommand::StopRun { execution, reason: Some("it loops".to_owned()) }
}

fn trouble(fixture: &TaskFixture) -> Option<AnnotationType> {
    fixture.task.annotation.as_ref().map(|trouble| trouble.kind)
}

fn over(fixture: &mut TaskFixture) {
    fixture.end_turn(turn(ExecutionEnding::Stopped));
    fixture.stop();
}

#[test]
fn t_13_a_stopped_execution_keeps_the_state_and_nothing_continues_by_itself() {
    for mut fixture in [TaskFixture::working(), TaskFixture::judging()] {
        let (execution, state) = (fixture.execution(), fixture.state().to_owned());
        fixture.accept(person(1), stop(execution));
        assert!(fixture.is_stopping());
        fixture.accept(person(1), stop(execution));
        over(&mut fixture);
        assert_eq!(
            (fixture.state(), trouble(&fixture)),
            (state.as_str(), Some(AnnotationType::Stopped))
        );
        assert_eq!((fixture.task.run.as_ref(), fixture.task.activity), (None, None));
        assert!(fixture.outstanding().is_empty(), "nothing resumes by itself");
        let message = fixture.task.annotation.as_ref().map(|trouble| trouble.message.clone());
        assert!(message.is_some_and(|message| message.contains("it loops")));
        let refusal = fixture.refuse(person(1), stop(execution));
        assert_eq!(refusal, Refusal::ExecutionEnded { key: fixture.task.key() });
    }
}

#[test]
fn t_22_an_execution_is_restarted_after_its_stop_or_while_it_runs() {
    for mut fixture in [TaskFixture::working(), TaskFixture::judging()] {
        let (execution, state) = (fixture.execution(), fixture.state().to_owned());
        let before = fixture.task.run.clone().expect("a run");
        fixture.accept(person(1), stop(execution));
        over(&mut fixture);
        fixture.accept(person(1), TaskCommand::Restart { execution });
        let again = fixture.task.run.clone().expect("another run");
        assert_ne!(again.execution, execution);
        assert_eq!((again.role, again.purpose), (before.role, before.purpose));
        assert_eq!((fixture.state(), trouble(&fixture)), (state.as_str(), None));
        fixture.prepare();
        fixture.start();
        let second = fixture.execution();
        fixture.accept(person(1), TaskCommand::Restart { execution: second });
        assert!(fixture.is_stopping());
        over(&mut fixture);
        assert_ne!(fixture.execution(), second, "it begins once the old one is gone");
        assert_eq!(fixture.state(), state);
    }
}

#[test]
fn t_22_an_execution_that_is_being_stopped_can_be_restarted() {
    let mut fixture = TaskFixture::working();
    let execution = fixture.execution();
    fixture.accept(person(1), stop(execution));
    fixture.accept(person(1), TaskCommand::Restart { execution });
    over(&mut fixture);
    assert_ne!(fixture.execution(), execution);
    assert_eq!(trouble(&fixture), None);
}

#[test]
fn t_22_a_failed_execution_is_restarted_from_the_fault_state() {
    let mut fixture = TaskFixture::working();
    let execution = fixture.execution();
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 3 }));
    assert_eq!(fixture.state(), "blocked");
    fixture.accept(person(1), TaskCommand::Restart { execution });
    assert_eq!((fixture.state(), trouble(&fixture)), ("in_progress", None));
    assert_eq!(fixture.task.run.as_ref().map(|run| run.purpose), Some(ExecutionPurpose::Work));
}

#[test]
fn t_22_a_refused_restart_gives_the_reason() {
    let mut fixture = TaskFixture::in_review();
    let execution = fixture.task.last_run.clone().expect("it worked").execution;
    let refusal = fixture.refuse(person(1), TaskCommand::Restart { execution });
    assert!(matches!(refusal, Refusal::NotRestartable { .. }), "its checks run: {refusal}");
    let mut fixture = TaskFixture::working();
    let first = fixture.execution();
    fixture.accept(person(1), TaskCommand::HandOff { message: "over to you".to_owned() });
    over(&mut fixture);
    let refusal = fixture.refuse(person(1), TaskCommand::Restart { execution: first });
    assert!(refusal.to_string().contains("has no holder"), "{refusal}");
    fixture.claim(by_agent(2));
    let refusal = fixture.refuse(person(1), TaskCommand::Restart { execution: first });
    assert_eq!(refusal, Refusal::ExecutionEnded { key: fixture.task.key() }, "it is history");
    for actor in [machine(), agent_actor(2, fixture.execution())] {
        let execution = fixture.execution();
        for command in [
            stop(execution),
            TaskCommand::Restart { execution },
            TaskCommand::MarkFailed { execution, reason: None },
        ] {
            assert!(matches!(fixture.refuse(actor.clone(), command), Refusal::PeopleOnly(_)));
        }
    }
}

#[test]
fn t_22_an_execution_marked_as_failed_takes_the_failed_edge() {
    let mut fixture = TaskFixture::working();
    let execution = fixture.execution();
    fixture.accept(
        person(1),
        TaskCommand::MarkFailed { execution, reason: Some("nonsense".to_owned()) },
    );
    assert!(fixture.is_stopping());
    over(&mut fixture);
    assert_eq!(
        (fixture.state(), trouble(&fixture)),
        ("blocked", Some(AnnotationType::ExecutionFailed))
    );
    let mut fixture = TaskFixture::working();
    let execution = fixture.execution();
    fixture.accept(person(1), stop(execution));
    over(&mut fixture);
    fixture.accept(person(1), TaskCommand::MarkFailed { execution, reason: None });
    assert_eq!(fixture.state(), "blocked", "also once it was stopped");
    let mut fixture = TaskFixture::judging();
    let execution = fixture.execution();
    fixture.accept(person(1), TaskCommand::MarkFailed { execution, reason: None });
    assert_eq!(
        (fixture.state(), trouble(&fixture)),
        ("blocked", Some(AnnotationType::ReviewBlocked))
    );
    assert!(fixture.task.rejections.is_empty(), "the work is not to blame");
}

#[test]
fn t_22_a_persons_own_execution_is_stopped_and_restarted_without_a_process() {
    let mut fixture = TaskFixture::of("default");
    fixture.claim(by_user(1));
    fixture.prepare();
    let execution = fixture.execution();
    fixture.accept(person(1), stop(execution));
    assert_eq!((fixture.task.run.as_ref(), fixture.state()), (None, "in_progress"));
    fixture.accept(person(1), TaskCommand::Restart { execution });
    fixture.prepare();
    let second = fixture.execution();
    fixture.accept(person(1), TaskCommand::Restart { execution: second });
    assert_ne!(fixture.execution(), second);
    assert!(matches!(fixture.task.activity, Some(TaskActivity::Preparing { .. })));
}

//! Moves by hand (T-8) and by agents (P-3).

use crate::support::{TaskFixture, agent_actor, by_agent, by_user, name, passed, person, uuid};
use forge_domain::task::AnnotationType;
use forge_domain::workflow::StateName;
use forge_domain::{ExecutionId, Refusal, TaskCommand, TaskEvent};

fn allowed_of(refusal: &Refusal) -> Vec<&str> {
    match refusal {
        Refusal::InvalidTransition { allowed, .. } => {
            allowed.iter().map(StateName::as_str).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn t_8_a_stale_version_is_refused_with_both_versions() {
    let mut fixture = TaskFixture::of("default");
    fixture.move_to("todo", None);
    for seen in [0, 1, 3] {
        let command = TaskCommand::Move { to: name("backlog"), version: Some(seen), reason: None };
        let refusal = fixture.refuse(person(1), command);
        assert_eq!(refusal, Refusal::VersionConflict { noun: "task", expected: seen, actual: 2 });
    }
}

#[test]
fn t_8_a_move_without_an_edge_is_refused_with_the_possible_ones() {
    let mut fixture = TaskFixture::of("default");
    let command = fixture.moving("done", None);
    let refusal = fixture.refuse(person(1), command);
    assert_eq!(allowed_of(&refusal), ["todo", "blocked", "cancelled"]);
    assert!(refusal.to_string().contains("todo, blocked, cancelled"), "{refusal}");
    let command = fixture.moving("no such state", None);
    assert_eq!(allowed_of(&fixture.refuse(person(1), command)), ["todo", "blocked", "cancelled"]);
}

#[test]
fn t_8_every_state_lists_its_success_edge_first() {
    let mut fixture = TaskFixture::working();
    let nowhere = |fixture: &mut TaskFixture| {
        let command = fixture.moving("nowhere", None);
        fixture.refuse(person(1), command)
    };
    assert_eq!(allowed_of(&nowhere(&mut fixture)), ["review", "todo", "blocked", "cancelled"]);
    let mut fixture = TaskFixture::in_review();
    assert_eq!(
        allowed_of(&nowhere(&mut fixture)),
        ["merging", "in_progress", "todo", "blocked", "cancelled"]
    );
    let mut fixture = TaskFixture::landing();
    assert_eq!(allowed_of(&nowhere(&mut fixture)), ["blocked", "cancelled"]);
    fixture.move_to("blocked", None);
    let from_fault = ["backlog", "todo", "in_progress", "review", "cancelled"];
    assert_eq!(allowed_of(&nowhere(&mut fixture)), from_fault);
}

#[test]
fn t_8_a_move_is_recorded_with_its_reason_and_counts_one_version() {
    let mut fixture = TaskFixture::of("default");
    let decision = fixture.move_to("todo", Some("ready to go"));
    assert_eq!(fixture.task.version, 2);
    let [recorded] = decision.events.as_slice() else { panic!("{:?}", decision.events) };
    let TaskEvent::TaskTransitioned { from, to, rejection, reason, claimable, .. } =
        &recorded.event
    else {
        panic!("{recorded:?}");
    };
    assert_eq!(
        (from.as_str(), to.as_str(), *rejection, *claimable),
        ("backlog", "todo", false, true)
    );
    assert_eq!(reason.as_deref(), Some("ready to go"));
}

/// F-3: a task can enter the fault state from any state, and leave it along the workflow's edges.
#[test]
fn f_3_a_person_parks_a_task_and_takes_it_back() {
    let mut fixture = TaskFixture::of("default");
    fixture.move_to("blocked", Some("waiting for legal"));
    let annotation = fixture.task.annotation.clone().expect("it says why");
    assert_eq!(
        (annotation.kind, annotation.message.as_str()),
        (AnnotationType::Parked, "waiting for legal")
    );
    fixture.move_to("backlog", None);
    assert_eq!(fixture.task.annotation, None, "the trouble is over when the task moves on");
}

#[test]
fn t_8_an_ended_task_cannot_be_moved() {
    let mut fixture = TaskFixture::of("default");
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    for to in ["backlog", "todo", "blocked", "cancelled"] {
        let command = fixture.moving(to, None);
        let refusal = fixture.refuse(person(1), command);
        assert_eq!(allowed_of(&refusal), [] as [&str; 0]);
        assert!(refusal.to_string().contains("nowhere"), "{refusal}");
    }
}

#[test]
fn t_8_there_is_nothing_to_check_before_there_is_a_workspace() {
    let mut fixture = TaskFixture::of("default");
    fixture.move_to("blocked", None);
    let command = fixture.moving("review", None);
    let refusal = fixture.refuse(person(1), command);
    assert_eq!(refusal, Refusal::WorkspaceMissing { key: fixture.task.key() });
}

/// P-3: an agent can only ask to finish its work.
#[test]
fn p_3_an_agent_may_only_finish_its_own_work() {
    let mut fixture = TaskFixture::working();
    let own = agent_actor(1, fixture.execution());
    for to in ["todo", "blocked", "cancelled", "merging", "done"] {
        let command = fixture.moving(to, None);
        assert_eq!(allowed_of(&fixture.refuse(own.clone(), command)), ["review"], "{to}");
    }
    let command = fixture.moving("review", None);
    let decision = fixture.accept(own, command);
    assert_eq!(fixture.state(), "review");
    assert!(fixture.is_stopping(), "its process goes before the checks begin");
    assert!(decision.supersedes);
    assert_eq!(fixture.task.holder, Some(by_agent(1)));
    fixture.stop();
    assert_eq!(fixture.outstanding(), ["run_execution", "run_checks"]);
}

#[test]
fn p_3_an_agent_cannot_move_a_task_that_another_run_works_on() {
    let mut fixture = TaskFixture::working();
    let stranger = agent_actor(1, ExecutionId::new(uuid(99)));
    let command = fixture.moving("review", None);
    assert_eq!(allowed_of(&fixture.refuse(stranger, command)), [] as [&str; 0]);
}

#[test]
fn p_3_an_agent_cannot_pass_its_own_gate() {
    let mut fixture = TaskFixture::working();
    let own = agent_actor(1, fixture.execution());
    let command = fixture.moving("review", None);
    fixture.accept(own.clone(), command);
    fixture.stop();
    fixture.checks(vec![passed()]);
    for to in ["merging", "in_progress", "blocked"] {
        let command = fixture.moving(to, None);
        assert_eq!(allowed_of(&fixture.refuse(own.clone(), command)), [] as [&str; 0]);
    }
    assert!(matches!(
        fixture.refuse(own, TaskCommand::Cancel { reason: None }),
        Refusal::PeopleOnly(_)
    ));
}

#[test]
fn p_3_the_pass_edge_is_closed_until_the_gate_has_passed() {
    let mut fixture = TaskFixture::in_review();
    let command = fixture.moving("merging", None);
    let refusal = fixture.refuse(person(1), command);
    assert_eq!(refusal, Refusal::ReviewNotPassed { gate: name("review") });
    fixture.checks(vec![passed()]);
    fixture.move_to("merging", None);
    assert_eq!(fixture.state(), "merging");
}

/// The version counts changes that people decide by, not the engine's progress.
#[test]
fn t_8_an_agents_progress_does_not_make_a_version_stale() {
    let mut fixture = TaskFixture::of("default");
    fixture.claim(by_user(1));
    let seen = fixture.task.version;
    fixture.prepare();
    fixture.accept(person(2), TaskCommand::Comment { body: "go on".to_owned(), parent: None });
    assert_eq!(fixture.task.version, seen);
    fixture.accept(
        person(1),
        TaskCommand::Move { to: name("review"), version: Some(seen), reason: None },
    );
}

#[test]
fn issue_13_21_a_move_without_a_version_accepts_any_version() {
    let mut fixture = TaskFixture::of("default");
    fixture.move_to("todo", None);
    let command = TaskCommand::Move { to: name("backlog"), version: None, reason: None };
    fixture.accept(person(1), command);
    assert_eq!(fixture.state(), "backlog");
}

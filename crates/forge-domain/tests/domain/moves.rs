//! Moves by hand (T-8) and by agents (P-3).

use crate::support::{Desk, agent_actor, by_agent, by_user, name, passed, person, uuid};
use forge_domain::task::AnnotationType;
use forge_domain::workflow::StateName;
use forge_domain::{Command, Event, ExecutionId, Refusal};

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
    let mut desk = Desk::of("default");
    desk.move_to("todo", None);
    for seen in [0, 1, 3] {
        let command = Command::Move { to: name("backlog"), version: seen, reason: None };
        let refusal = desk.refuse(person(1), command);
        assert_eq!(refusal, Refusal::VersionConflict { noun: "task", expected: seen, actual: 2 });
    }
}

#[test]
fn t_8_a_move_that_has_no_edge_is_refused_with_those_there_are() {
    let mut desk = Desk::of("default");
    let command = desk.moving("done", None);
    let refusal = desk.refuse(person(1), command);
    assert_eq!(allowed_of(&refusal), ["todo", "blocked", "cancelled"]);
    assert!(refusal.to_string().contains("todo, blocked, cancelled"), "{refusal}");
    let command = desk.moving("no such state", None);
    assert_eq!(allowed_of(&desk.refuse(person(1), command)), ["todo", "blocked", "cancelled"]);
}

#[test]
fn t_8_every_state_lists_its_own_way_on_first() {
    let mut desk = Desk::working();
    let nowhere = |desk: &mut Desk| {
        let command = desk.moving("nowhere", None);
        desk.refuse(person(1), command)
    };
    assert_eq!(allowed_of(&nowhere(&mut desk)), ["review", "todo", "blocked", "cancelled"]);
    let mut desk = Desk::in_review();
    assert_eq!(
        allowed_of(&nowhere(&mut desk)),
        ["merging", "in_progress", "todo", "blocked", "cancelled"]
    );
    let mut desk = Desk::landing();
    assert_eq!(allowed_of(&nowhere(&mut desk)), ["blocked", "cancelled"]);
    desk.move_to("blocked", None);
    let from_fault = ["backlog", "todo", "in_progress", "review", "cancelled"];
    assert_eq!(allowed_of(&nowhere(&mut desk)), from_fault);
}

#[test]
fn t_8_a_move_is_recorded_with_its_reason_and_counts_one_version() {
    let mut desk = Desk::of("default");
    let decision = desk.move_to("todo", Some("ready to go"));
    assert_eq!(desk.task.version, 2);
    let [recorded] = decision.events.as_slice() else { panic!("{:?}", decision.events) };
    let Event::TaskTransitioned { from, to, rejection, reason, claimable, .. } = &recorded.event
    else {
        panic!("{recorded:?}");
    };
    assert_eq!(
        (from.as_str(), to.as_str(), *rejection, *claimable),
        ("backlog", "todo", false, true)
    );
    assert_eq!(reason.as_deref(), Some("ready to go"));
}

/// F-3: the fault state can be entered from anywhere, and left to where the workflow says.
#[test]
fn f_3_a_person_parks_a_task_and_takes_it_back() {
    let mut desk = Desk::of("default");
    desk.move_to("blocked", Some("waiting for legal"));
    let annotation = desk.task.annotation.clone().expect("it says why");
    assert_eq!(
        (annotation.kind, annotation.message.as_str()),
        (AnnotationType::Parked, "waiting for legal")
    );
    desk.move_to("backlog", None);
    assert_eq!(desk.task.annotation, None, "the trouble is over when the task moves on");
}

#[test]
fn t_8_an_ended_task_goes_nowhere() {
    let mut desk = Desk::of("default");
    desk.accept(person(1), Command::Cancel { reason: None });
    for to in ["backlog", "todo", "blocked", "cancelled"] {
        let command = desk.moving(to, None);
        let refusal = desk.refuse(person(1), command);
        assert_eq!(allowed_of(&refusal), [] as [&str; 0]);
        assert!(refusal.to_string().contains("nowhere"), "{refusal}");
    }
}

#[test]
fn t_8_there_is_nothing_to_check_before_there_is_a_workspace() {
    let mut desk = Desk::of("default");
    desk.move_to("blocked", None);
    let command = desk.moving("review", None);
    let refusal = desk.refuse(person(1), command);
    assert_eq!(refusal, Refusal::WorkspaceMissing { key: desk.task.key() });
}

/// P-3: an agent can ask to be done, and for nothing else.
#[test]
fn p_3_an_agent_may_only_ask_to_be_done_with_its_own_work() {
    let mut desk = Desk::working();
    let own = agent_actor(1, desk.execution());
    for to in ["todo", "blocked", "cancelled", "merging", "done"] {
        let command = desk.moving(to, None);
        assert_eq!(allowed_of(&desk.refuse(own.clone(), command)), ["review"], "{to}");
    }
    let command = desk.moving("review", None);
    let decision = desk.accept(own, command);
    assert_eq!(desk.state(), "review");
    assert!(desk.is_stopping(), "its process goes before the checks begin");
    assert!(decision.supersedes);
    assert_eq!(desk.task.holder, Some(by_agent(1)));
    desk.stop();
    assert_eq!(desk.outstanding(), ["run_turn", "run_checks"]);
}

#[test]
fn p_3_an_agent_cannot_move_a_task_that_another_run_works_on() {
    let mut desk = Desk::working();
    let stranger = agent_actor(1, ExecutionId::new(uuid(99)));
    let command = desk.moving("review", None);
    assert_eq!(allowed_of(&desk.refuse(stranger, command)), [] as [&str; 0]);
}

#[test]
fn p_3_an_agent_cannot_pass_its_own_gate() {
    let mut desk = Desk::working();
    let own = agent_actor(1, desk.execution());
    let command = desk.moving("review", None);
    desk.accept(own.clone(), command);
    desk.stop();
    desk.checks(vec![passed()]);
    for to in ["merging", "in_progress", "blocked"] {
        let command = desk.moving(to, None);
        assert_eq!(allowed_of(&desk.refuse(own.clone(), command)), [] as [&str; 0]);
    }
    assert!(matches!(desk.refuse(own, Command::Cancel { reason: None }), Refusal::PeopleOnly(_)));
}

#[test]
fn p_3_the_pass_edge_is_shut_until_the_gate_has_passed() {
    let mut desk = Desk::in_review();
    let command = desk.moving("merging", None);
    let refusal = desk.refuse(person(1), command);
    assert_eq!(refusal, Refusal::ReviewNotPassed { gate: name("review") });
    desk.checks(vec![passed()]);
    desk.move_to("merging", None);
    assert_eq!(desk.state(), "merging");
}

/// The version counts what people decide by, not what the engine does meanwhile.
#[test]
fn t_8_an_agents_progress_does_not_make_a_version_stale() {
    let mut desk = Desk::of("default");
    desk.claim(by_user(1));
    let seen = desk.task.version;
    desk.prepare();
    desk.accept(person(2), Command::Comment { body: "go on".to_owned(), parent: None });
    assert_eq!(desk.task.version, seen);
    desk.accept(person(1), Command::Move { to: name("review"), version: seen, reason: None });
}

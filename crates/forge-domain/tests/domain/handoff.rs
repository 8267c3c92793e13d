//! Handing a task off (T-20).

use crate::support::{
    TaskFixture, agent_actor, by_agent, by_user, machine, passed, person, role, turn,
};
use forge_domain::task::{AnnotationType, TaskActivity};
use forge_domain::{
    Actor, DispatchFacts, Effect, ExecutionEnding, Refusal, RegisteredAgent, TaskCommand, TaskEvent,
};

fn note(message: &str) -> TaskCommand {
    TaskCommand::HandOff { message: message.to_owned() }
}

#[test]
fn t_20_a_handoff_stops_the_execution_releases_the_coder_and_keeps_the_work() {
    let mut fixture = TaskFixture::working();
    let (execution, workspace) = (fixture.execution(), fixture.task.workspace.clone());
    let decision = fixture.accept(person(1), note("  the parser is done, the printer is not\n"));
    assert_eq!((fixture.state(), fixture.task.claimable), ("todo", true));
    assert_eq!(fixture.task.activity, Some(TaskActivity::Stopping { mark: execution.uuid() }));
    let wanted: Vec<_> = decision.effects.iter().map(|planned| planned.effect.clone()).collect();
    assert_eq!(wanted, [Effect::Stop { mark: execution.uuid() }]);
    assert!(!fixture.task.roles.contains_key(&role("coder")));
    fixture.end_turn(turn(ExecutionEnding::Stopped));
    fixture.stop();
    assert_eq!(fixture.task.workspace, workspace, "nothing is removed");
    assert!(fixture.outstanding().is_empty());
    let handoff = &fixture.task.handoffs[0];
    assert_eq!(handoff.message, "the parser is done, the printer is not");
    assert_eq!((handoff.from, handoff.execution), (Some(by_agent(1)), Some(execution)));
    let (branch, path) = workspace.map(|at| (at.branch, at.path)).expect("it has a workspace");
    assert_eq!((handoff.branch.as_ref(), handoff.worktree.as_ref()), (Some(&branch), Some(&path)));
    assert!(fixture.task.annotation.is_none(), "a handoff is not a problem");
}

#[test]
fn t_20_another_agent_claims_it_and_the_notes_add_up() {
    let mut fixture = TaskFixture::working();
    for (n, message) in [(2, "first"), (3, "second")] {
        fixture.accept(person(1), note(message));
        fixture.end_turn(turn(ExecutionEnding::Stopped));
        fixture.stop();
        fixture.claim(by_agent(n));
        fixture.prepare();
        fixture.start();
    }
    let notes: Vec<_> = fixture.task.handoffs.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(notes, ["first", "second"]);
    assert_eq!(fixture.task.handoffs[1].from, Some(by_agent(2)));
    assert_eq!(fixture.task.roles[&role("coder")], by_agent(3));
}

#[test]
fn t_20_an_agent_hands_off_its_own_work_and_no_other() {
    let mut fixture = TaskFixture::working();
    let stranger = agent_actor(2, forge_domain::ExecutionId::new(crate::support::uuid(5)));
    assert!(matches!(fixture.refuse(stranger, note("mine")), Refusal::PeopleOnly(_)));
    let own = agent_actor(1, fixture.execution());
    fixture.accept(own.clone(), note("no access to the network"));
    assert_eq!(fixture.state(), "todo");
    assert!(matches!(fixture.refuse(own, note("again")), Refusal::PeopleOnly(_)), "it is stopped");
}

#[test]
fn t_20_a_person_hands_off_a_claimed_task() {
    let mut fixture = TaskFixture::of("default");
    fixture.claim(by_user(1));
    fixture.prepare();
    fixture.accept(person(1), note("on holiday"));
    assert_eq!((fixture.state(), fixture.task.run.as_ref()), ("todo", None));
    assert_eq!(fixture.task.handoffs[0].from, Some(by_user(1)));
}

#[test]
fn t_20_a_review_under_way_ends_undecided_and_a_pass_no_longer_counts() {
    let mut fixture = TaskFixture::in_review();
    let review = fixture.task.review.expect("a review is open");
    let decision = fixture.accept(person(1), note("another agent"));
    let finished = TaskEvent::ReviewFinished { review, verdict: None, counted: false, by: None };
    assert!(decision.events.iter().any(|recorded| recorded.event == finished));
    let mut fixture = TaskFixture::in_review();
    fixture.checks(vec![passed()]);
    fixture.accept(person(1), note("another agent"));
    assert_eq!((fixture.state(), fixture.task.review_passed_at), ("todo", None));
}

#[test]
fn t_20_a_handoff_needs_work_and_a_note() {
    let mut fixture = TaskFixture::of("default");
    let refusal = fixture.refuse(person(1), note("take it"));
    assert_eq!(refusal, Refusal::NothingToHandOff { key: fixture.task.key() });
    let mut fixture = TaskFixture::working();
    for message in ["", " \n ", &"x".repeat(100_001)] {
        let refusal = fixture.refuse(person(1), note(message));
        assert!(matches!(refusal, Refusal::InvalidField { field: "message", .. }), "{refusal}");
    }
    let mut fixture = TaskFixture::landing();
    let refusal = fixture.refuse(person(1), note("too late"));
    assert_eq!(refusal, Refusal::Landing { key: fixture.task.key() });
    let mut fixture = TaskFixture::of("default");
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    let refusal = fixture.refuse(person(1), note("over"));
    assert_eq!(refusal, Refusal::TaskTerminal { key: fixture.task.key() });
}

/// Registers agents 1 to `count` for the coder's role, and switches dispatch on.
fn dispatched(fixture: &mut TaskFixture, count: u64) {
    fixture.facts.dispatch = Some(DispatchFacts { is_on: true, running: 0, max_concurrent: None });
    fixture.facts.registered = (1..=count)
        .map(|n| RegisteredAgent {
            id: by_agent(n).agent().expect("an agent"),
            name: format!("agent-{n}"),
            roles: vec![role("coder")],
        })
        .collect();
}

/// The running agent hands the task off, and its execution ends.
fn declines(fixture: &mut TaskFixture, n: u64, message: &str) {
    let own = agent_actor(n, fixture.execution());
    fixture.accept(own, note(message));
    fixture.end_turn(turn(ExecutionEnding::Stopped));
    fixture.stop();
}

fn takes(fixture: &mut TaskFixture, n: u64) {
    fixture.accept(Actor::scheduler(), TaskCommand::Claim { claimer: by_agent(n) });
    fixture.prepare();
    fixture.start();
}

fn trouble(fixture: &TaskFixture) -> Option<AnnotationType> {
    fixture.task.annotation.as_ref().map(|found| found.kind)
}

#[test]
fn issue_13_15_t_20_a_task_that_every_agent_handed_off_is_parked_with_all_notes() {
    let mut fixture = TaskFixture::of("default");
    fixture.move_to("todo", None);
    dispatched(&mut fixture, 2);
    takes(&mut fixture, 1);
    declines(&mut fixture, 1, "no access");
    let unchanged = fixture.accept(Actor::scheduler(), TaskCommand::ParkHandedOff);
    assert!(unchanged.events.is_empty(), "agent 2 can take it");
    takes(&mut fixture, 2);
    declines(&mut fixture, 2, "no time");
    assert_eq!(fixture.state(), "todo");
    fixture.accept(Actor::scheduler(), TaskCommand::ParkHandedOff);
    assert_eq!((fixture.state(), trouble(&fixture)), ("blocked", Some(AnnotationType::HandedOff)));
    let annotation = fixture.task.annotation.clone().expect("it says why");
    assert!(annotation.message.starts_with("agent-1, agent-2 handed it off"), "{annotation:?}");
    let notes = annotation.details["notes"].as_array().expect("the notes").clone();
    let said: Vec<_> = notes.iter().map(|note| note["message"].as_str()).collect();
    assert_eq!(said, [Some("no access"), Some("no time")]);
    assert_eq!(notes[1]["agent"], "agent-2");
    // A person moves the task: each agent may take it again.
    fixture.move_to("todo", None);
    assert!(fixture.task.declined_by.is_empty() && fixture.task.handoffs.len() == 2);
}

#[test]
fn issue_13_15_t_20_only_agents_decline_and_submitting_or_a_person_ends_the_visit() {
    let mut fixture = TaskFixture::working();
    fixture.accept(person(1), note("a person decides"));
    fixture.end_turn(turn(ExecutionEnding::Stopped));
    fixture.stop();
    assert!(fixture.task.declined_by.is_empty(), "agent 1 did not hand it off itself");
    fixture.claim(by_agent(1));
    fixture.prepare();
    fixture.start();
    declines(&mut fixture, 1, "too hard");
    assert_eq!(fixture.task.declined_by.len(), 1);
    dispatched(&mut fixture, 2);
    takes(&mut fixture, 2);
    assert_eq!(fixture.task.declined_by.len(), 1, "the scheduler's claim is part of the visit");
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 0 }));
    assert!(fixture.task.declined_by.is_empty(), "the work was submitted");
}

#[test]
fn issue_13_15_t_20_a_task_outside_dispatch_is_not_parked() {
    let mut fixture = TaskFixture::of("default");
    fixture.move_to("todo", None);
    dispatched(&mut fixture, 1);
    takes(&mut fixture, 1);
    let own = agent_actor(1, fixture.execution());
    fixture.accept(own, note("no access"));
    let ending = fixture.accept(machine(), TaskCommand::ParkHandedOff);
    assert!(ending.events.is_empty(), "its execution is still being ended");
    fixture.end_turn(turn(ExecutionEnding::Stopped));
    fixture.stop();
    fixture.facts.dispatch = Some(DispatchFacts { is_on: false, running: 0, max_concurrent: None });
    assert!(
        fixture.accept(machine(), TaskCommand::ParkHandedOff).events.is_empty(),
        "dispatch is off"
    );
    assert_eq!(fixture.state(), "todo");
}

//! Handing a task to the next (T-20).

use crate::support::{Desk, agent_actor, by_agent, by_user, passed, person, role, turn};
use forge_domain::task::Activity;
use forge_domain::{Command, Effect, Ending, Event, Refusal};

fn note(message: &str) -> Command {
    Command::HandOff { message: message.to_owned() }
}

#[test]
fn t_20_the_run_is_stopped_the_coder_let_go_and_the_work_kept() {
    let mut desk = Desk::working();
    let (execution, workspace) = (desk.execution(), desk.task.workspace.clone());
    let decision = desk.accept(person(1), note("  the parser is done, the printer is not\n"));
    assert_eq!((desk.state(), desk.task.claimable), ("todo", true));
    assert_eq!(desk.task.activity, Some(Activity::Stopping { mark: execution.uuid() }));
    let wanted: Vec<_> = decision.effects.iter().map(|planned| planned.effect.clone()).collect();
    assert_eq!(wanted, [Effect::Stop { mark: execution.uuid() }]);
    assert!(!desk.task.roles.contains_key(&role("coder")));
    desk.end_turn(turn(Ending::Stopped));
    desk.stop();
    assert_eq!(desk.task.workspace, workspace, "nothing is removed");
    assert!(desk.outstanding().is_empty());
    let handoff = &desk.task.handoffs[0];
    assert_eq!(handoff.message, "the parser is done, the printer is not");
    assert_eq!((handoff.from, handoff.execution), (Some(by_agent(1)), Some(execution)));
    let (branch, path) = workspace.map(|at| (at.branch, at.path)).expect("it has a workspace");
    assert_eq!((handoff.branch.as_ref(), handoff.worktree.as_ref()), (Some(&branch), Some(&path)));
    assert!(desk.task.annotation.is_none(), "nobody did anything wrong");
}

#[test]
fn t_20_another_agent_claims_it_and_the_notes_add_up() {
    let mut desk = Desk::working();
    for (n, message) in [(2, "first"), (3, "second")] {
        desk.accept(person(1), note(message));
        desk.end_turn(turn(Ending::Stopped));
        desk.stop();
        desk.claim(by_agent(n));
        desk.prepare();
        desk.start();
    }
    let notes: Vec<_> = desk.task.handoffs.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(notes, ["first", "second"]);
    assert_eq!(desk.task.handoffs[1].from, Some(by_agent(2)));
    assert_eq!(desk.task.roles[&role("coder")], by_agent(3));
}

#[test]
fn t_20_an_agent_hands_off_its_own_work_and_no_other() {
    let mut desk = Desk::working();
    let stranger = agent_actor(2, forge_domain::ExecutionId::new(crate::support::uuid(5)));
    assert!(matches!(desk.refuse(stranger, note("mine")), Refusal::PeopleOnly(_)));
    let own = agent_actor(1, desk.execution());
    desk.accept(own.clone(), note("no access to the network"));
    assert_eq!(desk.state(), "todo");
    assert!(matches!(desk.refuse(own, note("again")), Refusal::PeopleOnly(_)), "it is stopped");
}

#[test]
fn t_20_a_person_hands_off_what_they_claimed() {
    let mut desk = Desk::of("default");
    desk.claim(by_user(1));
    desk.prepare();
    desk.accept(person(1), note("on holiday"));
    assert_eq!((desk.state(), desk.task.run.as_ref()), ("todo", None));
    assert_eq!(desk.task.handoffs[0].from, Some(by_user(1)));
}

#[test]
fn t_20_a_review_under_way_ends_undecided_and_a_pass_no_longer_counts() {
    let mut desk = Desk::in_review();
    let review = desk.task.review.expect("a review is open");
    let decision = desk.accept(person(1), note("somebody else"));
    let finished = Event::ReviewFinished { review, verdict: None, counted: false, by: None };
    assert!(decision.events.iter().any(|recorded| recorded.event == finished));
    let mut desk = Desk::in_review();
    desk.checks(vec![passed()]);
    desk.accept(person(1), note("somebody else"));
    assert_eq!((desk.state(), desk.task.review_passed_at), ("todo", None));
}

#[test]
fn t_20_there_must_be_something_to_hand_off_and_something_to_say() {
    let mut desk = Desk::of("default");
    let refusal = desk.refuse(person(1), note("take it"));
    assert_eq!(refusal, Refusal::NothingToHandOff { key: desk.task.key() });
    let mut desk = Desk::working();
    for message in ["", " \n ", &"x".repeat(100_001)] {
        let refusal = desk.refuse(person(1), note(message));
        assert!(matches!(refusal, Refusal::InvalidField { field: "message", .. }), "{refusal}");
    }
    let mut desk = Desk::landing();
    let refusal = desk.refuse(person(1), note("too late"));
    assert_eq!(refusal, Refusal::Landing { key: desk.task.key() });
    let mut desk = Desk::of("default");
    desk.accept(person(1), Command::Cancel { reason: None });
    let refusal = desk.refuse(person(1), note("over"));
    assert_eq!(refusal, Refusal::TaskTerminal { key: desk.task.key() });
}

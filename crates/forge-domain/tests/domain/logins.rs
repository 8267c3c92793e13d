//! An agent that is not signed in (E-9, issue 13 number 12): the task returns to the queue, or waits for the agent.

use crate::support::{TaskFixture, by_agent, passed, person, role, signed_out, turn};
use forge_domain::dispatch::DispatchBlocker;
use forge_domain::task::{AnnotationType, ExecutionPurpose, FollowUpMessage, PostponeCause};
use forge_domain::{
    EffectReport, ExecutionEnding, ExecutionResult, ResetScope, SubstituteAgent, TaskCommand,
};

fn note(fixture: &TaskFixture) -> Option<AnnotationType> {
    fixture.task.annotation.as_ref().map(|note| note.kind)
}

#[test]
fn issue_13_12_a_task_whose_agent_is_not_signed_in_returns_to_the_queue() {
    let mut fixture = TaskFixture::working();
    let place = fixture.task.workspace.clone();
    fixture.end_turn(signed_out());
    assert_eq!((fixture.state(), fixture.task.claimable), ("todo", true));
    assert_eq!(note(&fixture), None, "it is not the task that needs attention");
    assert_eq!(fixture.task.roles.get(&role("coder")), None, "other agents can claim it");
    assert_eq!(fixture.task.workspace, place, "what was done so far is kept");
    assert_eq!((fixture.outstanding(), fixture.task.quota_waits), (Vec::<&str>::new(), 0));
    fixture.accept(person(1), TaskCommand::Claim { claimer: by_agent(2) });
    fixture.whole_turn(turn(ExecutionEnding::Exited { code: 0 }));
    assert_eq!(fixture.state(), "review");
}

#[test]
fn issue_13_12_a_fallback_is_asked_when_an_agent_is_not_signed_in() {
    let mut fixture = TaskFixture::working();
    let agent = by_agent(2).agent().expect("an agent");
    let in_place_of = "ada".to_owned();
    fixture.facts.substitute =
        Some(SubstituteAgent { agent, name: "ben".to_owned(), replaced_name: in_place_of });
    fixture.end_turn(signed_out());
    assert_eq!(fixture.task.run.as_ref().map(|run| run.assignee), Some(by_agent(2)));
    let note = fixture.task.handoffs.last().expect("a note");
    assert!(note.message.starts_with("ada is not signed in"), "{}", note.message);
}

#[test]
fn issue_13_12_a_conversation_waits_for_its_agent() {
    let mut fixture = TaskFixture::working();
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 3 }));
    let agent = by_agent(1).agent().expect("an agent");
    let follow_up =
        FollowUpMessage { session: "s-1".to_owned(), message: "mind the tabs".to_owned() };
    fixture.accept(
        person(1),
        TaskCommand::FollowUp {
            role: role("coder"),
            agent,
            session: Some(follow_up.session.clone()),
            message: follow_up.message.clone(),
        },
    );
    fixture.whole_turn(signed_out());
    assert_eq!(
        (fixture.state(), note(&fixture)),
        ("in_progress", Some(AnnotationType::NotSignedIn))
    );
    let waits = fixture.task.postponed.clone().expect("it waits");
    assert_eq!((waits.cause, waits.follow_up), (PostponeCause::Login, Some(follow_up)));
    assert_eq!(fixture.outstanding(), ["await_quota"]);
    fixture.take("await_quota");
    fixture.report(EffectReport::RunDue);
    assert_eq!(note(&fixture), None);
    let run = fixture.task.run.clone().expect("a run");
    assert_eq!(run.follow_up.map(|said| said.message).as_deref(), Some("mind the tabs"));
}

#[test]
fn issue_13_12_a_reviewer_that_is_not_signed_in_is_waited_for() {
    let mut fixture = TaskFixture::in_review();
    let assign = TaskCommand::Assign {
        role: role("reviewer"),
        assignee: by_agent(3),
        reset: ResetScope::Nothing,
    };
    fixture.accept(person(1), assign);
    fixture.checks(vec![passed()]);
    let review = fixture.task.review;
    fixture.whole_turn(ExecutionResult { changed: false, ..signed_out() });
    assert_eq!((fixture.state(), fixture.task.review), ("review", review));
    assert_eq!(
        (note(&fixture), fixture.task.gate.unreadable),
        (Some(AnnotationType::NotSignedIn), 0)
    );
    let waits = fixture.task.postponed.clone().expect("it waits");
    assert_eq!((waits.purpose, waits.cause), (ExecutionPurpose::Judge, PostponeCause::Login));
}

#[test]
fn issue_13_12_the_message_names_the_next_command() {
    let words = DispatchBlocker::NotSignedIn { agents: vec!["ada".to_owned()] }.to_string();
    assert!(words.starts_with("ada is not signed in"), "{words}");
    assert!(words.contains("`forge agent probe ada`"), "{words}");
}

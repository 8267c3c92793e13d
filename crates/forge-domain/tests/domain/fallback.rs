//! Another agent takes over when a quota is used up (E-9).

use crate::support::{TaskFixture, by_agent, out_of_quota, passed, person, role, turn};
use forge_domain::task::ExecutionPurpose;
use forge_domain::{ExecutionEnding, ExecutionResult, ResetScope, SubstituteAgent, TaskCommand};

const DONE: ExecutionEnding = ExecutionEnding::Exited { code: 0 };

fn ben() -> Option<SubstituteAgent> {
    let agent = by_agent(2).agent().expect("an agent");
    Some(SubstituteAgent { agent, name: "ben".to_owned(), replaced_name: "ada".to_owned() })
}

#[test]
fn e_9_a_fallback_continues_in_the_same_workspace_with_a_note() {
    let mut fixture = TaskFixture::working();
    let (place, visit) = (fixture.task.workspace.clone(), fixture.task.visit);
    fixture.facts.substitute = ben();
    fixture.end_turn(out_of_quota());
    assert_eq!(fixture.task.run.as_ref().map(|run| run.assignee), Some(by_agent(2)));
    assert_eq!(fixture.task.roles.get(&role("coder")), Some(&by_agent(2)));
    assert_eq!((fixture.task.workspace.clone(), fixture.task.visit), (place, visit));
    assert_eq!(
        (fixture.task.annotation.clone(), fixture.outstanding()),
        (None, vec!["prepare_workspace"])
    );
    let note = fixture.task.handoffs.last().expect("a note").clone();
    assert_eq!(note.from, Some(by_agent(1)));
    assert!(note.message.contains("The allowance of ada was used up"), "{}", note.message);
    assert!(note.message.contains("no more today"), "in its own words: {}", note.message);
    fixture.facts.substitute = None;
    fixture.whole_turn(turn(DONE));
    assert_eq!((fixture.state(), fixture.task.holder), ("review", Some(by_agent(2))));
}

/// The other program does not know the conversation, so its note contains the last message.
#[test]
fn e_9_the_note_contains_the_last_message_to_the_first_agent() {
    let mut fixture = TaskFixture::working();
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 3 }));
    let agent = by_agent(1).agent().expect("an agent");
    let (session, message) = (Some("s-1".to_owned()), "mind the tabs".to_owned());
    fixture
        .accept(person(1), TaskCommand::FollowUp { role: role("coder"), agent, session, message });
    fixture.facts.substitute = ben();
    fixture.whole_turn(out_of_quota());
    let run = fixture.task.run.clone().expect("a run");
    assert_eq!(run.follow_up, None);
    let note = fixture.task.handoffs.last().expect("a note");
    assert!(note.message.contains("mind the tabs"), "{}", note.message);
}

#[test]
fn e_9_a_reviewer_is_replaced_alone() {
    let mut fixture = TaskFixture::in_review();
    let assign = TaskCommand::Assign {
        role: role("reviewer"),
        assignee: by_agent(3),
        reset: ResetScope::Nothing,
    };
    fixture.accept(person(1), assign);
    fixture.checks(vec![passed()]);
    let (review, coder) = (fixture.task.review, fixture.task.roles.get(&role("coder")).copied());
    fixture.facts.substitute = ben();
    fixture.whole_turn(ExecutionResult { changed: false, ..out_of_quota() });
    let run = fixture.task.run.clone().expect("a run");
    assert_eq!((run.assignee, run.purpose), (by_agent(2), ExecutionPurpose::Judge));
    assert_eq!(
        (fixture.task.review, fixture.task.roles.get(&role("coder")).copied()),
        (review, coder)
    );
}

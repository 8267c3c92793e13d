//! Another agent takes over when an allowance is used up (E-9).

use crate::support::{Desk, by_agent, out_of_quota, passed, person, role, turn};
use forge_domain::task::{FollowUp, Purpose};
use forge_domain::{Command, Ending, Reset, RunResult, Substitute};

const DONE: Ending = Ending::Exited { code: 0 };

fn ben() -> Option<Substitute> {
    let agent = by_agent(2).agent().expect("an agent");
    Some(Substitute { agent, name: "ben".to_owned(), in_place_of: "ada".to_owned() })
}

#[test]
fn e_9_a_fallback_goes_on_in_the_same_place_with_a_note_that_says_why() {
    let mut desk = Desk::working();
    let (place, visit) = (desk.task.workspace.clone(), desk.task.visit);
    desk.facts.substitute = ben();
    desk.end_turn(out_of_quota());
    assert_eq!(desk.task.run.as_ref().map(|run| run.assignee), Some(by_agent(2)));
    assert_eq!(desk.task.roles.get(&role("coder")), Some(&by_agent(2)));
    assert_eq!((desk.task.workspace.clone(), desk.task.visit), (place, visit));
    assert_eq!(
        (desk.task.annotation.clone(), desk.outstanding()),
        (None, vec!["prepare_workspace"])
    );
    let note = desk.task.handoffs.last().expect("a note").clone();
    assert_eq!(note.from, Some(by_agent(1)));
    assert!(note.message.contains("The allowance of ada was used up"), "{}", note.message);
    assert!(note.message.contains("no more today"), "in its own words: {}", note.message);
    desk.facts.substitute = None;
    desk.whole_turn(turn(DONE));
    assert_eq!((desk.state(), desk.task.holder), ("review", Some(by_agent(2))));
}

/// The other program does not know the conversation, so it is told what was said last in it.
#[test]
fn e_9_what_the_first_had_been_told_is_in_the_note() {
    let mut desk = Desk::working();
    desk.end_turn(turn(Ending::Exited { code: 3 }));
    let agent = by_agent(1).agent().expect("an agent");
    let follow_up = FollowUp { session: "s-1".to_owned(), message: "mind the tabs".to_owned() };
    desk.accept(person(1), Command::FollowUp { role: role("coder"), agent, follow_up });
    desk.facts.substitute = ben();
    desk.whole_turn(out_of_quota());
    let run = desk.task.run.clone().expect("a run");
    assert_eq!(run.follow_up, None);
    let note = desk.task.handoffs.last().expect("a note");
    assert!(note.message.contains("mind the tabs"), "{}", note.message);
}

#[test]
fn e_9_a_reviewer_is_replaced_alone() {
    let mut desk = Desk::in_review();
    let assign =
        Command::Assign { role: role("reviewer"), assignee: by_agent(3), reset: Reset::Nothing };
    desk.accept(person(1), assign);
    desk.checks(vec![passed()]);
    let (review, coder) = (desk.task.review, desk.task.roles.get(&role("coder")).copied());
    desk.facts.substitute = ben();
    desk.whole_turn(RunResult { changed: false, ..out_of_quota() });
    let run = desk.task.run.clone().expect("a run");
    assert_eq!((run.assignee, run.purpose), (by_agent(2), Purpose::Judge));
    assert_eq!((desk.task.review, desk.task.roles.get(&role("coder")).copied()), (review, coder));
}

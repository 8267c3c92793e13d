//! Comments (T-21).

use crate::support::{Desk, agent_actor, machine, person};
use forge_domain::{Command, CommentId, Event, Refusal};

fn say(body: &str, parent: Option<CommentId>) -> Command {
    Command::Comment { body: body.to_owned(), parent }
}

fn comment_of(event: &Event) -> (CommentId, Option<CommentId>, &str) {
    match event {
        Event::CommentCreated { comment, parent, body } => (*comment, *parent, body),
        other => panic!("{other:?}"),
    }
}

#[test]
fn t_21_people_agents_and_forge_comment_in_threads() {
    let mut desk = Desk::working();
    let first = desk.accept(person(1), say("**Why** a lock?", None));
    let (thread, parent, body) = comment_of(&first.events[0].event);
    assert_eq!((parent, body), (None, "**Why** a lock?"));
    let own = agent_actor(1, desk.execution());
    for actor in [own, machine()] {
        let answer = desk.accept(actor, say("Two writers.", Some(thread)));
        let (id, parent, _) = comment_of(&answer.events[0].event);
        assert_eq!(parent, Some(thread));
        assert_ne!(id, thread, "each has its own identity");
    }
}

#[test]
fn t_21_a_comment_does_not_change_the_version() {
    let mut desk = Desk::of("default");
    desk.accept(person(1), say("hello", None));
    assert_eq!(desk.task.version, 1);
}

#[test]
fn t_21_an_ended_task_can_be_talked_about() {
    let mut desk = Desk::of("default");
    desk.accept(person(1), Command::Cancel { reason: None });
    desk.accept(person(1), say("pity", None));
}

#[test]
fn t_21_empty_and_endless_comments_are_refused() {
    let mut desk = Desk::of("default");
    for body in ["", " \n\t", &"x".repeat(100_001)] {
        let refusal = desk.refuse(person(1), say(body, None));
        assert!(matches!(refusal, Refusal::InvalidField { field: "body", .. }));
    }
}

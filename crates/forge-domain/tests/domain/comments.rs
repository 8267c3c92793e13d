//! Comments on tasks (T-21).

use crate::support::{TaskFixture, agent_actor, machine, person};
use forge_domain::{CommentId, Refusal, TaskCommand, TaskEvent};

fn say(body: &str, parent: Option<CommentId>) -> TaskCommand {
    TaskCommand::Comment { body: body.to_owned(), parent }
}

fn comment_of(event: &TaskEvent) -> (CommentId, Option<CommentId>, &str) {
    match event {
        TaskEvent::CommentCreated { comment, parent, body } => (*comment, *parent, body),
        other => panic!("{other:?}"),
    }
}

#[test]
fn t_21_people_agents_and_forge_comment_in_threads() {
    let mut fixture = TaskFixture::working();
    let first = fixture.accept(person(1), say("**Why** a lock?", None));
    let (thread, parent, body) = comment_of(&first.events[0].event);
    assert_eq!((parent, body), (None, "**Why** a lock?"));
    let own = agent_actor(1, fixture.execution());
    for actor in [own, machine()] {
        let answer = fixture.accept(actor, say("Two writers.", Some(thread)));
        let (id, parent, _) = comment_of(&answer.events[0].event);
        assert_eq!(parent, Some(thread));
        assert_ne!(id, thread, "each has its own identity");
    }
}

#[test]
fn t_21_a_comment_does_not_change_the_version() {
    let mut fixture = TaskFixture::of("default");
    fixture.accept(person(1), say("hello", None));
    assert_eq!(fixture.task.version, 1);
}

#[test]
fn t_21_an_ended_task_can_be_commented() {
    let mut fixture = TaskFixture::of("default");
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    fixture.accept(person(1), say("pity", None));
}

#[test]
fn t_21_empty_and_oversized_comments_are_refused() {
    let mut fixture = TaskFixture::of("default");
    for body in ["", " \n\t", &"x".repeat(100_001)] {
        let refusal = fixture.refuse(person(1), say(body, None));
        assert!(matches!(refusal, Refusal::InvalidField { field: "body", .. }));
    }
}

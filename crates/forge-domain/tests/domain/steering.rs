//! Messages to running agents (T-22): delivered exactly once.

use crate::support::{TaskFixture, agent_actor, by_user, out_of_quota, person, role, turn};
use forge_domain::task::{FollowUpMessage, TaskSnapshot};
use forge_domain::{
    AgentReport, EffectReport, ExecutionEnding, ExecutionResult, Refusal, TaskCommand,
};
use uuid::Uuid;

const DONE: ExecutionEnding = ExecutionEnding::Exited { code: 0 };

fn say(fixture: &mut TaskFixture, message: &str, live: bool) -> Uuid {
    let execution = fixture.execution();
    fixture.accept(person(1), TaskCommand::Steer { execution, message: message.to_owned(), live });
    fixture.task.steers.last().expect("it is queued").id
}

fn ended(session: Option<&str>, steered: Vec<Uuid>) -> ExecutionResult {
    let told =
        AgentReport { session: session.map(str::to_owned), steered, ..AgentReport::default() };
    ExecutionResult { told, ..turn(DONE) }
}

fn follow_up(task: &TaskSnapshot) -> Option<FollowUpMessage> {
    task.run.as_ref().and_then(|run| run.follow_up.clone())
}

fn messages(task: &TaskSnapshot) -> Vec<String> {
    task.run.as_ref().map(|run| run.messages.clone()).unwrap_or_default()
}

#[test]
fn t_22_a_message_read_while_running_is_not_sent_again() {
    let mut fixture = TaskFixture::working();
    let id = say(&mut fixture, "use spaces", true);
    assert_eq!(fixture.outstanding(), ["run_execution", "deliver_steer"]);
    let execution = fixture.execution();
    fixture.take("deliver_steer");
    fixture.report(EffectReport::SteerDelivered { execution });
    assert_eq!(fixture.task.steers.len(), 1, "whether it took it is known by its end");
    fixture.end_turn(ended(Some("s-1"), vec![id]));
    assert_eq!((fixture.state(), fixture.task.steers.len()), ("review", 0));
}

#[test]
fn t_22_an_unread_message_continues_the_same_conversation() {
    let mut fixture = TaskFixture::working();
    let visit = fixture.task.visit;
    let taken = say(&mut fixture, "use spaces", true);
    say(&mut fixture, "and no tabs", true);
    say(&mut fixture, "and test it", true);
    fixture.end_turn(ended(Some("s-1"), vec![taken]));
    assert_eq!((fixture.state(), fixture.task.visit), ("in_progress", visit));
    let message = "and no tabs\n\nand test it".to_owned();
    assert_eq!(
        follow_up(&fixture.task),
        Some(FollowUpMessage { session: "s-1".to_owned(), message })
    );
    assert!(fixture.task.steers.is_empty(), "it is said now");
    fixture.take("deliver_steer");
    fixture.take("deliver_steer");
    fixture.take("deliver_steer");
    fixture.whole_turn(ended(Some("s-1"), vec![]));
    assert_eq!(fixture.state(), "review");
}

#[test]
fn t_22_a_program_without_conversations_gets_messages_in_its_prompt() {
    let mut fixture = TaskFixture::working();
    say(&mut fixture, "use spaces", false);
    assert_eq!(
        fixture.outstanding(),
        ["run_execution"],
        "nothing is handed over to who cannot hear"
    );
    fixture.end_turn(ended(None, vec![]));
    assert_eq!(
        (follow_up(&fixture.task), messages(&fixture.task)),
        (None, vec!["use spaces".to_owned()])
    );
    fixture.whole_turn(ExecutionResult::without_work(ExecutionEnding::Lost));
    assert_eq!(
        messages(&fixture.task),
        ["use spaces"],
        "a run that was lost is begun with the same words"
    );
    fixture.whole_turn(ended(None, vec![]));
    assert_eq!((fixture.state(), fixture.task.steers.len()), ("review", 0));
}

/// E-12, E-9: messages to a conversation that is lost or not continued are delivered again.
#[test]
fn t_22_messages_to_a_lost_conversation_are_sent_to_the_next() {
    let mut fixture = TaskFixture::working();
    let id = say(&mut fixture, "use spaces", true);
    fixture.take("deliver_steer");
    let told = AgentReport { steered: vec![id], ..AgentReport::default() };
    fixture
        .end_turn(ExecutionResult { told, ..ExecutionResult::without_work(ExecutionEnding::Lost) });
    assert_eq!(messages(&fixture.task), ["use spaces"]);
    let mut fixture = TaskFixture::working();
    let id = say(&mut fixture, "use spaces", true);
    fixture.take("deliver_steer");
    let mut result = out_of_quota();
    result.told.steered = vec![id];
    fixture.end_turn(result);
    assert_eq!(fixture.task.steers.len(), 1);
    fixture.take("await_quota");
    fixture.report(EffectReport::RunDue);
    assert_eq!(messages(&fixture.task), ["use spaces"]);
}

#[test]
fn t_22_a_failed_execution_keeps_unread_messages_for_the_next() {
    let mut fixture = TaskFixture::working();
    let execution = fixture.execution();
    say(&mut fixture, "use spaces", false);
    fixture.end_turn(turn(ExecutionEnding::Exited { code: 3 }));
    assert_eq!((fixture.state(), fixture.task.steers.len()), ("blocked", 1));
    fixture.accept(person(1), TaskCommand::Restart { execution });
    assert_eq!(messages(&fixture.task), ["use spaces"]);
}

#[test]
fn t_22_only_people_steer_and_only_a_running_execution() {
    let mut fixture = TaskFixture::working();
    let execution = fixture.execution();
    let steer =
        |message: &str| TaskCommand::Steer { execution, message: message.to_owned(), live: true };
    let refused = fixture.refuse(agent_actor(1, execution), steer("faster"));
    assert!(matches!(refused, Refusal::PeopleOnly(_)), "{refused}");
    let refused = fixture.refuse(person(1), steer("  "));
    assert!(matches!(refused, Refusal::InvalidField { field: "message", .. }), "{refused}");
    fixture.end_turn(turn(DONE));
    let refused = fixture.refuse(person(1), steer("faster"));
    assert!(matches!(refused, Refusal::ExecutionEnded { .. }), "{refused}");
    let mut fixture = TaskFixture::of("default");
    fixture.claim(by_user(1));
    let own = TaskCommand::Steer {
        execution: fixture.execution(),
        message: "faster".to_owned(),
        live: false,
    };
    assert!(matches!(fixture.refuse(person(1), own), Refusal::ExecutionEnded { .. }));
    assert!(fixture.task.roles.contains_key(&role("coder")));
}

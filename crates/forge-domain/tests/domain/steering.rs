//! Messages to agents at work (T-22): told exactly once.

use crate::support::{Desk, agent_actor, by_user, out_of_quota, person, role, turn};
use forge_domain::task::{FollowUp, Snapshot};
use forge_domain::{Command, Ending, Refusal, Report, RunResult, Told};
use uuid::Uuid;

const DONE: Ending = Ending::Exited { code: 0 };

fn say(desk: &mut Desk, message: &str, live: bool) -> Uuid {
    let execution = desk.execution();
    desk.accept(person(1), Command::Steer { execution, message: message.to_owned(), live });
    desk.task.steers.last().expect("it is queued").id
}

fn ended(session: Option<&str>, steered: Vec<Uuid>) -> RunResult {
    let told = Told { session: session.map(str::to_owned), steered, ..Told::default() };
    RunResult { told, ..turn(DONE) }
}

fn follow_up(task: &Snapshot) -> Option<FollowUp> {
    task.run.as_ref().and_then(|run| run.follow_up.clone())
}

fn messages(task: &Snapshot) -> Vec<String> {
    task.run.as_ref().map(|run| run.messages.clone()).unwrap_or_default()
}

#[test]
fn t_22_what_the_program_took_while_it_worked_is_not_said_again() {
    let mut desk = Desk::working();
    let id = say(&mut desk, "use spaces", true);
    assert_eq!(desk.outstanding(), ["run_turn", "deliver_steer"]);
    let execution = desk.execution();
    desk.take("deliver_steer");
    desk.report(Report::SteerDelivered { execution });
    assert_eq!(desk.task.steers.len(), 1, "whether it took it is known by its end");
    desk.end_turn(ended(Some("s-1"), vec![id]));
    assert_eq!((desk.state(), desk.task.steers.len()), ("review", 0));
}

#[test]
fn t_22_what_it_did_not_take_is_the_next_turn_of_the_same_conversation() {
    let mut desk = Desk::working();
    let visit = desk.task.visit;
    let taken = say(&mut desk, "use spaces", true);
    say(&mut desk, "and no tabs", true);
    say(&mut desk, "and test it", true);
    desk.end_turn(ended(Some("s-1"), vec![taken]));
    assert_eq!((desk.state(), desk.task.visit), ("in_progress", visit));
    let message = "and no tabs\n\nand test it".to_owned();
    assert_eq!(follow_up(&desk.task), Some(FollowUp { session: "s-1".to_owned(), message }));
    assert!(desk.task.steers.is_empty(), "it is said now");
    desk.take("deliver_steer");
    desk.take("deliver_steer");
    desk.take("deliver_steer");
    desk.whole_turn(ended(Some("s-1"), vec![]));
    assert_eq!(desk.state(), "review");
}

#[test]
fn t_22_a_program_without_conversations_is_told_in_its_prompt() {
    let mut desk = Desk::working();
    say(&mut desk, "use spaces", false);
    assert_eq!(desk.outstanding(), ["run_turn"], "nothing is handed over to who cannot hear");
    desk.end_turn(ended(None, vec![]));
    assert_eq!(
        (follow_up(&desk.task), messages(&desk.task)),
        (None, vec!["use spaces".to_owned()])
    );
    desk.whole_turn(RunResult::bare(Ending::Lost));
    assert_eq!(
        messages(&desk.task),
        ["use spaces"],
        "a run that was lost is begun with the same words"
    );
    desk.whole_turn(ended(None, vec![]));
    assert_eq!((desk.state(), desk.task.steers.len()), ("review", 0));
}

/// E-12, E-9: a conversation that is lost, or not gone on with, has taken what it was told with it.
#[test]
fn t_22_what_a_lost_conversation_was_told_is_said_to_the_next() {
    let mut desk = Desk::working();
    let id = say(&mut desk, "use spaces", true);
    desk.take("deliver_steer");
    let told = Told { steered: vec![id], ..Told::default() };
    desk.end_turn(RunResult { told, ..RunResult::bare(Ending::Lost) });
    assert_eq!(messages(&desk.task), ["use spaces"]);
    let mut desk = Desk::working();
    let id = say(&mut desk, "use spaces", true);
    desk.take("deliver_steer");
    let mut result = out_of_quota();
    result.told.steered = vec![id];
    desk.end_turn(result);
    assert_eq!(desk.task.steers.len(), 1);
    desk.take("await_quota");
    desk.report(Report::RunDue);
    assert_eq!(messages(&desk.task), ["use spaces"]);
}

#[test]
fn t_22_a_failed_turn_keeps_what_was_left_to_say_for_the_next() {
    let mut desk = Desk::working();
    let execution = desk.execution();
    say(&mut desk, "use spaces", false);
    desk.end_turn(turn(Ending::Exited { code: 3 }));
    assert_eq!((desk.state(), desk.task.steers.len()), ("blocked", 1));
    desk.accept(person(1), Command::Restart { execution });
    assert_eq!(messages(&desk.task), ["use spaces"]);
}

#[test]
fn t_22_only_a_run_under_way_can_be_steered_and_only_by_people() {
    let mut desk = Desk::working();
    let execution = desk.execution();
    let steer =
        |message: &str| Command::Steer { execution, message: message.to_owned(), live: true };
    let refused = desk.refuse(agent_actor(1, execution), steer("faster"));
    assert!(matches!(refused, Refusal::PeopleOnly(_)), "{refused}");
    let refused = desk.refuse(person(1), steer("  "));
    assert!(matches!(refused, Refusal::InvalidField { field: "message", .. }), "{refused}");
    desk.end_turn(turn(DONE));
    let refused = desk.refuse(person(1), steer("faster"));
    assert!(matches!(refused, Refusal::ExecutionOver { .. }), "{refused}");
    let mut desk = Desk::of("default");
    desk.claim(by_user(1));
    let own =
        Command::Steer { execution: desk.execution(), message: "faster".to_owned(), live: false };
    assert!(matches!(desk.refuse(person(1), own), Refusal::ExecutionOver { .. }));
    assert!(desk.task.roles.contains_key(&role("coder")));
}

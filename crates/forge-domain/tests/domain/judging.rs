//! Verdicts by a call (M-3), what people decide (M-4), and how a coder hears of it.

use crate::support::{
    Desk, agent_actor, by_agent, by_user, definition, failed, judged, new_task, passed, person,
    role, turn,
};
use forge_domain::task::{AnnotationType, Purpose};
use forge_domain::workflow::Workflow;
use forge_domain::{Command, Ending, Event, ExecutionId, Refusal, Reset, RunResult, Told, Verdict};

const DONE: Ending = Ending::Exited { code: 0 };

fn pass() -> Verdict {
    Verdict::Pass { feedback: None }
}

fn fail(words: &str) -> Verdict {
    Verdict::Fail { feedback: words.to_owned() }
}

/// A turn in a conversation.
fn spoken(result: RunResult, session: &str) -> RunResult {
    let told = Told { session: Some(session.to_owned()), ..Told::default() };
    RunResult { told, ..result }
}

fn assign(desk: &mut Desk, to: &str, assignee: forge_domain::Assignee) {
    desk.accept(person(1), Command::Assign { role: role(to), assignee, reset: Reset::Nothing });
}

/// A judge at work.
fn judging() -> Desk {
    let mut desk = Desk::in_review();
    assign(&mut desk, "reviewer", by_agent(2));
    desk.checks(vec![passed()]);
    desk.prepare();
    desk.start();
    desk
}

fn say(desk: &mut Desk, verdict: Verdict) {
    let execution = desk.execution();
    desk.accept(agent_actor(2, execution), Command::GiveVerdict { execution, verdict });
}

fn approve(attempt: u32, reason: Option<&str>) -> Command {
    Command::Approve { attempt, reason: reason.map(str::to_owned) }
}

fn reject(attempt: u32, reason: &str) -> Command {
    Command::Reject { attempt, reason: reason.to_owned() }
}

#[test]
fn m_3_a_call_wins_over_the_output_and_the_last_call_wins() {
    let mut desk = judging();
    say(&mut desk, pass());
    say(&mut desk, fail("no tests"));
    assert_eq!(desk.state(), "review", "nothing is decided before the run is over");
    desk.end_turn(judged(Some(pass())));
    assert_eq!(desk.state(), "in_progress");
    assert_eq!(desk.task.feedback.as_deref(), Some("no tests"));
    assert_eq!(desk.task.rejections.values().sum::<u32>(), 1);
    let mut desk = judging();
    say(&mut desk, fail("no tests"));
    say(&mut desk, pass());
    desk.end_turn(judged(Some(fail("printed"))));
    assert!(desk.task.review_passed_at.is_some());
    let approval = desk.task.gate.approval.clone().expect("somebody stands for it");
    assert_eq!((approval.by, approval.overrides), (by_agent(2), false));
}

#[test]
fn m_3_a_verdict_that_was_given_counts_however_the_run_ends() {
    for ending in [Ending::Lost, Ending::Exited { code: 1 }, Ending::TimedOut] {
        let mut desk = judging();
        say(&mut desk, pass());
        desk.end_turn(RunResult::bare(ending));
        assert!(desk.task.review_passed_at.is_some(), "{ending:?}");
        assert!(desk.outstanding().is_empty(), "{ending:?}: nobody is asked again");
    }
    let mut desk = judging();
    say(&mut desk, Verdict::Blocked { feedback: "no network".to_owned() });
    desk.end_turn(judged(Some(pass())));
    assert_eq!(desk.state(), "blocked");
    assert!(desk.task.rejections.is_empty(), "no attempt is spent");
}

#[test]
fn m_3_only_the_judge_at_work_gives_a_verdict() {
    let mut desk = judging();
    let execution = desk.execution();
    let verdict = |execution| Command::GiveVerdict { execution, verdict: pass() };
    let other = agent_actor(1, ExecutionId::new(crate::support::uuid(77)));
    for actor in [person(1), other] {
        let refused = desk.refuse(actor, verdict(execution));
        assert!(matches!(refused, Refusal::NotYourVerdict(_)), "{refused:?}");
    }
    let silent = Command::GiveVerdict { execution, verdict: fail(" ") };
    let refused = desk.refuse(agent_actor(2, execution), silent);
    assert!(matches!(refused, Refusal::InvalidField { field: "feedback", .. }), "{refused:?}");
    desk.end_turn(judged(Some(pass())));
    let late = desk.refuse(agent_actor(2, execution), verdict(execution));
    assert!(matches!(late, Refusal::ExecutionOver { .. }), "{late:?}");
    let mut desk = Desk::working();
    let execution = desk.execution();
    let own_work = desk.refuse(agent_actor(1, execution), verdict(execution));
    assert!(matches!(own_work, Refusal::NotYourVerdict(_)), "{own_work:?}");
}

#[test]
fn m_3_a_silent_judge_is_asked_again_in_its_conversation() {
    let mut desk = judging();
    desk.end_turn(spoken(judged(None), "s-7"));
    let again = desk.task.run.clone().expect("it is asked again");
    let follow_up = again.follow_up.expect("in its conversation");
    assert_eq!(follow_up.session, "s-7");
    assert!(follow_up.message.contains("forge verdict"), "{}", follow_up.message);
    desk.whole_turn(judged(Some(pass())));
    assert!(desk.task.review_passed_at.is_some());
}

#[test]
fn m_4_the_feedback_reaches_the_coder_in_its_conversation() {
    let mut desk = Desk::working();
    desk.end_turn(spoken(turn(DONE), "s-1"));
    desk.checks(vec![failed()]);
    let run = desk.task.run.clone().expect("the coder goes on");
    let follow_up = run.follow_up.expect("in its conversation");
    assert_eq!(follow_up.session, "s-1");
    assert!(follow_up.message.contains("`cargo test` exited with code 101"), "{follow_up:?}");
    // It breaks down in it: the next turn begins afresh, with the feedback in its prompt.
    desk.whole_turn(spoken(turn(Ending::Exited { code: 1 }), "s-1"));
    desk.move_to("in_progress", None);
    assert_eq!(desk.task.run.as_ref().expect("it runs").follow_up, None);
    assert!(desk.task.feedback.is_some());
}

#[test]
fn m_4_a_persons_word_reaches_the_coder_the_same_way_even_if_something_must_stop_first() {
    let mut desk = Desk::working();
    desk.end_turn(spoken(turn(DONE), "s-1"));
    desk.accept(person(1), reject(1, "use the other table"));
    assert!(desk.is_stopping(), "the checks");
    desk.stop();
    let follow_up = desk.task.run.clone().and_then(|run| run.follow_up).expect("a conversation");
    assert!(follow_up.message.ends_with("use the other table"), "{follow_up:?}");
    assert!(desk.task.rejections.is_empty(), "people's rejections are free");
}

#[test]
fn m_4_another_coder_does_not_go_on_with_the_first_ones_conversation() {
    let mut desk = Desk::working();
    desk.end_turn(spoken(turn(DONE), "s-1"));
    desk.checks(vec![passed()]);
    assign(&mut desk, "coder", by_agent(2));
    desk.claim(by_agent(2));
    desk.whole_turn(turn(DONE));
    desk.checks(vec![failed()]);
    assert_eq!(desk.task.run.as_ref().expect("it goes on").follow_up, None);
}

#[test]
fn m_4_a_person_approves_in_the_place_of_a_judge_at_work() {
    let mut desk = judging();
    desk.accept(person(3), approve(1, Some("seen it")));
    assert!(desk.task.review_passed_at.is_some());
    assert!(desk.is_stopping(), "nobody needs the judge any more");
    desk.stop();
    assert_eq!((desk.state(), desk.task.attempts), ("review", 1), "and no new attempt begins");
    let approval = desk.task.gate.approval.clone().expect("recorded");
    assert_eq!((approval.by, approval.overrides), (by_user(3), false), "the checks had passed");
    assert_eq!(approval.reason.as_deref(), Some("seen it"));
    desk.move_to("merging", None);
    assert!(desk.outstanding().contains(&"land"));
}

#[test]
fn m_4_a_person_overrides_a_gate_that_gave_up() {
    let mut desk = Desk::in_review();
    for _ in 0..2 {
        desk.checks(vec![failed()]);
        desk.whole_turn(turn(DONE));
    }
    desk.checks(vec![failed()]);
    assert_eq!(desk.state(), "blocked");
    let wordless = desk.refuse(person(1), approve(3, None));
    assert!(matches!(wordless, Refusal::InvalidField { field: "reason", .. }), "{wordless:?}");
    let old = desk.refuse(person(1), approve(2, Some("the linter is wrong")));
    assert!(matches!(old, Refusal::ReviewOver { attempt: 2, .. }), "{old:?}");
    desk.accept(person(1), approve(3, Some("the linter is wrong")));
    assert_eq!(
        (desk.state(), desk.task.attempts),
        ("review", 3),
        "at the gate, with no new attempt"
    );
    assert!(desk.task.review_passed_at.is_some());
    assert!(desk.task.annotation.is_none() && desk.task.rejections.is_empty());
    assert!(desk.task.gate.is_overridden());
    assert_eq!(desk.task.gate.receipt, None, "an override is no receipt");
    assert!(desk.recorded.iter().any(|recorded| matches!(
        &recorded.event,
        Event::ReviewApproved { attempt: 3, overrides: true, reason: Some(why), .. } if why == "the linter is wrong"
    )));
    desk.move_to("merging", None);
    assert_eq!(desk.outstanding(), ["land"]);
}

#[test]
fn m_4_nobody_approves_what_was_not_checked_or_has_changed() {
    let mut desk = Desk::in_review();
    let early = desk.refuse(person(1), approve(1, Some("hurry")));
    assert!(matches!(early, Refusal::ReviewNotPassed { .. }), "{early:?}");
    desk.checks(vec![failed()]);
    let changing = desk.refuse(person(1), approve(1, Some("hurry")));
    assert!(matches!(changing, Refusal::ReviewOver { .. }), "{changing:?}");
    let late = desk.refuse(person(1), reject(1, "no"));
    assert!(matches!(late, Refusal::ReviewOver { .. }), "{late:?}");
    let execution = desk.execution();
    let coder = desk.refuse(agent_actor(1, execution), approve(1, Some("trust me")));
    assert!(matches!(coder, Refusal::PeopleOnly(_)), "{coder:?}");
    let mut fresh = Desk::of("default");
    let none = fresh.refuse(person(1), approve(0, Some("why not")));
    assert!(matches!(none, Refusal::ReviewOver { .. }), "{none:?}");
}

#[test]
fn m_4_approving_where_the_gate_advances_by_itself_goes_on() {
    let workflow = Workflow::compile(definition("autopilot")).expect("sound");
    let mut desk = Desk::with(workflow, new_task());
    desk.claim(by_agent(1));
    desk.whole_turn(turn(DONE));
    assign(&mut desk, "reviewer", by_agent(2));
    desk.checks(vec![passed()]);
    desk.prepare();
    desk.start();
    desk.accept(person(1), approve(1, None));
    assert_eq!(desk.state(), "merging");
    desk.stop();
    assert!(desk.outstanding().contains(&"land"));
}

#[test]
fn m_4_a_judge_that_waits_for_its_allowance_is_not_begun_after_an_approval() {
    let mut desk = judging();
    desk.end_turn(crate::support::out_of_quota());
    assert!(desk.task.postponed.is_some());
    desk.accept(person(1), approve(1, None));
    assert!(desk.task.review_passed_at.is_some());
    assert!(desk.outstanding().is_empty() && desk.task.postponed.is_none());
    assert!(desk.task.annotation.is_none());
}

#[test]
fn m_3_a_blocked_review_can_be_approved_by_a_person() {
    let mut desk = judging();
    desk.end_turn(judged(Some(Verdict::Blocked { feedback: "no network".to_owned() })));
    let trouble = desk.task.annotation.as_ref().map(|note| note.kind);
    assert_eq!(trouble, Some(AnnotationType::ReviewBlocked));
    desk.accept(person(1), approve(1, Some("I looked at it myself")));
    assert_eq!(desk.state(), "review");
    assert!(desk.task.review_passed_at.is_some() && desk.task.run.is_none());
    assert_eq!(desk.task.last_run.as_ref().map(|run| run.purpose), Some(Purpose::Judge));
}

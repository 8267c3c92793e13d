//! Verdicts by a call (M-3), people's decisions (M-4), and how the coder gets the feedback.

use crate::support::{
    TaskFixture, agent_actor, by_agent, by_user, definition, failed, judged, new_task, passed,
    person, role, turn,
};
use forge_domain::task::{AnnotationType, ExecutionPurpose};
use forge_domain::workflow::Workflow;
use forge_domain::{
    AgentReport, ExecutionEnding, ExecutionId, ExecutionResult, Refusal, ResetScope, TaskCommand,
    TaskEvent, Verdict,
};

const DONE: ExecutionEnding = ExecutionEnding::Exited { code: 0 };

fn pass() -> Verdict {
    Verdict::Pass { feedback: None }
}

fn fail(words: &str) -> Verdict {
    Verdict::Fail { feedback: words.to_owned() }
}

/// A result with a conversation.
fn spoken(result: ExecutionResult, session: &str) -> ExecutionResult {
    let told = AgentReport { session: Some(session.to_owned()), ..AgentReport::default() };
    ExecutionResult { told, ..result }
}

fn assign(fixture: &mut TaskFixture, to: &str, assignee: forge_domain::Assignee) {
    fixture.accept(
        person(1),
        TaskCommand::Assign { role: role(to), assignee, reset: ResetScope::Nothing },
    );
}

/// A task with a running judge.
fn judging() -> TaskFixture {
    let mut fixture = TaskFixture::in_review();
    assign(&mut fixture, "reviewer", by_agent(2));
    fixture.checks(vec![passed()]);
    fixture.prepare();
    fixture.start();
    fixture
}

fn say(fixture: &mut TaskFixture, verdict: Verdict) {
    let execution = fixture.execution();
    fixture.accept(agent_actor(2, execution), TaskCommand::GiveVerdict { execution, verdict });
}

fn approve(attempt: u32, reason: Option<&str>) -> TaskCommand {
    TaskCommand::Approve { attempt, reason: reason.map(str::to_owned) }
}

fn reject(attempt: u32, reason: &str) -> TaskCommand {
    TaskCommand::Reject { attempt, reason: reason.to_owned() }
}

#[test]
fn m_3_a_call_wins_over_the_output_and_the_last_call_wins() {
    let mut fixture = judging();
    say(&mut fixture, pass());
    say(&mut fixture, fail("no tests"));
    assert_eq!(fixture.state(), "review", "nothing is decided before the run is over");
    fixture.end_turn(judged(Some(pass())));
    assert_eq!(fixture.state(), "in_progress");
    assert_eq!(fixture.task.feedback.as_deref(), Some("no tests"));
    assert_eq!(fixture.task.rejections.values().sum::<u32>(), 1);
    let mut fixture = judging();
    say(&mut fixture, fail("no tests"));
    say(&mut fixture, pass());
    fixture.end_turn(judged(Some(fail("printed"))));
    assert!(fixture.task.review_passed_at.is_some());
    let approval = fixture.task.gate.approval.clone().expect("it has an approval");
    assert_eq!((approval.by, approval.overrides), (by_agent(2), false));
}

#[test]
fn m_3_a_given_verdict_counts_however_the_execution_ends() {
    for ending in
        [ExecutionEnding::Lost, ExecutionEnding::Exited { code: 1 }, ExecutionEnding::TimedOut]
    {
        let mut fixture = judging();
        say(&mut fixture, pass());
        fixture.end_turn(ExecutionResult::without_work(ending));
        assert!(fixture.task.review_passed_at.is_some(), "{ending:?}");
        assert!(fixture.outstanding().is_empty(), "{ending:?}: the judge is not asked again");
    }
    let mut fixture = judging();
    say(&mut fixture, Verdict::Blocked { feedback: "no network".to_owned() });
    fixture.end_turn(judged(Some(pass())));
    assert_eq!(fixture.state(), "blocked");
    assert!(fixture.task.rejections.is_empty(), "no attempt is spent");
}

#[test]
fn m_3_only_the_running_judge_gives_a_verdict() {
    let mut fixture = judging();
    let execution = fixture.execution();
    let verdict = |execution| TaskCommand::GiveVerdict { execution, verdict: pass() };
    let other = agent_actor(1, ExecutionId::new(crate::support::uuid(77)));
    for actor in [person(1), other] {
        let refused = fixture.refuse(actor, verdict(execution));
        assert!(matches!(refused, Refusal::VerdictNotRequested(_)), "{refused:?}");
    }
    let silent = TaskCommand::GiveVerdict { execution, verdict: fail(" ") };
    let refused = fixture.refuse(agent_actor(2, execution), silent);
    assert!(matches!(refused, Refusal::InvalidField { field: "feedback", .. }), "{refused:?}");
    fixture.end_turn(judged(Some(pass())));
    let late = fixture.refuse(agent_actor(2, execution), verdict(execution));
    assert!(matches!(late, Refusal::ExecutionEnded { .. }), "{late:?}");
    let mut fixture = TaskFixture::working();
    let execution = fixture.execution();
    let own_work = fixture.refuse(agent_actor(1, execution), verdict(execution));
    assert!(matches!(own_work, Refusal::VerdictNotRequested(_)), "{own_work:?}");
}

#[test]
fn m_3_a_silent_judge_is_asked_again_in_its_conversation() {
    let mut fixture = judging();
    fixture.end_turn(spoken(judged(None), "s-7"));
    let again = fixture.task.run.clone().expect("it is asked again");
    let follow_up = again.follow_up.expect("in its conversation");
    assert_eq!(follow_up.session, "s-7");
    assert!(follow_up.message.contains("forge verdict"), "{}", follow_up.message);
    fixture.whole_turn(judged(Some(pass())));
    assert!(fixture.task.review_passed_at.is_some());
}

#[test]
fn m_4_the_feedback_reaches_the_coder_in_its_conversation() {
    let mut fixture = TaskFixture::working();
    fixture.end_turn(spoken(turn(DONE), "s-1"));
    fixture.checks(vec![failed()]);
    let run = fixture.task.run.clone().expect("the coder goes on");
    let follow_up = run.follow_up.expect("in its conversation");
    assert_eq!(follow_up.session, "s-1");
    assert!(follow_up.message.contains("`cargo test` exited with code 101"), "{follow_up:?}");
    // The conversation fails: the next execution starts a new one, with the feedback in its prompt.
    fixture.whole_turn(spoken(turn(ExecutionEnding::Exited { code: 1 }), "s-1"));
    fixture.move_to("in_progress", None);
    assert_eq!(fixture.task.run.as_ref().expect("it runs").follow_up, None);
    assert!(fixture.task.feedback.is_some());
}

#[test]
fn m_4_a_persons_feedback_reaches_the_coder_even_after_a_stop() {
    let mut fixture = TaskFixture::working();
    fixture.end_turn(spoken(turn(DONE), "s-1"));
    fixture.accept(person(1), reject(1, "use the other table"));
    assert!(fixture.is_stopping(), "the checks");
    fixture.stop();
    let follow_up = fixture.task.run.clone().and_then(|run| run.follow_up).expect("a conversation");
    assert!(follow_up.message.ends_with("use the other table"), "{follow_up:?}");
    assert!(fixture.task.rejections.is_empty(), "people's rejections are free");
}

#[test]
fn m_4_another_coder_does_not_continue_the_first_ones_conversation() {
    let mut fixture = TaskFixture::working();
    fixture.end_turn(spoken(turn(DONE), "s-1"));
    fixture.checks(vec![passed()]);
    assign(&mut fixture, "coder", by_agent(2));
    fixture.claim(by_agent(2));
    fixture.whole_turn(turn(DONE));
    fixture.checks(vec![failed()]);
    assert_eq!(fixture.task.run.as_ref().expect("it goes on").follow_up, None);
}

#[test]
fn m_4_a_person_approves_in_place_of_a_running_judge() {
    let mut fixture = judging();
    fixture.accept(person(3), approve(1, Some("seen it")));
    assert!(fixture.task.review_passed_at.is_some());
    assert!(fixture.is_stopping(), "the judge is no longer needed");
    fixture.stop();
    assert_eq!(
        (fixture.state(), fixture.task.attempts),
        ("review", 1),
        "and no new attempt begins"
    );
    let approval = fixture.task.gate.approval.clone().expect("recorded");
    assert_eq!((approval.by, approval.overrides), (by_user(3), false), "the checks had passed");
    assert_eq!(approval.reason.as_deref(), Some("seen it"));
    fixture.move_to("merging", None);
    assert!(fixture.outstanding().contains(&"land"));
}

#[test]
fn m_4_a_person_overrides_an_exhausted_gate() {
    let mut fixture = TaskFixture::in_review();
    for _ in 0..2 {
        fixture.checks(vec![failed()]);
        fixture.whole_turn(turn(DONE));
    }
    fixture.checks(vec![failed()]);
    assert_eq!(fixture.state(), "blocked");
    let wordless = fixture.refuse(person(1), approve(3, None));
    assert!(matches!(wordless, Refusal::InvalidField { field: "reason", .. }), "{wordless:?}");
    let old = fixture.refuse(person(1), approve(2, Some("the linter is wrong")));
    assert!(matches!(old, Refusal::AttemptClosed { attempt: 2, .. }), "{old:?}");
    fixture.accept(person(1), approve(3, Some("the linter is wrong")));
    assert_eq!(
        (fixture.state(), fixture.task.attempts),
        ("review", 3),
        "at the gate, with no new attempt"
    );
    assert!(fixture.task.review_passed_at.is_some());
    assert!(fixture.task.annotation.is_none() && fixture.task.rejections.is_empty());
    assert!(fixture.task.gate.is_overridden());
    assert_eq!(fixture.task.gate.receipt, None, "an override is no receipt");
    assert!(fixture.recorded.iter().any(|recorded| matches!(
        &recorded.event,
        TaskEvent::ReviewApproved { attempt: 3, overrides: true, reason: Some(why), .. } if why == "the linter is wrong"
    )));
    fixture.move_to("merging", None);
    assert_eq!(fixture.outstanding(), ["land"]);
}

#[test]
fn m_4_unchecked_or_changed_work_cannot_be_approved() {
    let mut fixture = TaskFixture::in_review();
    let early = fixture.refuse(person(1), approve(1, Some("hurry")));
    assert!(matches!(early, Refusal::ReviewNotPassed { .. }), "{early:?}");
    fixture.checks(vec![failed()]);
    let changing = fixture.refuse(person(1), approve(1, Some("hurry")));
    assert!(matches!(changing, Refusal::AttemptClosed { .. }), "{changing:?}");
    let late = fixture.refuse(person(1), reject(1, "no"));
    assert!(matches!(late, Refusal::AttemptClosed { .. }), "{late:?}");
    let execution = fixture.execution();
    let coder = fixture.refuse(agent_actor(1, execution), approve(1, Some("trust me")));
    assert!(matches!(coder, Refusal::PeopleOnly(_)), "{coder:?}");
    let mut fresh = TaskFixture::of("default");
    let none = fresh.refuse(person(1), approve(0, Some("why not")));
    assert!(matches!(none, Refusal::AttemptClosed { .. }), "{none:?}");
}

#[test]
fn m_4_an_approval_advances_where_the_gate_does() {
    let workflow = Workflow::compile(definition("autopilot")).expect("sound");
    let mut fixture = TaskFixture::with(workflow, new_task());
    fixture.claim(by_agent(1));
    fixture.whole_turn(turn(DONE));
    assign(&mut fixture, "reviewer", by_agent(2));
    fixture.checks(vec![passed()]);
    fixture.prepare();
    fixture.start();
    fixture.accept(person(1), approve(1, None));
    assert_eq!(fixture.state(), "merging");
    fixture.stop();
    assert!(fixture.outstanding().contains(&"land"));
}

#[test]
fn m_4_a_judge_that_waits_for_its_quota_is_not_started_after_an_approval() {
    let mut fixture = judging();
    fixture.end_turn(crate::support::out_of_quota());
    assert!(fixture.task.postponed.is_some());
    fixture.accept(person(1), approve(1, None));
    assert!(fixture.task.review_passed_at.is_some());
    assert!(fixture.outstanding().is_empty() && fixture.task.postponed.is_none());
    assert!(fixture.task.annotation.is_none());
}

#[test]
fn m_3_a_blocked_review_can_be_approved_by_a_person() {
    let mut fixture = judging();
    fixture.end_turn(judged(Some(Verdict::Blocked { feedback: "no network".to_owned() })));
    let trouble = fixture.task.annotation.as_ref().map(|note| note.kind);
    assert_eq!(trouble, Some(AnnotationType::ReviewBlocked));
    fixture.accept(person(1), approve(1, Some("I looked at it myself")));
    assert_eq!(fixture.state(), "review");
    assert!(fixture.task.review_passed_at.is_some() && fixture.task.run.is_none());
    assert_eq!(
        fixture.task.last_run.as_ref().map(|run| run.purpose),
        Some(ExecutionPurpose::Judge)
    );
}

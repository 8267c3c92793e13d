//! The gate (M-2 to M-4).

use crate::support::{
    TaskFixture, by_agent, by_user, definition, failed, judged, new_task, passed, person, role,
    turn,
};
use forge_domain::task::{AnnotationType, ExecutionPurpose};
use forge_domain::workflow::Workflow;
use forge_domain::{
    CheckOutcome, CheckResult, EffectReport, ExecutionEnding, Refusal, ResetScope, TaskCommand,
    TaskEvent, Verdict,
};

const DONE: ExecutionEnding = ExecutionEnding::Exited { code: 0 };

fn assign(fixture: &mut TaskFixture, to: &str, assignee: forge_domain::Assignee) {
    fixture.accept(
        person(1),
        TaskCommand::Assign { role: role(to), assignee, reset: ResetScope::Nothing },
    );
}

/// A submitted task whose gate role has a holder.
fn with_reviewer(assignee: forge_domain::Assignee) -> TaskFixture {
    let mut fixture = TaskFixture::in_review();
    assign(&mut fixture, "reviewer", assignee);
    fixture
}

fn annotation(fixture: &TaskFixture) -> AnnotationType {
    fixture.task.annotation.as_ref().expect("a trouble is noted").kind
}

#[test]
fn m_2_a_gate_without_checks_passes_and_waits_for_a_person() {
    let mut fixture = TaskFixture::in_review();
    assert_eq!(fixture.outstanding(), ["run_checks"]);
    assert_eq!(fixture.task.attempts, 1);
    fixture.checks(Vec::new());
    assert_eq!(fixture.state(), "review");
    assert!(fixture.task.review_passed_at.is_some());
    assert_eq!((fixture.task.review, fixture.task.activity), (None, None));
}

#[test]
fn m_2_auto_advance_moves_the_task_on() {
    let workflow = Workflow::compile(definition("autopilot")).expect("sound");
    let mut fixture = TaskFixture::with(workflow, new_task());
    fixture.claim(by_agent(1));
    fixture.whole_turn(turn(DONE));
    fixture.checks(vec![passed()]);
    assert_eq!(fixture.state(), "merging");
    assert_eq!(fixture.outstanding(), ["land"]);
}

#[test]
fn m_2_every_entry_is_a_new_attempt() {
    let mut fixture = TaskFixture::in_review();
    for attempt in 2..=4 {
        fixture.checks(vec![passed()]);
        fixture.move_to("in_progress", None);
        assert_eq!(fixture.task.review_passed_at, None, "new work, new review");
        fixture.whole_turn(turn(DONE));
        assert_eq!(fixture.task.attempts, attempt);
    }
    let started: Vec<_> = fixture
        .recorded
        .iter()
        .filter_map(|recorded| match recorded.event {
            TaskEvent::ReviewStarted { attempt, .. } => Some(attempt),
            _ => None,
        })
        .collect();
    assert_eq!(started, [1, 2, 3, 4]);
}

#[test]
fn m_4_a_failing_check_sends_the_work_back_with_its_output() {
    let mut fixture = TaskFixture::in_review();
    let decision = fixture.checks(vec![passed(), failed()]);
    assert_eq!(fixture.state(), "in_progress");
    assert_eq!(fixture.task.rejections.values().sum::<u32>(), 1);
    let feedback = fixture.task.feedback.clone().expect("the coder is told");
    assert!(feedback.contains("cargo test") && feedback.contains("101"), "{feedback}");
    assert!(feedback.contains("output"), "{feedback}");
    let rejection = decision.events.iter().find_map(|recorded| match &recorded.event {
        TaskEvent::TaskTransitioned { rejection, reason, .. } => Some((*rejection, reason.clone())),
        _ => None,
    });
    assert_eq!(rejection, Some((true, Some(feedback))));
    assert_eq!(fixture.outstanding(), ["prepare_workspace"], "the coder goes on by itself");
}

#[test]
fn m_2_a_timeout_is_its_own_result_and_no_pass() {
    let mut fixture = TaskFixture::in_review();
    fixture.checks(vec![CheckResult {
        outcome: CheckOutcome::TimedOut,
        exit_code: None,
        ..failed()
    }]);
    assert_eq!(fixture.state(), "in_progress");
    assert!(fixture.task.feedback.as_deref().is_some_and(|said| said.contains("took too long")));
}

#[test]
fn m_4_max_attempts_rejections_exhaust_the_gate() {
    let mut fixture = TaskFixture::in_review();
    for _ in 0..2 {
        fixture.checks(vec![failed()]);
        assert_eq!(fixture.state(), "in_progress");
        fixture.whole_turn(turn(DONE));
    }
    fixture.checks(vec![failed()]);
    assert_eq!(fixture.state(), "blocked");
    assert_eq!(annotation(&fixture), AnnotationType::GateExhausted);
    assert!(fixture.outstanding().is_empty(), "nothing goes on by itself");
}

#[test]
fn m_4_a_pass_resets_the_rejections() {
    let mut fixture = TaskFixture::in_review();
    for _ in 0..2 {
        fixture.checks(vec![failed()]);
        fixture.whole_turn(turn(DONE));
    }
    fixture.checks(vec![passed()]);
    assert!(fixture.task.rejections.is_empty());
    assert_eq!(fixture.task.feedback, None);
}

#[test]
fn m_4_rejections_by_people_do_not_count_and_reach_the_coder() {
    let mut fixture = TaskFixture::in_review();
    for round in 0..5 {
        if round % 2 == 0 {
            fixture.checks(vec![passed()]);
        }
        fixture.move_to("in_progress", Some("use the other table"));
        assert!(fixture.task.rejections.is_empty(), "nothing is counted");
        assert_eq!(fixture.task.feedback.as_deref(), Some("use the other table"), "round {round}");
        if fixture.is_stopping() {
            fixture.stop();
        }
        fixture.whole_turn(turn(DONE));
        assert_eq!(fixture.state(), "review");
    }
}

#[test]
fn m_3_the_reviewer_is_asked_after_the_checks_have_passed() {
    let mut fixture = with_reviewer(by_agent(2));
    fixture.checks(vec![passed()]);
    let run = fixture.task.run.clone().expect("the reviewer runs");
    assert_eq!((run.assignee, run.purpose), (by_agent(2), ExecutionPurpose::Judge));
    assert_eq!(fixture.task.review_passed_at, None);
    fixture.whole_turn(judged(Some(Verdict::Pass { feedback: None })));
    assert_eq!(fixture.state(), "review");
    assert!(fixture.task.review_passed_at.is_some());
}

#[test]
fn m_3_the_reviewer_is_not_asked_when_a_check_fails() {
    let mut fixture = with_reviewer(by_agent(2));
    fixture.checks(vec![failed()]);
    assert_eq!(fixture.state(), "in_progress");
    assert_eq!(fixture.task.run.as_ref().map(|run| run.purpose), Some(ExecutionPurpose::Work));
}

#[test]
fn m_3_a_failing_verdict_is_a_counted_rejection() {
    let mut fixture = with_reviewer(by_agent(2));
    fixture.checks(Vec::new());
    fixture.whole_turn(judged(Some(Verdict::Fail { feedback: "no tests".to_owned() })));
    assert_eq!(fixture.state(), "in_progress");
    assert_eq!(fixture.task.feedback.as_deref(), Some("no tests"));
    assert_eq!(fixture.task.rejections.values().sum::<u32>(), 1);
}

#[test]
fn m_3_a_blocked_reviewer_parks_without_counting_an_attempt() {
    let mut fixture = with_reviewer(by_agent(2));
    fixture.checks(Vec::new());
    fixture.whole_turn(judged(Some(Verdict::Blocked { feedback: "no network".to_owned() })));
    assert_eq!(fixture.state(), "blocked");
    assert_eq!(annotation(&fixture), AnnotationType::ReviewBlocked);
    assert!(fixture.task.rejections.is_empty());
}

#[test]
fn m_3_an_unreadable_verdict_is_requested_again_and_never_a_pass() {
    let said = Some(Verdict::Pass { feedback: None });
    for (ending, printed) in [
        (DONE, None),
        (ExecutionEnding::Exited { code: 1 }, None),
        (ExecutionEnding::TimedOut, None),
        (ExecutionEnding::Signalled { signal: 9 }, None),
        // Output before a crash is no verdict.
        (ExecutionEnding::Exited { code: 1 }, said.clone()),
        (ExecutionEnding::TimedOut, said),
    ] {
        let mut fixture = with_reviewer(by_agent(2));
        fixture.checks(Vec::new());
        let silent = forge_domain::ExecutionResult { ending, ..judged(printed) };
        fixture.whole_turn(silent.clone());
        assert_eq!(fixture.state(), "review", "{ending:?}");
        let again = fixture.task.run.clone().expect("it is asked again");
        assert_eq!((again.purpose, again.assignee), (ExecutionPurpose::Judge, by_agent(2)));
        assert!(again.messages.concat().contains("no verdict"), "{again:?}");
        fixture.whole_turn(silent);
        assert_eq!(fixture.state(), "blocked", "{ending:?}");
        assert_eq!(annotation(&fixture), AnnotationType::ReviewBlocked);
        assert_eq!(fixture.task.review_passed_at, None, "{ending:?}");
        assert!(fixture.task.rejections.is_empty(), "{ending:?}");
    }
}

#[test]
fn m_3_a_person_who_reviews_passes_by_moving_the_task_on() {
    let mut fixture = with_reviewer(by_user(2));
    fixture.checks(vec![passed()]);
    fixture.prepare();
    assert_eq!(fixture.task.review_passed_at, None);
    let command = fixture.moving("merging", Some("well done"));
    assert!(matches!(fixture.refuse(person(1), command.clone()), Refusal::ReviewNotPassed { .. }));
    fixture.accept(person(2), command);
    assert_eq!(fixture.state(), "merging");
    assert!(fixture.recorded.iter().any(|recorded| matches!(
        &recorded.event,
        TaskEvent::ReviewFinished { verdict: Some(Verdict::Pass { feedback: Some(said) }), counted: false, .. }
            if said == "well done"
    )));
}

#[test]
fn m_3_a_person_cannot_pass_while_the_checks_run() {
    let mut fixture = with_reviewer(by_user(2));
    let command = fixture.moving("merging", None);
    assert!(matches!(fixture.refuse(person(2), command), Refusal::ReviewNotPassed { .. }));
}

#[test]
fn m_2_the_late_report_of_an_old_review_changes_nothing() {
    let mut fixture = TaskFixture::in_review();
    let old = fixture.take_checks();
    fixture.move_to("todo", None);
    fixture.stop();
    fixture.claim(by_agent(1));
    fixture.whole_turn(turn(DONE));
    assert_eq!(fixture.task.attempts, 2);
    let before = fixture.task.clone();
    for results in [vec![passed()], vec![failed()]] {
        let report = EffectReport::ChecksEnded {
            review: old,
            commit: "old".to_owned(),
            results,
            setup_failed: false,
            receipt: None,
            taken_from: None,
        };
        let decision = fixture.report(report);
        assert!(decision.events.is_empty() && decision.effects.is_empty());
    }
    assert_eq!(fixture.task, before);
}

#[test]
fn m_3_a_setup_failure_parks_without_counting_an_attempt() {
    for results in [vec![failed()], Vec::new(), vec![passed()]] {
        let mut fixture = TaskFixture::in_review();
        let review = fixture.take_checks();
        let commit = "c0ffee".to_owned();
        fixture.report(EffectReport::ChecksEnded {
            review,
            commit,
            results,
            setup_failed: true,
            receipt: None,
            taken_from: None,
        });
        assert_eq!(fixture.state(), "blocked");
        assert_eq!(annotation(&fixture), AnnotationType::ChecksBroken);
        assert!(fixture.task.rejections.is_empty());
        assert_eq!(fixture.task.review_passed_at, None);
    }
}

//! The gate (M-2 to M-4).

use crate::support::{
    Desk, by_agent, by_user, definition, failed, judged, new_task, passed, person, role, turn,
};
use forge_domain::task::{AnnotationType, Purpose};
use forge_domain::workflow::Workflow;
use forge_domain::{
    CheckOutcome, CheckResult, Command, Ending, Event, Refusal, Report, Reset, Verdict,
};

const DONE: Ending = Ending::Exited { code: 0 };

fn assign(desk: &mut Desk, to: &str, assignee: forge_domain::Assignee) {
    desk.accept(person(1), Command::Assign { role: role(to), assignee, reset: Reset::Nothing });
}

/// Handed in, with somebody to judge it.
fn with_reviewer(assignee: forge_domain::Assignee) -> Desk {
    let mut desk = Desk::in_review();
    assign(&mut desk, "reviewer", assignee);
    desk
}

fn annotation(desk: &Desk) -> AnnotationType {
    desk.task.annotation.as_ref().expect("a trouble is noted").kind
}

#[test]
fn m_2_a_gate_without_checks_passes_and_waits_for_a_person() {
    let mut desk = Desk::in_review();
    assert_eq!(desk.outstanding(), ["run_checks"]);
    assert_eq!(desk.task.attempts, 1);
    desk.checks(Vec::new());
    assert_eq!(desk.state(), "review");
    assert!(desk.task.review_passed_at.is_some());
    assert_eq!((desk.task.review, desk.task.activity), (None, None));
}

#[test]
fn m_2_auto_advance_goes_on_by_itself() {
    let workflow = Workflow::compile(definition("autopilot")).expect("sound");
    let mut desk = Desk::with(workflow, new_task());
    desk.claim(by_agent(1));
    desk.whole_turn(turn(DONE));
    desk.checks(vec![passed()]);
    assert_eq!(desk.state(), "merging");
    assert_eq!(desk.outstanding(), ["land"]);
}

#[test]
fn m_2_every_entry_is_a_new_attempt() {
    let mut desk = Desk::in_review();
    for attempt in 2..=4 {
        desk.checks(vec![passed()]);
        desk.move_to("in_progress", None);
        assert_eq!(desk.task.review_passed_at, None, "new work, new review");
        desk.whole_turn(turn(DONE));
        assert_eq!(desk.task.attempts, attempt);
    }
    let started: Vec<_> = desk
        .recorded
        .iter()
        .filter_map(|recorded| match recorded.event {
            Event::ReviewStarted { attempt, .. } => Some(attempt),
            _ => None,
        })
        .collect();
    assert_eq!(started, [1, 2, 3, 4]);
}

#[test]
fn m_4_a_failing_check_sends_the_work_back_with_its_output() {
    let mut desk = Desk::in_review();
    let decision = desk.checks(vec![passed(), failed()]);
    assert_eq!(desk.state(), "in_progress");
    assert_eq!(desk.task.rejections.values().sum::<u32>(), 1);
    let feedback = desk.task.feedback.clone().expect("the coder is told");
    assert!(feedback.contains("cargo test") && feedback.contains("101"), "{feedback}");
    assert!(feedback.contains("output"), "{feedback}");
    let rejection = decision.events.iter().find_map(|recorded| match &recorded.event {
        Event::TaskTransitioned { rejection, reason, .. } => Some((*rejection, reason.clone())),
        _ => None,
    });
    assert_eq!(rejection, Some((true, Some(feedback))));
    assert_eq!(desk.outstanding(), ["prepare_workspace"], "the coder goes on by itself");
}

#[test]
fn m_2_a_timeout_is_its_own_result_and_no_pass() {
    let mut desk = Desk::in_review();
    desk.checks(vec![CheckResult { outcome: CheckOutcome::TimedOut, exit_code: None, ..failed() }]);
    assert_eq!(desk.state(), "in_progress");
    assert!(desk.task.feedback.as_deref().is_some_and(|said| said.contains("took too long")));
}

#[test]
fn m_4_max_attempts_rejections_exhaust_the_gate() {
    let mut desk = Desk::in_review();
    for _ in 0..2 {
        desk.checks(vec![failed()]);
        assert_eq!(desk.state(), "in_progress");
        desk.whole_turn(turn(DONE));
    }
    desk.checks(vec![failed()]);
    assert_eq!(desk.state(), "blocked");
    assert_eq!(annotation(&desk), AnnotationType::GateExhausted);
    assert!(desk.outstanding().is_empty(), "nothing goes on by itself");
}

#[test]
fn m_4_a_pass_forgets_the_rejections_before_it() {
    let mut desk = Desk::in_review();
    for _ in 0..2 {
        desk.checks(vec![failed()]);
        desk.whole_turn(turn(DONE));
    }
    desk.checks(vec![passed()]);
    assert!(desk.task.rejections.is_empty());
    assert_eq!(desk.task.feedback, None);
}

#[test]
fn m_4_peoples_rejections_are_free_and_reach_the_coder() {
    let mut desk = Desk::in_review();
    for round in 0..5 {
        if round % 2 == 0 {
            desk.checks(vec![passed()]);
        }
        desk.move_to("in_progress", Some("use the other table"));
        assert!(desk.task.rejections.is_empty(), "nothing is counted");
        assert_eq!(desk.task.feedback.as_deref(), Some("use the other table"), "round {round}");
        if desk.is_stopping() {
            desk.stop();
        }
        desk.whole_turn(turn(DONE));
        assert_eq!(desk.state(), "review");
    }
}

#[test]
fn m_3_the_reviewer_is_asked_after_the_checks_have_passed() {
    let mut desk = with_reviewer(by_agent(2));
    desk.checks(vec![passed()]);
    let run = desk.task.run.clone().expect("the reviewer runs");
    assert_eq!((run.assignee, run.purpose), (by_agent(2), Purpose::Judge));
    assert_eq!(desk.task.review_passed_at, None);
    desk.whole_turn(judged(Some(Verdict::Pass { feedback: None })));
    assert_eq!(desk.state(), "review");
    assert!(desk.task.review_passed_at.is_some());
}

#[test]
fn m_3_the_reviewer_is_not_asked_when_a_check_fails() {
    let mut desk = with_reviewer(by_agent(2));
    desk.checks(vec![failed()]);
    assert_eq!(desk.state(), "in_progress");
    assert_eq!(desk.task.run.as_ref().map(|run| run.purpose), Some(Purpose::Work));
}

#[test]
fn m_3_a_failing_verdict_is_a_counted_rejection() {
    let mut desk = with_reviewer(by_agent(2));
    desk.checks(Vec::new());
    desk.whole_turn(judged(Some(Verdict::Fail { feedback: "no tests".to_owned() })));
    assert_eq!(desk.state(), "in_progress");
    assert_eq!(desk.task.feedback.as_deref(), Some("no tests"));
    assert_eq!(desk.task.rejections.values().sum::<u32>(), 1);
}

#[test]
fn m_3_a_blocked_reviewer_parks_without_spending_an_attempt() {
    let mut desk = with_reviewer(by_agent(2));
    desk.checks(Vec::new());
    desk.whole_turn(judged(Some(Verdict::Blocked { feedback: "no network".to_owned() })));
    assert_eq!(desk.state(), "blocked");
    assert_eq!(annotation(&desk), AnnotationType::ReviewBlocked);
    assert!(desk.task.rejections.is_empty());
}

#[test]
fn m_3_no_readable_verdict_is_asked_for_once_more_and_never_a_pass() {
    let said = Some(Verdict::Pass { feedback: None });
    for (ending, printed) in [
        (DONE, None),
        (Ending::Exited { code: 1 }, None),
        (Ending::TimedOut, None),
        (Ending::Signalled { signal: 9 }, None),
        // What a program printed before it broke down is no judgement.
        (Ending::Exited { code: 1 }, said.clone()),
        (Ending::TimedOut, said),
    ] {
        let mut desk = with_reviewer(by_agent(2));
        desk.checks(Vec::new());
        let silent = forge_domain::RunResult { ending, ..judged(printed) };
        desk.whole_turn(silent.clone());
        assert_eq!(desk.state(), "review", "{ending:?}");
        let again = desk.task.run.clone().expect("it is asked again");
        assert_eq!((again.purpose, again.assignee), (Purpose::Judge, by_agent(2)));
        assert!(again.messages.concat().contains("no verdict"), "{again:?}");
        desk.whole_turn(silent);
        assert_eq!(desk.state(), "blocked", "{ending:?}");
        assert_eq!(annotation(&desk), AnnotationType::ReviewBlocked);
        assert_eq!(desk.task.review_passed_at, None, "{ending:?}");
        assert!(desk.task.rejections.is_empty(), "{ending:?}");
    }
}

#[test]
fn m_3_a_person_who_reviews_passes_by_moving_the_task_on() {
    let mut desk = with_reviewer(by_user(2));
    desk.checks(vec![passed()]);
    desk.prepare();
    assert_eq!(desk.task.review_passed_at, None);
    let command = desk.moving("merging", Some("well done"));
    assert!(matches!(desk.refuse(person(1), command.clone()), Refusal::ReviewNotPassed { .. }));
    desk.accept(person(2), command);
    assert_eq!(desk.state(), "merging");
    assert!(desk.recorded.iter().any(|recorded| matches!(
        &recorded.event,
        Event::ReviewFinished { verdict: Some(Verdict::Pass { feedback: Some(said) }), counted: false, .. }
            if said == "well done"
    )));
}

#[test]
fn m_3_a_person_cannot_pass_while_the_checks_run() {
    let mut desk = with_reviewer(by_user(2));
    let command = desk.moving("merging", None);
    assert!(matches!(desk.refuse(person(2), command), Refusal::ReviewNotPassed { .. }));
}

#[test]
fn m_2_the_late_report_of_an_old_review_changes_nothing() {
    let mut desk = Desk::in_review();
    let old = desk.take_checks();
    desk.move_to("todo", None);
    desk.stop();
    desk.claim(by_agent(1));
    desk.whole_turn(turn(DONE));
    assert_eq!(desk.task.attempts, 2);
    let before = desk.task.clone();
    for results in [vec![passed()], vec![failed()]] {
        let report = Report::ChecksEnded {
            review: old,
            commit: "old".to_owned(),
            results,
            setup_failed: false,
            receipt: None,
            taken_from: None,
        };
        let decision = desk.report(report);
        assert!(decision.events.is_empty() && decision.effects.is_empty());
    }
    assert_eq!(desk.task, before);
}

#[test]
fn m_3_a_set_up_failure_parks_without_spending_an_attempt() {
    for results in [vec![failed()], Vec::new(), vec![passed()]] {
        let mut desk = Desk::in_review();
        let review = desk.take_checks();
        let commit = "c0ffee".to_owned();
        desk.report(Report::ChecksEnded {
            review,
            commit,
            results,
            setup_failed: true,
            receipt: None,
            taken_from: None,
        });
        assert_eq!(desk.state(), "blocked");
        assert_eq!(annotation(&desk), AnnotationType::ChecksBroken);
        assert!(desk.task.rejections.is_empty());
        assert_eq!(desk.task.review_passed_at, None);
    }
}

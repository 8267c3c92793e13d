//! Merge states that send work back (issue 13.16): with the target merged in, a limited number of times.

use crate::support::{TaskFixture, conflict, definition, failed, merged, passed, person, turn};
use forge_domain::task::{AnnotationType, TaskActivity, Workspace, WorkspaceStatus};
use forge_domain::workflow::{ProblemCode, StateName, Workflow};
use forge_domain::{Effect, EffectReport, ExecutionEnding, LandResult, RebaseResult, TaskCommand};

/// A task of the autopilot workflow in its merge state.
fn landing() -> TaskFixture {
    let mut fixture = TaskFixture::landing();
    let mut autopilot = definition("autopilot");
    let merging = autopilot.state.iter_mut().find(|state| state.merged.is_some());
    merging.expect("a merge state").max_attempts = Some(3);
    fixture.workflow = Workflow::compile(autopilot).expect("sound");
    fixture
}

fn red() -> LandResult {
    LandResult::ChecksFailed {
        target: "main".to_owned(),
        commit: "red".to_owned(),
        results: vec![passed(), failed()],
        culprits: vec!["T-7".to_owned()],
    }
}

/// Reports the planned merge of the target.
fn rebase(fixture: &mut TaskFixture, result: RebaseResult) {
    let Effect::Rebase { visit, message } = fixture.take("rebase").effect().clone() else {
        panic!("a rebase");
    };
    let known = fixture.task.workspace.clone().expect("a workspace");
    let workspace = Workspace { status: WorkspaceStatus::Ready, ..known };
    fixture.report(EffectReport::Rebased { visit, workspace, result, message });
}

fn up_to_date() -> RebaseResult {
    RebaseResult::UpToDate { target: "main".to_owned() }
}

#[test]
fn issue_13_16_a_conflict_returns_to_work_with_the_target_merged_in() {
    let mut fixture = landing();
    fixture.land(conflict());
    assert_eq!((fixture.state(), fixture.task.activity), ("merging", Some(TaskActivity::Rebasing)));
    assert!(!fixture.task.is_settling(), "its turn may be a long time off");
    let files = vec!["src/a.rs".to_owned()];
    let (target, hunks) = ("main".to_owned(), Vec::new());
    rebase(&mut fixture, RebaseResult::Conflict { target, files, hunks });
    assert_eq!(fixture.state(), "in_progress");
    assert_eq!(fixture.outstanding(), ["prepare_workspace"]);
    assert!(fixture.task.feedback.as_deref().is_some_and(|said| said.contains("src/a.rs")));
    assert_eq!(fixture.task.rejections.get(&StateName::new("merging")).copied(), Some(1));
}

#[test]
fn issue_13_16_a_failed_trial_names_its_culprits_and_returns_also_when_up_to_date() {
    let mut fixture = landing();
    fixture.land(red());
    let trouble = fixture.task.annotation.clone().expect("it is said");
    assert_eq!(trouble.kind, AnnotationType::MergeChecksFailed);
    assert!(trouble.message.contains("T-7"), "{}", trouble.message);
    rebase(&mut fixture, up_to_date());
    assert_eq!(fixture.state(), "in_progress");
    let run = fixture.task.run.clone().expect("it is worked on again");
    assert!(run.messages.iter().any(|message| message.contains("T-7")), "{run:?}");
    assert!(fixture.task.feedback.as_deref().is_some_and(|said| said.contains("T-7")));
}

#[test]
fn issue_13_16_a_landing_is_retried_without_counting_an_attempt() {
    let mut fixture = landing();
    for _ in 0..2 {
        fixture.land(red());
        let returning = fixture.task.post_landing.returning.clone().expect("it is to go back");
        assert_eq!(returning.trial.as_deref(), Some("red"));
        assert!(!returning.tried_again);
        let Effect::Rebase { visit, .. } = fixture.take("rebase").effect().clone() else {
            panic!("a rebase");
        };
        fixture.report(EffectReport::LandingDue { visit });
        assert_eq!(
            (fixture.state(), fixture.task.activity),
            ("merging", Some(TaskActivity::Landing))
        );
        assert!(fixture.task.annotation.is_none());
        fixture.land(red());
        assert!(fixture.task.post_landing.returning.as_ref().is_some_and(|now| now.tried_again));
        rebase(&mut fixture, up_to_date());
        assert_eq!(fixture.state(), "in_progress");
        fixture.whole_turn(turn(ExecutionEnding::Exited { code: 0 }));
        fixture.checks(vec![passed()]);
        assert_eq!(fixture.state(), "merging");
    }
    fixture.land(red());
    assert_eq!(fixture.state(), "merge_failed", "two were sent back, tried again or not");
    fixture.check_replay();
}

#[test]
fn issue_13_16_after_max_attempts_the_exhausted_edge_is_taken_and_a_person_restarts() {
    let mut fixture = landing();
    for _ in 0..2 {
        fixture.land(red());
        rebase(&mut fixture, up_to_date());
        fixture.whole_turn(turn(ExecutionEnding::Exited { code: 0 }));
        fixture.checks(vec![passed()]);
        assert_eq!(fixture.state(), "merging");
    }
    fixture.land(red());
    assert_eq!(fixture.state(), "merge_failed");
    let trouble = fixture.task.annotation.clone().expect("it is said");
    assert_eq!(trouble.kind, AnnotationType::MergeChecksFailed);
    assert!(trouble.message.contains("2 times"), "{}", trouble.message);
    assert!(fixture.task.post_landing.returning.is_none() && fixture.task.rejections.is_empty());
    fixture.clean();
    fixture.move_to("merging", None);
    fixture.land(red());
    assert_eq!(fixture.task.activity, Some(TaskActivity::Rebasing), "as many attempts again");
    rebase(&mut fixture, up_to_date());
    fixture.whole_turn(turn(ExecutionEnding::Exited { code: 0 }));
    fixture.checks(vec![passed()]);
    fixture.land(merged());
    assert_eq!(fixture.state(), "done");
    assert!(fixture.task.post_landing.returning.is_none());
}

#[test]
fn issue_13_16_a_cycle_through_a_merge_needs_its_own_bound_and_the_advice_says_where() {
    let mut autopilot = definition("autopilot");
    assert!(autopilot.problems().is_empty(), "{:?}", autopilot.problems());
    let merging = autopilot.state.iter_mut().find(|state| state.merged.is_some());
    merging.expect("a merge state").max_attempts = None;
    let problems = autopilot.problems();
    let cycle = problems.iter().find(|problem| problem.code == ProblemCode::UnboundedCycle);
    let advice = &cycle.expect("it could go round for ever").message;
    assert!(advice.contains("give \"merging\" `max_attempts`"), "{advice}");
}

#[test]
fn issue_13_05_work_that_landed_outside_waits_for_a_person() {
    let mut fixture = TaskFixture::in_review();
    let details = serde_json::json!({ "target": "main", "commit": "beef", "before": "cafe" });
    let message = "it is there".to_owned();
    fixture.report(EffectReport::LandedOutside { message, details });
    fixture.stop();
    assert_eq!(fixture.state(), "blocked");
    let kind = fixture.task.annotation.as_ref().map(|found| found.kind);
    assert_eq!(kind, Some(AnnotationType::LandedOutside));
    fixture.accept(person(1), TaskCommand::AcceptLanded { reason: Some("it is fine".to_owned()) });
    assert_eq!(fixture.state(), "done");
    let landed = fixture.task.post_landing.landed.clone().expect("it counts as landed");
    assert_eq!(landed.commit.as_deref(), Some("beef"));
}

//! Landing (M-6 to M-9).

use crate::support::{
    Desk, Stage, by_agent, conflict, dirty, failed, merged, nothing_to_merge, passed, person,
};
use forge_domain::task::{
    Activity, AnnotationType, PullRequest, PullRequestState, PullRequestWait, WorkspaceStatus,
};
use forge_domain::{CheckResult, Command, Effect, Event, LandResult, Refusal, RemoteCheck, Report};

fn last_reason(desk: &Desk) -> Option<String> {
    desk.recorded.iter().rev().find_map(|recorded| match &recorded.event {
        Event::TaskTransitioned { reason, .. } => Some(reason.clone()),
        _ => None,
    })?
}

fn annotation(desk: &Desk) -> Option<AnnotationType> {
    desk.task.annotation.as_ref().map(|annotation| annotation.kind)
}

#[test]
fn m_16_a_pull_request_is_told_once_and_failed_checks_there_take_the_conflict_edge() {
    let mut desk = Desk::landing();
    let seen = |waits_for| PullRequest {
        number: 7,
        url: "https://github.com/a/b/pull/7".to_owned(),
        state: PullRequestState::Open,
        waits_for,
        head: "c0ffee".to_owned(),
    };
    let report = |waits| Report::PullRequestSeen { pull_request: seen(waits) };
    assert!(desk.task.is_settling());
    assert_eq!(desk.report(report(Some(PullRequestWait::Checks))).events.len(), 1);
    assert!(!desk.task.is_settling(), "nobody waits for an answer that takes people");
    assert_eq!(desk.report(report(Some(PullRequestWait::Checks))).events.len(), 0);
    assert_eq!(desk.report(report(None)).events.len(), 1);
    let failed = vec![RemoteCheck { name: "lint".to_owned(), url: None }];
    desk.land(LandResult::RemoteChecksFailed {
        target: "main".to_owned(),
        commit: "c0ffee".to_owned(),
        pull_request: 7,
        failed,
    });
    let trouble = desk.task.annotation.clone().expect("it says why");
    assert_eq!(trouble.kind, AnnotationType::MergeChecksFailed);
    assert!(trouble.message.contains("lint"), "{}", trouble.message);
    assert!(desk.task.feedback.as_deref().is_some_and(|text| text.contains("lint")));
    assert_eq!(desk.task.pull_request, Some(seen(None)), "it is still there");
    desk.check_replay();
}

#[test]
fn m_6_a_landed_task_is_done_and_its_workspace_and_branch_go() {
    let mut desk = Desk::landing();
    assert_eq!(desk.task.activity, Some(Activity::Landing));
    let decision = desk.land(merged());
    assert_eq!(desk.state(), "done");
    let wanted: Vec<_> = decision.effects.iter().map(|planned| planned.effect.clone()).collect();
    assert_eq!(wanted, [Effect::CleanWorkspace { retire_branch: true }]);
    assert_eq!(desk.task.activity, Some(Activity::Cleaning));
    desk.clean();
    let status = desk.task.workspace.as_ref().map(|workspace| workspace.status);
    assert_eq!((status, desk.task.activity), (Some(WorkspaceStatus::Cleaned), None));
}

#[test]
fn m_8_nothing_to_merge_is_success_with_the_same_cleanup() {
    let mut desk = Desk::landing();
    let decision = desk.land(nothing_to_merge());
    assert_eq!(desk.state(), "done");
    assert_eq!(last_reason(&desk).as_deref(), Some("nothing_to_merge"));
    assert_eq!(decision.effects.len(), 1);
    assert_eq!(desk.outstanding(), ["clean_workspace"]);
}

#[test]
fn m_9_a_conflict_follows_its_edge_with_the_files_named() {
    let mut desk = Desk::landing();
    desk.land(conflict());
    assert_eq!(desk.state(), "merge_failed");
    assert_eq!(annotation(&desk), Some(AnnotationType::MergeConflict));
    let details = desk.task.annotation.as_ref().map(|found| found.details["files"].clone());
    assert_eq!(details, Some(serde_json::json!(["src/a.rs"])));
    assert!(desk.task.feedback.as_deref().is_some_and(|said| said.contains("src/a.rs")));
    assert!(desk.task.rejections.is_empty(), "no attempt is spent");
    assert_eq!(
        desk.steps[0].effect(),
        &Effect::CleanWorkspace { retire_branch: false },
        "W-7: the worktree goes at once, the branch stays"
    );
}

#[test]
fn m_7_a_dirty_checkout_is_said_once_and_the_landing_goes_on() {
    let mut desk = Desk::landing();
    let visit = desk.task.visit;
    let waiting = Report::LandingEnded { visit, result: dirty() };
    desk.report(waiting.clone());
    assert_eq!(desk.state(), "merging");
    assert_eq!(annotation(&desk), Some(AnnotationType::TargetCheckoutDirty));
    let version = desk.task.version;
    let again = desk.report(waiting);
    assert!(again.events.is_empty(), "the same finding is no news");
    assert_eq!(desk.task.version, version);
    desk.land(merged());
    assert_eq!((desk.state(), annotation(&desk)), ("done", None));
}

#[test]
fn m_7_a_person_can_take_back_a_landing_that_waits() {
    let mut desk = Desk::landing();
    let visit = desk.task.visit;
    desk.report(Report::LandingEnded { visit, result: dirty() });
    desk.move_to("blocked", None);
    desk.stop();
    assert!(desk.outstanding().is_empty(), "the landing is dropped");
    desk.move_to("in_progress", None);
    assert_eq!(desk.outstanding(), ["prepare_workspace"]);
}

#[test]
fn t_8_a_task_that_is_being_landed_can_only_be_parked_or_cancelled() {
    let mut definition = crate::support::definition("default");
    let merging = definition.state.iter_mut().find(|state| state.merged.is_some());
    merging.expect("a merge state").manual = vec!["todo".to_owned()];
    let mut desk = Desk::landing();
    desk.workflow = forge_domain::workflow::Workflow::compile(definition).expect("sound");
    let command = desk.moving("todo", None);
    assert_eq!(desk.refuse(person(1), command), Refusal::Landing { key: desk.task.key() });
}

/// What had landed before the task was called off is a fact, and is said.
#[test]
fn m_6_a_landing_that_was_quicker_than_the_cancel_is_recorded() {
    let mut desk = Desk::landing();
    desk.steps[0].stage = Stage::Begun;
    desk.accept(person(1), Command::Cancel { reason: None });
    assert!(desk.is_stopping(), "its checks may be running");
    desk.land(merged());
    desk.stop();
    assert_eq!(desk.state(), "cancelled");
    assert_eq!(annotation(&desk), Some(AnnotationType::LandedAfterAll));
    assert!(
        desk.recorded.iter().any(|found| found.event == Event::MergeFinished { result: merged() })
    );
}

#[test]
fn m_9_a_late_landing_that_did_nothing_leaves_no_trace() {
    for result in [conflict(), nothing_to_merge(), dirty()] {
        let mut desk = Desk::landing();
        desk.steps[0].stage = Stage::Begun;
        desk.move_to("blocked", Some("wait"));
        let before = desk.task.clone();
        desk.land(result);
        assert_eq!(desk.task, before);
        desk.stop();
        desk.move_to("in_progress", None);
        assert_eq!(desk.outstanding(), ["prepare_workspace"]);
    }
}

/// A landing that ends late must not be taken for what is under way now.
#[test]
fn m_6_a_late_landing_does_not_disturb_what_came_after_it() {
    let mut desk = Desk::landing();
    desk.steps[0].stage = Stage::Begun;
    desk.move_to("blocked", None);
    desk.stop();
    desk.move_to("in_progress", None);
    let preparing = desk.task.activity;
    assert!(matches!(preparing, Some(Activity::Preparing { .. })));
    desk.land(merged());
    assert_eq!(desk.task.activity, preparing);

    let mut desk = Desk::landing();
    desk.land(conflict());
    desk.clean();
    desk.move_to("merging", None);
    desk.steps[0].stage = Stage::Begun;
    desk.move_to("blocked", None);
    desk.stop();
    desk.move_to("todo", None);
    desk.claim(by_agent(1));
    desk.land(merged());
    assert_eq!(desk.outstanding(), ["prepare_workspace"]);
    assert_eq!(annotation(&desk), Some(AnnotationType::LandedAfterAll));
}

#[test]
fn m_6_a_late_landing_is_not_the_end_of_the_next_one() {
    let mut definition = crate::support::definition("default");
    let fault = definition.state.iter_mut().find(|state| state.name == "blocked");
    fault.expect("the fault state").manual.push("merging".to_owned());
    let workflow = forge_domain::workflow::Workflow::compile(definition).expect("sound");
    let mut desk = Desk::landing();
    desk.workflow = workflow;
    desk.steps[0].stage = Stage::Begun;
    desk.move_to("blocked", None);
    desk.stop();
    desk.move_to("merging", None);
    assert_eq!(desk.outstanding(), ["land", "land"]);
    desk.land(merged());
    assert_eq!(desk.task.activity, Some(Activity::Landing), "the second landing is still to come");
    desk.land(nothing_to_merge());
    assert_eq!(desk.state(), "done");
}

/// M-12: what fits and fails lands nowhere, and whoever goes on with it is told with what it fails.
#[test]
fn m_12_a_branch_that_fails_on_its_target_comes_back_with_the_log() {
    let mut desk = Desk::landing();
    let failed = CheckResult { output_tail: "3 tests failed".to_owned(), ..failed() };
    desk.land(LandResult::ChecksFailed {
        target: "main".to_owned(),
        commit: "beef".to_owned(),
        results: vec![passed(), failed],
        culprits: vec!["T-7".to_owned()],
    });
    assert_eq!(desk.state(), "merge_failed");
    assert_eq!(annotation(&desk), Some(AnnotationType::MergeChecksFailed));
    let feedback = desk.task.feedback.clone().expect("feedback");
    assert!(feedback.contains("3 tests failed") && feedback.contains("T-7"), "{feedback}");
}

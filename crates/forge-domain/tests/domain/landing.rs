//! Landing (M-6 to M-9).

use crate::support::{
    EffectStage, TaskFixture, by_agent, conflict, dirty, failed, merged, nothing_to_merge, passed,
    person,
};
use forge_domain::task::{
    AnnotationType, PullRequest, PullRequestState, PullRequestWait, TaskActivity, WorkspaceStatus,
};
use forge_domain::{
    CheckResult, Effect, EffectReport, LandResult, Refusal, RemoteCheck, TaskCommand, TaskEvent,
};

fn last_reason(fixture: &TaskFixture) -> Option<String> {
    fixture.recorded.iter().rev().find_map(|recorded| match &recorded.event {
        TaskEvent::TaskTransitioned { reason, .. } => Some(reason.clone()),
        _ => None,
    })?
}

fn annotation(fixture: &TaskFixture) -> Option<AnnotationType> {
    fixture.task.annotation.as_ref().map(|annotation| annotation.kind)
}

#[test]
fn m_16_a_pull_request_is_recorded_once_and_its_failed_checks_take_the_conflict_edge() {
    let mut fixture = TaskFixture::landing();
    let seen = |waits_for| PullRequest {
        number: 7,
        url: "https://github.com/a/b/pull/7".to_owned(),
        state: PullRequestState::Open,
        waits_for,
        head: "c0ffee".to_owned(),
    };
    let report = |waits| EffectReport::PullRequestSeen { pull_request: seen(waits) };
    assert!(fixture.task.is_settling());
    assert_eq!(fixture.report(report(Some(PullRequestWait::Checks))).events.len(), 1);
    assert!(!fixture.task.is_settling(), "a request does not wait for people");
    assert_eq!(fixture.report(report(Some(PullRequestWait::Checks))).events.len(), 0);
    assert_eq!(fixture.report(report(None)).events.len(), 1);
    let failed = vec![RemoteCheck { name: "lint".to_owned(), url: None }];
    fixture.land(LandResult::RemoteChecksFailed {
        target: "main".to_owned(),
        commit: "c0ffee".to_owned(),
        pull_request: 7,
        failed,
    });
    let trouble = fixture.task.annotation.clone().expect("it says why");
    assert_eq!(trouble.kind, AnnotationType::MergeChecksFailed);
    assert!(trouble.message.contains("lint"), "{}", trouble.message);
    assert!(fixture.task.feedback.as_deref().is_some_and(|text| text.contains("lint")));
    assert_eq!(fixture.task.pull_request, Some(seen(None)), "it is still there");
    fixture.check_replay();
}

#[test]
fn m_6_a_landed_task_is_done_and_its_workspace_and_branch_are_removed() {
    let mut fixture = TaskFixture::landing();
    assert_eq!(fixture.task.activity, Some(TaskActivity::Landing));
    let decision = fixture.land(merged());
    assert_eq!(fixture.state(), "done");
    let wanted: Vec<_> = decision.effects.iter().map(|planned| planned.effect.clone()).collect();
    assert_eq!(wanted, [Effect::CleanWorkspace { retire_branch: true }]);
    assert_eq!(fixture.task.activity, Some(TaskActivity::Cleaning));
    fixture.clean();
    let status = fixture.task.workspace.as_ref().map(|workspace| workspace.status);
    assert_eq!((status, fixture.task.activity), (Some(WorkspaceStatus::Cleaned), None));
}

#[test]
fn m_8_nothing_to_merge_is_success_with_the_same_cleanup() {
    let mut fixture = TaskFixture::landing();
    let decision = fixture.land(nothing_to_merge());
    assert_eq!(fixture.state(), "done");
    assert_eq!(last_reason(&fixture).as_deref(), Some("nothing_to_merge"));
    assert_eq!(decision.effects.len(), 1);
    assert_eq!(fixture.outstanding(), ["clean_workspace"]);
}

#[test]
fn m_9_a_conflict_follows_its_edge_with_the_files_named() {
    let mut fixture = TaskFixture::landing();
    fixture.land(conflict());
    assert_eq!(fixture.state(), "merge_failed");
    assert_eq!(annotation(&fixture), Some(AnnotationType::MergeConflict));
    let details = fixture.task.annotation.as_ref().map(|found| found.details["files"].clone());
    assert_eq!(details, Some(serde_json::json!(["src/a.rs"])));
    assert!(fixture.task.feedback.as_deref().is_some_and(|said| said.contains("src/a.rs")));
    assert!(fixture.task.rejections.is_empty(), "no attempt is spent");
    assert_eq!(
        fixture.steps[0].effect(),
        &Effect::CleanWorkspace { retire_branch: false },
        "W-7: the worktree goes at once, the branch stays"
    );
}

#[test]
fn m_7_a_dirty_checkout_is_annotated_once_and_the_landing_continues() {
    let mut fixture = TaskFixture::landing();
    let visit = fixture.task.visit;
    let waiting = EffectReport::LandingEnded { visit, result: dirty() };
    fixture.report(waiting.clone());
    assert_eq!(fixture.state(), "merging");
    assert_eq!(annotation(&fixture), Some(AnnotationType::TargetCheckoutDirty));
    let version = fixture.task.version;
    let again = fixture.report(waiting);
    assert!(again.events.is_empty(), "the same finding is no news");
    assert_eq!(fixture.task.version, version);
    fixture.land(merged());
    assert_eq!((fixture.state(), annotation(&fixture)), ("done", None));
}

#[test]
fn m_7_a_person_can_withdraw_a_waiting_landing() {
    let mut fixture = TaskFixture::landing();
    let visit = fixture.task.visit;
    fixture.report(EffectReport::LandingEnded { visit, result: dirty() });
    fixture.move_to("blocked", None);
    fixture.stop();
    assert!(fixture.outstanding().is_empty(), "the landing is dropped");
    fixture.move_to("in_progress", None);
    assert_eq!(fixture.outstanding(), ["prepare_workspace"]);
}

#[test]
fn t_8_a_task_that_is_being_landed_can_only_be_parked_or_cancelled() {
    let mut definition = crate::support::definition("default");
    let merging = definition.state.iter_mut().find(|state| state.merged.is_some());
    merging.expect("a merge state").manual = vec!["todo".to_owned()];
    let mut fixture = TaskFixture::landing();
    fixture.workflow = forge_domain::workflow::Workflow::compile(definition).expect("sound");
    let command = fixture.moving("todo", None);
    assert_eq!(fixture.refuse(person(1), command), Refusal::Landing { key: fixture.task.key() });
}

/// A landing that completed before the task was cancelled is recorded.
#[test]
fn m_6_a_landing_that_completed_before_the_cancel_is_recorded() {
    let mut fixture = TaskFixture::landing();
    fixture.steps[0].stage = EffectStage::Begun;
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    assert!(fixture.is_stopping(), "its checks may be running");
    fixture.land(merged());
    fixture.stop();
    assert_eq!(fixture.state(), "cancelled");
    assert_eq!(annotation(&fixture), Some(AnnotationType::LandedAfterAll));
    assert!(
        fixture
            .recorded
            .iter()
            .any(|found| found.event == TaskEvent::MergeFinished { result: merged() })
    );
}

#[test]
fn m_9_a_late_landing_that_landed_nothing_is_ignored() {
    for result in [conflict(), nothing_to_merge(), dirty()] {
        let mut fixture = TaskFixture::landing();
        fixture.steps[0].stage = EffectStage::Begun;
        fixture.move_to("blocked", Some("wait"));
        let before = fixture.task.clone();
        fixture.land(result);
        assert_eq!(fixture.task, before);
        fixture.stop();
        fixture.move_to("in_progress", None);
        assert_eq!(fixture.outstanding(), ["prepare_workspace"]);
    }
}

/// A landing that ends late must not end the current activity.
#[test]
fn m_6_a_late_landing_does_not_end_the_current_activity() {
    let mut fixture = TaskFixture::landing();
    fixture.steps[0].stage = EffectStage::Begun;
    fixture.move_to("blocked", None);
    fixture.stop();
    fixture.move_to("in_progress", None);
    let preparing = fixture.task.activity;
    assert!(matches!(preparing, Some(TaskActivity::Preparing { .. })));
    fixture.land(merged());
    assert_eq!(fixture.task.activity, preparing);

    let mut fixture = TaskFixture::landing();
    fixture.land(conflict());
    fixture.clean();
    fixture.move_to("merging", None);
    fixture.steps[0].stage = EffectStage::Begun;
    fixture.move_to("blocked", None);
    fixture.stop();
    fixture.move_to("todo", None);
    fixture.claim(by_agent(1));
    fixture.land(merged());
    assert_eq!(fixture.outstanding(), ["prepare_workspace"]);
    assert_eq!(annotation(&fixture), Some(AnnotationType::LandedAfterAll));
}

#[test]
fn m_6_a_late_landing_is_not_the_end_of_the_next_one() {
    let mut definition = crate::support::definition("default");
    let fault = definition.state.iter_mut().find(|state| state.name == "blocked");
    fault.expect("the fault state").manual.push("merging".to_owned());
    let workflow = forge_domain::workflow::Workflow::compile(definition).expect("sound");
    let mut fixture = TaskFixture::landing();
    fixture.workflow = workflow;
    fixture.steps[0].stage = EffectStage::Begun;
    fixture.move_to("blocked", None);
    fixture.stop();
    fixture.move_to("merging", None);
    assert_eq!(fixture.outstanding(), ["land", "land"]);
    fixture.land(merged());
    assert_eq!(
        fixture.task.activity,
        Some(TaskActivity::Landing),
        "the second landing is still to come"
    );
    fixture.land(nothing_to_merge());
    assert_eq!(fixture.state(), "done");
}

/// M-12: a branch that merges and fails does not land, and the feedback names the tasks with which it fails.
#[test]
fn m_12_a_branch_that_fails_on_its_target_returns_with_the_log() {
    let mut fixture = TaskFixture::landing();
    let failed = CheckResult { output_tail: "3 tests failed".to_owned(), ..failed() };
    fixture.land(LandResult::ChecksFailed {
        target: "main".to_owned(),
        commit: "beef".to_owned(),
        results: vec![passed(), failed],
        culprits: vec!["T-7".to_owned()],
    });
    assert_eq!(fixture.state(), "merge_failed");
    assert_eq!(annotation(&fixture), Some(AnnotationType::MergeChecksFailed));
    let feedback = fixture.task.feedback.clone().expect("feedback");
    assert!(feedback.contains("3 tests failed") && feedback.contains("T-7"), "{feedback}");
}

//! Merging the target into a branch (M-9), and the record after a landing (M-10).

use crate::support::{
    TaskFixture, conflict, definition, machine, merged, new_task, nothing_to_merge, passed, person,
    workflow,
};
use forge_domain::task::{
    AnnotationType, OriginTask, RegressionCheck, TaskActivity, VerificationResult, Workspace,
    WorkspaceStatus,
};
use forge_domain::workflow::Workflow;
use forge_domain::{
    CommandEnvelope, CreateTask, Effect, EffectReport, RebaseResult, Refusal, RevertResult,
    TaskCommand, TaskEvent, create,
};

fn rebase() -> TaskCommand {
    TaskCommand::Rebase { message: Some("mind the limit".to_owned()) }
}

/// Ends the current merge of the target.
fn meet(fixture: &mut TaskFixture, result: RebaseResult) {
    let Effect::Rebase { visit, message } = fixture.take("rebase").effect().clone() else {
        panic!("a rebase");
    };
    let known = fixture.task.workspace.clone().expect("a workspace");
    let workspace = Workspace { status: WorkspaceStatus::Ready, ..known };
    fixture.report(EffectReport::Rebased { visit, workspace, result, message });
}

fn clash() -> RebaseResult {
    let files = vec!["src/a.rs".to_owned()];
    RebaseResult::Conflict { target: "main".to_owned(), files, hunks: Vec::new() }
}

#[test]
fn m_9_a_conflicting_task_returns_to_work_with_its_target_merged_in() {
    let mut fixture = TaskFixture::landing();
    fixture.land(conflict());
    fixture.clean();
    assert_eq!(fixture.state(), "merge_failed");
    fixture.accept(person(1), rebase());
    assert_eq!(fixture.task.activity, Some(TaskActivity::Rebasing));
    let again = fixture.refuse(person(1), rebase());
    assert!(matches!(again, Refusal::WorkspaceLocked { .. }), "{again}");
    meet(&mut fixture, clash());
    assert_eq!(fixture.state(), "in_progress");
    assert_eq!(fixture.outstanding(), ["prepare_workspace"]);
    assert_eq!(fixture.task.annotation, None);
    let said = fixture.task.feedback.clone().expect("the next prompt says so");
    assert!(said.contains("src/a.rs") && said.contains("marks"), "{said}");
    let run = fixture.task.run.as_ref().expect("its coder goes on");
    let told = run.follow_up.as_ref().map(|follow_up| follow_up.message.clone());
    let told = told.unwrap_or_else(|| run.messages.join("\n"));
    assert!(told.contains("mind the limit"), "{told}");
}

#[test]
fn m_9_only_people_rebase_and_only_an_idle_task_with_a_workspace() {
    let refused =
        |fixture: &TaskFixture| fixture.consider(person(1), rebase()).expect_err("it is refused");
    let new = TaskFixture::of("default");
    assert!(matches!(refused(&new), Refusal::WorkspaceMissing { .. }));
    let works = TaskFixture::working();
    assert!(matches!(refused(&works), Refusal::WorkspaceLocked { .. }), "its turn runs");
    assert!(matches!(refused(&TaskFixture::in_review()), Refusal::WorkspaceLocked { .. }));
    let mut over = TaskFixture::landing();
    over.land(merged());
    assert!(matches!(refused(&over), Refusal::TaskTerminal { .. }));
    let mut fixture = TaskFixture::landing();
    fixture.land(conflict());
    let refusal = fixture.consider(machine(), rebase()).expect_err("people only");
    assert!(matches!(refusal, Refusal::PeopleOnly(_)));
}

/// A merge that ends after the task was cancelled does not restart it, and its workspace is still removed.
#[test]
fn m_9_a_task_that_was_cancelled_meanwhile_stays_cancelled() {
    let mut fixture = TaskFixture::landing();
    fixture.land(conflict());
    fixture.clean();
    fixture.accept(person(1), rebase());
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    meet(&mut fixture, clash());
    assert_eq!((fixture.state(), fixture.task.activity), ("cancelled", None));
    assert_eq!(fixture.outstanding(), ["clean_workspace"]);
}

#[test]
fn m_9_a_branch_that_contains_its_target_stays_in_its_state() {
    let mut fixture = TaskFixture::landing();
    fixture.land(conflict());
    fixture.clean();
    fixture.accept(person(1), rebase());
    meet(&mut fixture, RebaseResult::UpToDate { target: "main".to_owned() });
    assert_eq!(fixture.state(), "merge_failed");
    assert_eq!(fixture.outstanding(), ["clean_workspace"], "its state cleans up as before");
}

#[test]
fn m_10_a_landing_and_its_cleanup_are_recorded() {
    for (result, commit) in [(merged(), Some("beef")), (nothing_to_merge(), None)] {
        let mut fixture = TaskFixture::landing();
        fixture.land(result);
        let landed = fixture.task.post_landing.landed.as_ref().expect("it has landed");
        assert_eq!((landed.commit.as_deref(), landed.target.as_str()), (commit, "main"));
        assert_eq!(fixture.task.post_landing.cleaned, None);
        fixture.take("clean_workspace");
        let warnings = vec!["its files stayed".to_owned()];
        fixture.report(EffectReport::WorkspaceCleaned {
            branch_deleted: true,
            warnings: warnings.clone(),
        });
        let cleaned = fixture.task.post_landing.cleaned.as_ref().expect("it is told");
        assert_eq!((cleaned.branch, &cleaned.warnings), (true, &warnings));
    }
    let mut fixture = TaskFixture::landing();
    fixture.land(conflict());
    fixture.clean();
    assert_eq!(fixture.task.post_landing.landed, None);
    assert!(fixture.task.post_landing.cleaned.as_ref().is_some_and(|cleaned| !cleaned.branch));
    fixture.move_to("in_progress", None);
    fixture.prepare();
    assert_eq!(fixture.task.post_landing.cleaned, None, "it is there again");
}

fn reverting() -> CreateTask {
    let of = TaskFixture::of("default").task.id;
    CreateTask {
        origin: Some(OriginTask::Revert { of, commit: "beef".to_owned(), before: None }),
        ..new_task()
    }
}

fn new_revert(template: &str) -> TaskFixture {
    let asked = reverting();
    let mut fixture = TaskFixture::with(workflow(template), asked);
    assert_eq!(fixture.task.activity, Some(TaskActivity::Reverting));
    fixture.take("revert");
    fixture
}

fn place() -> Workspace {
    Workspace {
        path: "w".to_owned(),
        branch: "forge/revert".to_owned(),
        base: "base".to_owned(),
        status: WorkspaceStatus::Ready,
    }
}

#[test]
fn m_6_a_revert_begins_at_the_gate_with_its_work_done() {
    let mut fixture = new_revert("default");
    assert_eq!(fixture.state(), "review");
    let result = RevertResult::Clean { commit: "fade".to_owned() };
    fixture.report(EffectReport::Inverted { workspace: place(), result });
    assert_eq!(fixture.outstanding(), ["run_checks"]);
    fixture.checks(vec![passed()]);
    fixture.move_to("merging", None);
    fixture.land(merged());
    assert_eq!(fixture.state(), "done");
}

#[test]
fn m_9_a_conflicting_revert_is_parked_with_the_files_named() {
    let mut fixture = new_revert("default");
    let result = RevertResult::Conflict { files: vec!["src/a.rs".to_owned()], hunks: Vec::new() };
    fixture.report(EffectReport::Inverted { workspace: place(), result });
    assert_eq!((fixture.state(), fixture.task.activity), ("blocked", None));
    let trouble = fixture.task.annotation.as_ref().expect("it says why");
    assert_eq!(trouble.kind, AnnotationType::MergeConflict);
    assert_eq!(trouble.details["files"], serde_json::json!(["src/a.rs"]));
    assert!(fixture.task.workspace.is_some() && fixture.task.feedback.is_some());
}

#[test]
fn m_6_a_revert_needs_a_workflow_that_lands() {
    let mut definition = definition("session");
    definition.name = "talk".to_owned();
    let workflow = Workflow::compile(definition).expect("sound");
    let lands = workflow.states().any(|state| {
        use forge_domain::workflow::StateBehaviour::{Gate, Merge};
        matches!(state.behaviour, Gate { .. } | Merge { .. })
    });
    let envelope = CommandEnvelope {
        id: forge_domain::CommandId::new(crate::support::uuid(7)),
        at: forge_domain::Timestamp::from_millis(1),
        actor: person(1),
        command: reverting(),
    };
    let made = create(&workflow, &envelope);
    assert_eq!(made.err(), (!lands).then_some(Refusal::NoLandingState));
}

#[test]
fn m_10_only_a_landed_task_is_reverted_or_fixed() {
    let other = TaskFixture::of("default").task.id;
    let mut fixture = TaskFixture::landing();
    let early = fixture.consider(person(1), TaskCommand::Revert { by: other });
    assert!(matches!(early, Err(Refusal::NotLanded { .. })));
    fixture.land(merged());
    fixture.accept(person(1), TaskCommand::Revert { by: other });
    assert_eq!(fixture.task.post_landing.reverted_by, Some(other));
    let checks = vec![RegressionCheck { name: "build".to_owned(), url: None }];
    let said = |reason: &str| TaskCommand::Regress {
        reason: reason.to_owned(),
        checks: checks.clone(),
        fix: other,
    };
    assert!(fixture.consider(person(1), said(" ")).is_err(), "it has to say what");
    fixture.accept(machine(), said("it is slow"));
    assert_eq!(fixture.state(), "done");
    let trouble = fixture.task.annotation.as_ref().expect("it is told");
    assert_eq!(trouble.kind, AnnotationType::Regressed);
    assert_eq!(fixture.task.post_landing.verified, Some(VerificationResult::Failed));
    let told = |recorded: &forge_domain::RecordedEvent| matches!(&recorded.event, TaskEvent::TaskRegressed { regression } if regression.fix == other);
    assert!(fixture.recorded.iter().any(told));
}

#[test]
fn m_10_a_landing_is_verified_if_the_project_asks_for_it() {
    let mut fixture = TaskFixture::landing();
    fixture.facts.verifies_landings = true;
    fixture.land(merged());
    assert_eq!(fixture.outstanding(), ["clean_workspace", "verify_landing"]);
    fixture.take("verify_landing");
    fixture.report(EffectReport::LandingVerified { result: VerificationResult::Passed });
    assert_eq!(fixture.task.post_landing.verified, Some(VerificationResult::Passed));
}

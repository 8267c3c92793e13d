//! A branch that meets its target (M-9), and what follows a landing (M-10).

use crate::support::{
    Desk, conflict, definition, machine, merged, new_task, nothing_to_merge, passed, person,
    workflow,
};
use forge_domain::task::{
    Activity, AnnotationType, FailedCheck, Origin, Verified, Workspace, WorkspaceStatus,
};
use forge_domain::workflow::Workflow;
use forge_domain::{
    Command, Create, Effect, Envelope, Event, Inverted, Rebased, Refusal, Report, create,
};

fn rebase() -> Command {
    Command::Rebase { message: Some("mind the limit".to_owned()) }
}

/// Ends the merge of the target that is under way.
fn meet(desk: &mut Desk, result: Rebased) {
    let Effect::Rebase { visit, message } = desk.take("rebase").effect().clone() else {
        panic!("a rebase");
    };
    let known = desk.task.workspace.clone().expect("a workspace");
    let workspace = Workspace { status: WorkspaceStatus::Ready, ..known };
    desk.report(Report::Rebased { visit, workspace, result, message });
}

fn clash() -> Rebased {
    let files = vec!["src/a.rs".to_owned()];
    Rebased::Conflict { target: "main".to_owned(), files, hunks: Vec::new() }
}

#[test]
fn m_9_a_task_that_did_not_fit_goes_back_to_work_with_its_target_merged_in() {
    let mut desk = Desk::landing();
    desk.land(conflict());
    desk.clean();
    assert_eq!(desk.state(), "merge_failed");
    desk.accept(person(1), rebase());
    assert_eq!(desk.task.activity, Some(Activity::Rebasing));
    let again = desk.refuse(person(1), rebase());
    assert!(matches!(again, Refusal::WorkspaceLocked { .. }), "{again}");
    meet(&mut desk, clash());
    assert_eq!(desk.state(), "in_progress");
    assert_eq!(desk.outstanding(), ["prepare_workspace"]);
    assert_eq!(desk.task.annotation, None);
    let said = desk.task.feedback.clone().expect("the next prompt says so");
    assert!(said.contains("src/a.rs") && said.contains("marks"), "{said}");
    let run = desk.task.run.as_ref().expect("its coder goes on");
    let told = run.follow_up.as_ref().map(|follow_up| follow_up.message.clone());
    let told = told.unwrap_or_else(|| run.messages.join("\n"));
    assert!(told.contains("mind the limit"), "{told}");
}

#[test]
fn m_9_only_a_task_at_rest_with_a_workspace_can_be_rebased_and_only_by_people() {
    let refused = |desk: &Desk| desk.consider(person(1), rebase()).expect_err("it is refused");
    let new = Desk::of("default");
    assert!(matches!(refused(&new), Refusal::WorkspaceMissing { .. }));
    let works = Desk::working();
    assert!(matches!(refused(&works), Refusal::WorkspaceLocked { .. }), "its turn runs");
    assert!(matches!(refused(&Desk::in_review()), Refusal::WorkspaceLocked { .. }));
    let mut over = Desk::landing();
    over.land(merged());
    assert!(matches!(refused(&over), Refusal::TaskTerminal { .. }));
    let mut desk = Desk::landing();
    desk.land(conflict());
    let refusal = desk.consider(machine(), rebase()).expect_err("people only");
    assert!(matches!(refusal, Refusal::PeopleOnly(_)));
}

/// What was merged in after the task was called off does not wake it, and its workspace still goes.
#[test]
fn m_9_a_task_that_was_called_off_meanwhile_stays_called_off() {
    let mut desk = Desk::landing();
    desk.land(conflict());
    desk.clean();
    desk.accept(person(1), rebase());
    desk.accept(person(1), Command::Cancel { reason: None });
    meet(&mut desk, clash());
    assert_eq!((desk.state(), desk.task.activity), ("cancelled", None));
    assert_eq!(desk.outstanding(), ["clean_workspace"]);
}

#[test]
fn m_9_a_branch_that_has_all_of_it_stays_where_it_is() {
    let mut desk = Desk::landing();
    desk.land(conflict());
    desk.clean();
    desk.accept(person(1), rebase());
    meet(&mut desk, Rebased::UpToDate { target: "main".to_owned() });
    assert_eq!(desk.state(), "merge_failed");
    assert_eq!(desk.outstanding(), ["clean_workspace"], "its state cleans up as before");
}

#[test]
fn m_10_a_landing_says_what_it_is_and_what_was_taken_away() {
    for (result, commit) in [(merged(), Some("beef")), (nothing_to_merge(), None)] {
        let mut desk = Desk::landing();
        desk.land(result);
        let landed = desk.task.aftermath.landed.as_ref().expect("it has landed");
        assert_eq!((landed.commit.as_deref(), landed.target.as_str()), (commit, "main"));
        assert_eq!(desk.task.aftermath.cleaned, None);
        desk.take("clean_workspace");
        let warnings = vec!["its files stayed".to_owned()];
        desk.report(Report::WorkspaceCleaned { branch_deleted: true, warnings: warnings.clone() });
        let cleaned = desk.task.aftermath.cleaned.as_ref().expect("it is told");
        assert_eq!((cleaned.branch, &cleaned.warnings), (true, &warnings));
    }
    let mut desk = Desk::landing();
    desk.land(conflict());
    desk.clean();
    assert_eq!(desk.task.aftermath.landed, None);
    assert!(desk.task.aftermath.cleaned.as_ref().is_some_and(|cleaned| !cleaned.branch));
    desk.move_to("in_progress", None);
    desk.prepare();
    assert_eq!(desk.task.aftermath.cleaned, None, "it is there again");
}

fn reverting() -> Create {
    let of = Desk::of("default").task.id;
    Create { origin: Some(Origin::Revert { of, commit: "beef".to_owned() }), ..new_task() }
}

fn new_revert(template: &str) -> Desk {
    let asked = reverting();
    let mut desk = Desk::with(workflow(template), asked);
    assert_eq!(desk.task.activity, Some(Activity::Reverting));
    desk.take("revert");
    desk
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
    let mut desk = new_revert("default");
    assert_eq!(desk.state(), "review");
    let result = Inverted::Clean { commit: "fade".to_owned() };
    desk.report(Report::Inverted { workspace: place(), result });
    assert_eq!(desk.outstanding(), ["run_checks"]);
    desk.checks(vec![passed()]);
    desk.move_to("merging", None);
    desk.land(merged());
    assert_eq!(desk.state(), "done");
}

#[test]
fn m_9_a_revert_that_meets_later_work_waits_for_somebody_with_the_files_named() {
    let mut desk = new_revert("default");
    let result = Inverted::Conflict { files: vec!["src/a.rs".to_owned()], hunks: Vec::new() };
    desk.report(Report::Inverted { workspace: place(), result });
    assert_eq!((desk.state(), desk.task.activity), ("blocked", None));
    let trouble = desk.task.annotation.as_ref().expect("it says why");
    assert_eq!(trouble.kind, AnnotationType::MergeConflict);
    assert_eq!(trouble.details["files"], serde_json::json!(["src/a.rs"]));
    assert!(desk.task.workspace.is_some() && desk.task.feedback.is_some());
}

#[test]
fn m_6_a_revert_needs_a_workflow_that_lands() {
    let mut definition = definition("session");
    definition.name = "talk".to_owned();
    let workflow = Workflow::compile(definition).expect("sound");
    let lands = workflow.states().any(|state| {
        use forge_domain::workflow::Behaviour::{Gate, Merge};
        matches!(state.behaviour, Gate { .. } | Merge { .. })
    });
    let envelope = Envelope {
        id: forge_domain::CommandId::new(crate::support::uuid(7)),
        at: forge_domain::Timestamp::from_millis(1),
        actor: person(1),
        command: reverting(),
    };
    let made = create(&workflow, &envelope);
    assert_eq!(made.err(), (!lands).then_some(Refusal::NoWayToLand));
}

#[test]
fn m_10_only_what_landed_is_taken_back_or_mended() {
    let other = Desk::of("default").task.id;
    let mut desk = Desk::landing();
    let early = desk.consider(person(1), Command::Revert { by: other });
    assert!(matches!(early, Err(Refusal::NotLanded { .. })));
    desk.land(merged());
    desk.accept(person(1), Command::Revert { by: other });
    assert_eq!(desk.task.aftermath.reverted_by, Some(other));
    let checks = vec![FailedCheck { name: "build".to_owned(), url: None }];
    let said = |reason: &str| Command::Regress {
        reason: reason.to_owned(),
        checks: checks.clone(),
        fix: other,
    };
    assert!(desk.consider(person(1), said(" ")).is_err(), "it has to say what");
    desk.accept(machine(), said("it is slow"));
    assert_eq!(desk.state(), "done");
    let trouble = desk.task.annotation.as_ref().expect("it is told");
    assert_eq!(trouble.kind, AnnotationType::Regressed);
    assert_eq!(desk.task.aftermath.verified, Some(Verified::Failed));
    let told = |recorded: &forge_domain::Recorded| matches!(&recorded.event, Event::TaskRegressed { regression } if regression.fix == other);
    assert!(desk.recorded.iter().any(told));
}

#[test]
fn m_10_a_landing_is_watched_where_the_project_wants_it() {
    let mut desk = Desk::landing();
    desk.facts.verifies_landings = true;
    desk.land(merged());
    assert_eq!(desk.outstanding(), ["clean_workspace", "verify_landing"]);
    desk.take("verify_landing");
    desk.report(Report::LandingVerified { result: Verified::Passed });
    assert_eq!(desk.task.aftermath.verified, Some(Verified::Passed));
}

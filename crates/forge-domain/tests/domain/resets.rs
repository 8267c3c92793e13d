//! Replacing a workspace (W-9), and losing one (W-8).

use crate::support::{
    TaskFixture, agent_actor, by_agent, by_user, machine, merged, passed, person, turn, uuid,
    workspace,
};
use forge_domain::task::{AnnotationType, TaskActivity};
use forge_domain::{Actor, Effect, EffectReport, ExecutionEnding, Refusal, TaskCommand, TaskEvent};

/// A task parked because its workspace and branch are gone.
fn lost() -> TaskFixture {
    let mut fixture = TaskFixture::working();
    let visit = fixture.task.visit;
    fixture.take("run_execution");
    fixture.report(EffectReport::EffectFailed {
        visit,
        trouble: AnnotationType::WorkspaceResetRequired,
        message: "the worktree and its branch are gone".to_owned(),
        details: serde_json::Value::Null,
    });
    fixture
}

fn renew(fixture: &mut TaskFixture) {
    fixture.take("reset_workspace");
    let report =
        EffectReport::WorkspaceRenewed { workspace: workspace("new base"), warnings: vec![] };
    fixture.accept(machine(), TaskCommand::Report(report));
}

#[test]
fn w_8_a_lost_workspace_leaves_no_record_and_parks_the_task() {
    let fixture = lost();
    assert_eq!(fixture.task.workspace, None);
    assert_eq!(fixture.state(), "blocked");
    let trouble = fixture.task.annotation.as_ref().expect("it says why");
    assert_eq!(trouble.kind, AnnotationType::WorkspaceResetRequired);
}

#[test]
fn w_9_a_reset_deletes_the_record_clears_the_annotation_and_makes_the_task_claimable() {
    let mut fixture = lost();
    let decision = fixture.accept(person(1), TaskCommand::ResetWorkspace);
    assert_eq!(fixture.task.annotation, None);
    assert_eq!((fixture.state(), fixture.task.claimable), ("todo", true));
    assert_eq!(fixture.task.activity, Some(TaskActivity::Cleaning), "an answer waits for it");
    assert_eq!(decision.effects.len(), 1);
    renew(&mut fixture);
    assert_eq!(fixture.task.activity, None);
    assert_eq!(fixture.task.workspace.as_ref().expect("a new one").base, "new base");
    fixture.claim(by_agent(2));
    assert_eq!(fixture.state(), "in_progress");
}

#[test]
fn w_9_an_existing_workspace_is_replaced_and_the_gate_reset() {
    let mut fixture = TaskFixture::in_review();
    fixture.checks(vec![passed()]);
    assert!(fixture.task.review_passed_at.is_some());
    fixture.accept(person(1), TaskCommand::ResetWorkspace);
    assert_eq!((fixture.state(), fixture.task.review_passed_at), ("todo", None));
    renew(&mut fixture);
    let kinds: Vec<_> = fixture.recorded.iter().map(|recorded| recorded.event.kind().0).collect();
    let tail = &kinds[kinds.len() - 3..];
    assert_eq!(tail, ["workspace.cleaned", "workspace.reset", "workspace.created"]);
}

#[test]
fn w_9_a_reset_is_refused_while_the_workspace_is_in_use() {
    let reset = |fixture: &TaskFixture| fixture.consider(person(1), TaskCommand::ResetWorkspace);
    let locked = |fixture: &TaskFixture| match reset(fixture) {
        Err(Refusal::WorkspaceLocked { holder, .. }) => holder,
        other => panic!("{other:?}"),
    };
    assert!(locked(&TaskFixture::working()).contains("execution"));
    assert!(locked(&TaskFixture::in_review()).contains("review"));
    assert!(locked(&TaskFixture::landing()).contains("landing"));
    let mut mine = TaskFixture::of("default");
    mine.claim(by_user(1));
    mine.prepare();
    assert!(locked(&mine).contains("coder"), "a person who works there counts too");
    assert!(matches!(reset(&TaskFixture::of("default")), Err(Refusal::WorkspaceMissing { .. })));
    let mut ended = TaskFixture::landing();
    ended.land(merged());
    assert!(matches!(reset(&ended), Err(Refusal::TaskTerminal { .. })));
}

#[test]
fn w_9_only_people_reset() {
    let fixture = lost();
    let agent: Actor = agent_actor(1, forge_domain::ExecutionId::new(uuid(5)));
    let refused = fixture.consider(agent, TaskCommand::ResetWorkspace);
    assert!(matches!(refused, Err(Refusal::PeopleOnly(_))), "{refused:?}");
}

#[test]
fn w_9_a_claim_made_while_the_reset_is_under_way_gets_the_new_workspace() {
    let mut fixture = lost();
    fixture.accept(person(1), TaskCommand::ResetWorkspace);
    fixture.claim(by_agent(1));
    renew(&mut fixture);
    fixture.whole_turn(turn(ExecutionEnding::Exited { code: 0 }));
    assert_eq!(fixture.state(), "review");
}

#[test]
fn w_9_a_reset_that_fails_parks_the_task_again() {
    let mut fixture = lost();
    fixture.accept(person(1), TaskCommand::ResetWorkspace);
    let step = fixture.take("reset_workspace");
    fixture.report(EffectReport::EffectFailed {
        visit: step.visit,
        trouble: AnnotationType::WorkspaceError,
        message: "no space left".to_owned(),
        details: serde_json::Value::Null,
    });
    assert_eq!((fixture.state(), fixture.task.activity), ("blocked", None));
}

#[test]
fn w_8_a_recovered_workspace_emits_its_own_event() {
    let mut fixture = TaskFixture::working();
    let decision = fixture.report(EffectReport::WorkspaceRecovered);
    assert_eq!(decision.events.len(), 1);
    assert_eq!(decision.events[0].event, TaskEvent::WorkspaceRecovered);
}

#[test]
fn w_7_a_person_can_remove_a_worktree_early() {
    let mut fixture = TaskFixture::in_review();
    fixture.checks(vec![passed()]);
    fixture.accept(person(1), TaskCommand::CleanWorkspace);
    assert_eq!(
        fixture.take("clean_workspace").effect(),
        &Effect::CleanWorkspace { retire_branch: false }
    );
    fixture.report(EffectReport::WorkspaceCleaned { branch_deleted: false, warnings: vec![] });
    assert_eq!(fixture.state(), "review", "the task goes on");

    let mut fixture = TaskFixture::working();
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    fixture.stop();
    assert_eq!(fixture.steps.len(), 2, "the turn and, in a day, the removal");
    fixture.steps.retain(|step| step.effect().name() != "run_execution");
    fixture.accept(person(1), TaskCommand::CleanWorkspace);
    assert_eq!(fixture.steps.len(), 1, "the removal of tomorrow is the one of today");
    fixture.clean();
    let again = fixture.consider(person(1), TaskCommand::CleanWorkspace);
    assert!(matches!(again, Err(Refusal::WorkspaceMissing { .. })), "{again:?}");
    let refused = TaskFixture::working().consider(person(1), TaskCommand::CleanWorkspace);
    assert!(matches!(refused, Err(Refusal::WorkspaceLocked { .. })), "{refused:?}");
}

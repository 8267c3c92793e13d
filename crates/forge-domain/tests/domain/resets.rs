//! A fresh start for a workspace (W-9), and its loss (W-8).

use crate::support::{
    Desk, agent_actor, by_agent, by_user, machine, merged, passed, person, turn, uuid, workspace,
};
use forge_domain::task::{Activity, AnnotationType};
use forge_domain::{Actor, Command, Effect, Ending, Event, Refusal, Report};

/// A task parked because its workspace and branch are gone.
fn lost() -> Desk {
    let mut desk = Desk::working();
    let visit = desk.task.visit;
    desk.take("run_turn");
    desk.report(Report::StepFailed {
        visit,
        trouble: AnnotationType::WorkspaceResetRequired,
        message: "the worktree and its branch are gone".to_owned(),
        details: serde_json::Value::Null,
    });
    desk
}

fn renew(desk: &mut Desk) {
    desk.take("reset_workspace");
    let report = Report::WorkspaceRenewed { workspace: workspace("new base"), warnings: vec![] };
    desk.accept(machine(), Command::Report(report));
}

#[test]
fn w_8_a_lost_workspace_leaves_no_record_and_parks_the_task() {
    let desk = lost();
    assert_eq!(desk.task.workspace, None);
    assert_eq!(desk.state(), "blocked");
    let trouble = desk.task.annotation.as_ref().expect("it says why");
    assert_eq!(trouble.kind, AnnotationType::WorkspaceResetRequired);
}

#[test]
fn w_9_a_reset_deletes_the_record_clears_the_trouble_and_makes_the_task_claimable() {
    let mut desk = lost();
    let decision = desk.accept(person(1), Command::ResetWorkspace);
    assert_eq!(desk.task.annotation, None);
    assert_eq!((desk.state(), desk.task.claimable), ("todo", true));
    assert_eq!(desk.task.activity, Some(Activity::Cleaning), "an answer waits for it");
    assert_eq!(decision.effects.len(), 1);
    renew(&mut desk);
    assert_eq!(desk.task.activity, None);
    assert_eq!(desk.task.workspace.as_ref().expect("a new one").base, "new base");
    desk.claim(by_agent(2));
    assert_eq!(desk.state(), "in_progress");
}

#[test]
fn w_9_a_workspace_that_is_there_is_replaced_and_the_gate_forgotten() {
    let mut desk = Desk::in_review();
    desk.checks(vec![passed()]);
    assert!(desk.task.review_passed_at.is_some());
    desk.accept(person(1), Command::ResetWorkspace);
    assert_eq!((desk.state(), desk.task.review_passed_at), ("todo", None));
    renew(&mut desk);
    let kinds: Vec<_> = desk.recorded.iter().map(|recorded| recorded.event.kind().0).collect();
    let tail = &kinds[kinds.len() - 3..];
    assert_eq!(tail, ["workspace.cleaned", "workspace.reset", "workspace.created"]);
}

#[test]
fn w_9_while_somebody_works_there_a_reset_is_refused() {
    let reset = |desk: &Desk| desk.consider(person(1), Command::ResetWorkspace);
    let locked = |desk: &Desk| match reset(desk) {
        Err(Refusal::WorkspaceLocked { holder, .. }) => holder,
        other => panic!("{other:?}"),
    };
    assert!(locked(&Desk::working()).contains("execution"));
    assert!(locked(&Desk::in_review()).contains("review"));
    assert!(locked(&Desk::landing()).contains("landing"));
    let mut mine = Desk::of("default");
    mine.claim(by_user(1));
    mine.prepare();
    assert!(locked(&mine).contains("coder"), "a person who works there counts too");
    assert!(matches!(reset(&Desk::of("default")), Err(Refusal::WorkspaceMissing { .. })));
    let mut ended = Desk::landing();
    ended.land(merged());
    assert!(matches!(reset(&ended), Err(Refusal::TaskTerminal { .. })));
}

#[test]
fn w_9_only_people_reset() {
    let desk = lost();
    let agent: Actor = agent_actor(1, forge_domain::ExecutionId::new(uuid(5)));
    let refused = desk.consider(agent, Command::ResetWorkspace);
    assert!(matches!(refused, Err(Refusal::PeopleOnly(_))), "{refused:?}");
}

#[test]
fn w_9_a_claim_made_while_the_reset_is_under_way_gets_the_new_workspace() {
    let mut desk = lost();
    desk.accept(person(1), Command::ResetWorkspace);
    desk.claim(by_agent(1));
    renew(&mut desk);
    desk.whole_turn(turn(Ending::Exited { code: 0 }));
    assert_eq!(desk.state(), "review");
}

#[test]
fn w_9_a_reset_that_fails_parks_the_task_again() {
    let mut desk = lost();
    desk.accept(person(1), Command::ResetWorkspace);
    let step = desk.take("reset_workspace");
    desk.report(Report::StepFailed {
        visit: step.visit,
        trouble: AnnotationType::WorkspaceError,
        message: "no space left".to_owned(),
        details: serde_json::Value::Null,
    });
    assert_eq!((desk.state(), desk.task.activity), ("blocked", None));
}

#[test]
fn w_8_a_recovered_workspace_is_an_event_of_its_own() {
    let mut desk = Desk::working();
    let decision = desk.report(Report::WorkspaceRecovered);
    assert_eq!(decision.events.len(), 1);
    assert_eq!(decision.events[0].event, Event::WorkspaceRecovered);
}

#[test]
fn w_7_a_person_can_have_a_worktree_removed_before_its_time() {
    let mut desk = Desk::in_review();
    desk.checks(vec![passed()]);
    desk.accept(person(1), Command::CleanWorkspace);
    assert_eq!(
        desk.take("clean_workspace").effect(),
        &Effect::CleanWorkspace { retire_branch: false }
    );
    desk.report(Report::WorkspaceCleaned { branch_deleted: false, warnings: vec![] });
    assert_eq!(desk.state(), "review", "the task goes on");

    let mut desk = Desk::working();
    desk.accept(person(1), Command::Cancel { reason: None });
    desk.stop();
    assert_eq!(desk.steps.len(), 2, "the turn and, in a day, the removal");
    desk.steps.retain(|step| step.effect().name() != "run_turn");
    desk.accept(person(1), Command::CleanWorkspace);
    assert_eq!(desk.steps.len(), 1, "the removal of tomorrow is the one of today");
    desk.clean();
    let again = desk.consider(person(1), Command::CleanWorkspace);
    assert!(matches!(again, Err(Refusal::WorkspaceMissing { .. })), "{again:?}");
    let refused = Desk::working().consider(person(1), Command::CleanWorkspace);
    assert!(matches!(refused, Err(Refusal::WorkspaceLocked { .. })), "{refused:?}");
}

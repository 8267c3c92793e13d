//! The course of an execution (E-6, E-12) and of failing effects.

use crate::support::{EffectStage, TaskFixture, by_agent, passed, turn, workflow};
use forge_domain::task::{AnnotationType, TaskActivity, WorkspaceStatus};
use forge_domain::{Effect, EffectReport, ExecutionEnding, ExecutionResult, TaskEvent};

const DONE: ExecutionEnding = ExecutionEnding::Exited { code: 0 };

fn last_move(fixture: &TaskFixture) -> (String, String, Option<String>) {
    let found = fixture.recorded.iter().rev().find_map(|recorded| match &recorded.event {
        TaskEvent::TaskTransitioned { from, to, reason, .. } => {
            Some((from.to_string(), to.to_string(), reason.clone()))
        }
        _ => None,
    });
    found.expect("the task has moved")
}

fn annotation(fixture: &TaskFixture) -> Option<AnnotationType> {
    fixture.task.annotation.as_ref().map(|annotation| annotation.kind)
}

#[test]
fn e_6_a_finished_execution_follows_the_done_edge() {
    let mut fixture = TaskFixture::working();
    fixture.end_turn(turn(DONE));
    assert_eq!(last_move(&fixture), ("in_progress".to_owned(), "review".to_owned(), None));
    assert_eq!(fixture.task.holder, Some(by_agent(1)), "T-5: who handed it in");
}

#[test]
fn e_6_no_change_at_all_is_a_recorded_result() {
    let mut fixture = TaskFixture::working();
    fixture.end_turn(ExecutionResult { changed: false, ..turn(DONE) });
    assert_eq!(last_move(&fixture).2.as_deref(), Some("no_changes"));
}

#[test]
fn e_6_a_failing_agent_follows_the_failed_edge_with_evidence() {
    let cases = [
        (ExecutionEnding::Exited { code: 3 }, "code 3"),
        (ExecutionEnding::Signalled { signal: 9 }, "signal 9"),
        (ExecutionEnding::TimedOut, "time limit"),
    ];
    for (ending, said) in cases {
        let mut fixture = TaskFixture::working();
        fixture.end_turn(turn(ending));
        assert_eq!(fixture.state(), "blocked");
        assert_eq!(annotation(&fixture), Some(AnnotationType::ExecutionFailed));
        let annotation = fixture.task.annotation.clone().expect("noted");
        assert!(annotation.message.contains(said), "{}", annotation.message);
        assert_eq!(annotation.details["output_tail"], "last words");
        assert_eq!((fixture.task.run.clone(), fixture.task.activity), (None, None));
        assert_eq!(fixture.task.holder, None, "nothing was handed in");
    }
}

/// An execution may end before its start was reported.
#[test]
fn e_12_an_execution_that_ends_before_its_start_report_counts() {
    let mut fixture = TaskFixture::of("default");
    fixture.claim(by_agent(1));
    fixture.prepare();
    fixture.end_turn(turn(DONE));
    assert_eq!(fixture.state(), "review");
}

#[test]
fn e_12_a_lost_execution_is_restarted_a_bounded_number_of_times() {
    let mut fixture = TaskFixture::of("default");
    fixture.claim(by_agent(1));
    let mut executions = std::collections::BTreeSet::new();
    for _ in 0..10 {
        assert_eq!(fixture.state(), "in_progress");
        assert!(
            executions.insert(fixture.execution().uuid()),
            "each try is an execution of its own"
        );
        fixture.whole_turn(ExecutionResult::without_work(ExecutionEnding::Lost));
    }
    assert_eq!(fixture.state(), "blocked");
    assert_eq!(annotation(&fixture), Some(AnnotationType::ExecutionLost));
    assert!(fixture.outstanding().is_empty());
    fixture.move_to("in_progress", None);
    assert_eq!(fixture.task.lost_runs, 0, "a person's move is a new chance");
}

#[test]
fn e_12_a_lost_reviewer_is_asked_again() {
    let mut fixture = TaskFixture::in_review();
    fixture.accept(
        crate::support::person(1),
        forge_domain::TaskCommand::Assign {
            role: crate::support::role("reviewer"),
            assignee: by_agent(2),
            reset: forge_domain::ResetScope::Nothing,
        },
    );
    fixture.checks(vec![passed()]);
    let (review, attempts) = (fixture.task.review, fixture.task.attempts);
    fixture.whole_turn(ExecutionResult::without_work(ExecutionEnding::Lost));
    assert_eq!(
        (fixture.state(), fixture.task.review, fixture.task.attempts),
        ("review", review, attempts)
    );
    assert_eq!(fixture.outstanding(), ["prepare_workspace"]);
}

#[test]
fn t_14_a_work_state_without_a_role_holder_parks_the_task() {
    let mut fixture = TaskFixture::of("default");
    fixture.move_to("blocked", None);
    fixture.move_to("in_progress", None);
    assert_eq!(fixture.state(), "blocked");
    assert_eq!(annotation(&fixture), Some(AnnotationType::RoleUnassigned));
}

#[test]
fn m_1_an_effect_that_fails_for_good_parks_the_task() {
    let mut fixture = TaskFixture::of("default");
    fixture.claim(by_agent(1));
    fixture.take("prepare_workspace");
    let visit = fixture.task.visit;
    let failing = |visit| EffectReport::EffectFailed {
        visit,
        trouble: AnnotationType::WorkspaceCorrupted,
        message: "the worktree points elsewhere".to_owned(),
        details: serde_json::json!({ "found": "x" }),
    };
    let before = fixture.task.clone();
    assert!(fixture.report(failing(visit - 1)).events.is_empty(), "of an earlier visit");
    assert_eq!(fixture.task, before);
    fixture.report(failing(visit));
    assert_eq!(fixture.state(), "blocked");
    assert_eq!(annotation(&fixture), Some(AnnotationType::WorkspaceCorrupted));
    assert_eq!((fixture.task.run.clone(), fixture.task.activity), (None, None));
}

#[test]
fn w_7_a_failed_cleanup_marks_the_workspace_and_reverses_nothing() {
    let mut fixture = TaskFixture::landing();
    fixture.land(crate::support::merged());
    fixture.report(EffectReport::CleaningFailed { error: "busy".to_owned() });
    assert_eq!(fixture.state(), "done");
    let status =
        |fixture: &TaskFixture| fixture.task.workspace.as_ref().map(|workspace| workspace.status);
    assert_eq!((status(&fixture), fixture.task.activity), (Some(WorkspaceStatus::Error), None));
    fixture.clean();
    assert_eq!(status(&fixture), Some(WorkspaceStatus::Cleaned));
}

#[test]
fn t_12_the_end_of_a_stopped_execution_moves_nothing() {
    let mut fixture = TaskFixture::working();
    fixture.steps[0].stage = EffectStage::Begun;
    fixture.move_to("todo", None);
    let execution = fixture.execution();
    fixture.stop();
    assert_eq!(
        (fixture.state(), fixture.task.run.clone(), fixture.task.activity),
        ("todo", None, None)
    );
    let late = fixture.report(EffectReport::RunEnded { execution, result: turn(DONE) });
    assert!(late.events.is_empty(), "its end is no news");
}

/// The report of a stopped execution may arrive after the next one has started.
#[test]
fn t_7_the_late_end_of_an_old_execution_does_not_end_the_new_one() {
    let mut fixture = TaskFixture::working();
    let old = fixture.execution();
    fixture.move_to("todo", None);
    fixture.stop();
    fixture.claim(by_agent(2));
    let before = fixture.task.clone();
    assert_ne!(fixture.execution(), old);
    for ending in
        [DONE, ExecutionEnding::Exited { code: 1 }, ExecutionEnding::Lost, ExecutionEnding::Stopped]
    {
        let late = fixture.report(EffectReport::RunEnded { execution: old, result: turn(ending) });
        assert!(late.events.is_empty() && late.effects.is_empty(), "{ending:?}");
    }
    assert_eq!(fixture.task, before);
}

#[test]
fn t_20_the_next_claim_starts_after_the_old_execution_has_ended() {
    let mut fixture = TaskFixture::working();
    fixture.steps[0].stage = EffectStage::Begun;
    fixture.move_to("todo", None);
    assert!(fixture.is_stopping(), "two runs never share a workspace");
    let refusal = fixture.refuse(
        crate::support::person(1),
        forge_domain::TaskCommand::Claim { claimer: by_agent(2) },
    );
    assert_eq!(refusal, forge_domain::Refusal::ExecutionEnding, "who asks over HTTP waits");
    assert_eq!(fixture.outstanding(), ["run_execution", "stop"]);
    fixture.end_turn(turn(ExecutionEnding::Stopped));
    fixture.stop();
    fixture.claim(by_agent(2));
    assert_eq!(fixture.state(), "in_progress");
    assert!(matches!(fixture.task.activity, Some(TaskActivity::Preparing { .. })));
    assert_eq!(fixture.task.run.as_ref().map(|run| run.assignee), Some(by_agent(2)));
}

#[test]
fn f_4_each_shipped_workflow_can_succeed() {
    for (template, end) in [
        ("no-review", "done"),
        ("ordered-turn", "done"),
        ("session", "ended"),
        ("run", "completed"),
        ("triage", "answered"),
        ("autopilot", "done"),
    ] {
        let mut fixture = TaskFixture::with(workflow(template), crate::support::new_task());
        fixture.claim(by_agent(1));
        fixture.whole_turn(turn(DONE));
        if fixture.outstanding() == ["run_checks"] {
            fixture.checks(vec![passed()]);
        }
        if fixture.outstanding() == ["land"] {
            fixture.land(crate::support::merged());
        }
        assert_eq!(fixture.state(), end, "{template}");
        assert_eq!(fixture.outstanding(), ["clean_workspace"], "{template}");
    }
}

#[test]
fn w_13_the_agent_starts_after_the_setup_and_not_before() {
    let mut fixture = TaskFixture::claimed();
    let made = fixture.made();
    let wanted: Vec<_> = made.effects.iter().map(|planned| planned.effect.name()).collect();
    assert_eq!(wanted, ["set_up_workspace"]);
    assert!(
        fixture.task.workspace.is_some(),
        "it is on record before anything of the project's runs"
    );
    let ended = fixture.end_setup(false);
    let wanted: Vec<_> = ended.effects.iter().map(|planned| planned.effect.name()).collect();
    assert_eq!(wanted, ["run_execution"]);
}

#[test]
fn w_13_a_failed_setup_parks_the_task_and_keeps_its_workspace() {
    let mut fixture = TaskFixture::claimed();
    fixture.made();
    let step = fixture.take("set_up_workspace");
    fixture.report(EffectReport::EffectFailed {
        visit: step.visit,
        trouble: AnnotationType::SetupFailed,
        message: "npm ci exited with code 1".to_owned(),
        details: serde_json::Value::Null,
    });
    assert_eq!(fixture.state(), "blocked");
    assert_eq!(annotation(&fixture), Some(AnnotationType::SetupFailed));
    assert_eq!((fixture.task.run.clone(), fixture.task.activity), (None, None));
    assert!(fixture.task.workspace.is_some());
    assert!(fixture.outstanding().is_empty(), "no agent starts: {:?}", fixture.outstanding());
}

#[test]
fn w_13_a_stopped_setup_starts_no_agent() {
    let mut fixture = TaskFixture::claimed();
    fixture.made();
    let step = fixture.take("set_up_workspace");
    fixture.move_to("blocked", None);
    let Effect::SetUpWorkspace { execution } = *step.effect() else { unreachable!() };
    let ended = fixture.report(EffectReport::SetupEnded { execution, stopped: true });
    assert!(ended.effects.is_empty(), "{:?}", ended.effects);
}

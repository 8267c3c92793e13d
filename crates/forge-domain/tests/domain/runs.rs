//! The course of an execution (E-6, E-12) and of steps that fail.

use crate::support::{Desk, Stage, by_agent, passed, turn, workflow};
use forge_domain::task::{Activity, AnnotationType, WorkspaceStatus};
use forge_domain::{Effect, Ending, Event, Report, RunResult};

const DONE: Ending = Ending::Exited { code: 0 };

fn last_move(desk: &Desk) -> (String, String, Option<String>) {
    let found = desk.recorded.iter().rev().find_map(|recorded| match &recorded.event {
        Event::TaskTransitioned { from, to, reason, .. } => {
            Some((from.to_string(), to.to_string(), reason.clone()))
        }
        _ => None,
    });
    found.expect("the task has moved")
}

fn annotation(desk: &Desk) -> Option<AnnotationType> {
    desk.task.annotation.as_ref().map(|annotation| annotation.kind)
}

#[test]
fn e_6_a_finished_turn_advances_by_the_done_edge() {
    let mut desk = Desk::working();
    desk.end_turn(turn(DONE));
    assert_eq!(last_move(&desk), ("in_progress".to_owned(), "review".to_owned(), None));
    assert_eq!(desk.task.holder, Some(by_agent(1)), "T-5: who handed it in");
}

#[test]
fn e_6_no_change_at_all_is_a_recorded_result() {
    let mut desk = Desk::working();
    desk.end_turn(RunResult { changed: false, ..turn(DONE) });
    assert_eq!(last_move(&desk).2.as_deref(), Some("no_changes"));
}

#[test]
fn e_6_a_failing_agent_follows_the_failed_edge_with_evidence() {
    let cases = [
        (Ending::Exited { code: 3 }, "code 3"),
        (Ending::Signalled { signal: 9 }, "signal 9"),
        (Ending::TimedOut, "time limit"),
    ];
    for (ending, said) in cases {
        let mut desk = Desk::working();
        desk.end_turn(turn(ending));
        assert_eq!(desk.state(), "blocked");
        assert_eq!(annotation(&desk), Some(AnnotationType::ExecutionFailed));
        let annotation = desk.task.annotation.clone().expect("noted");
        assert!(annotation.message.contains(said), "{}", annotation.message);
        assert_eq!(annotation.details["output_tail"], "last words");
        assert_eq!((desk.task.run.clone(), desk.task.activity), (None, None));
        assert_eq!(desk.task.holder, None, "nothing was handed in");
    }
}

/// A turn may end before its start was ever reported.
#[test]
fn e_12_a_turn_that_ends_before_it_was_seen_to_run_counts() {
    let mut desk = Desk::of("default");
    desk.claim(by_agent(1));
    desk.prepare();
    desk.end_turn(turn(DONE));
    assert_eq!(desk.state(), "review");
}

#[test]
fn e_12_a_lost_run_is_begun_again_a_bounded_number_of_times() {
    let mut desk = Desk::of("default");
    desk.claim(by_agent(1));
    let mut executions = std::collections::BTreeSet::new();
    for _ in 0..10 {
        assert_eq!(desk.state(), "in_progress");
        assert!(executions.insert(desk.execution().uuid()), "each try is an execution of its own");
        desk.whole_turn(RunResult::bare(Ending::Lost));
    }
    assert_eq!(desk.state(), "blocked");
    assert_eq!(annotation(&desk), Some(AnnotationType::ExecutionLost));
    assert!(desk.outstanding().is_empty());
    desk.move_to("in_progress", None);
    assert_eq!(desk.task.lost_runs, 0, "a person's move is a new chance");
}

#[test]
fn e_12_a_lost_reviewer_is_asked_again() {
    let mut desk = Desk::in_review();
    desk.accept(
        crate::support::person(1),
        forge_domain::Command::Assign {
            role: crate::support::role("reviewer"),
            assignee: by_agent(2),
            reset: forge_domain::Reset::Nothing,
        },
    );
    desk.checks(vec![passed()]);
    let (review, attempts) = (desk.task.review, desk.task.attempts);
    desk.whole_turn(RunResult::bare(Ending::Lost));
    assert_eq!((desk.state(), desk.task.review, desk.task.attempts), ("review", review, attempts));
    assert_eq!(desk.outstanding(), ["prepare_workspace"]);
}

#[test]
fn t_14_a_work_state_that_nobody_holds_parks_the_task() {
    let mut desk = Desk::of("default");
    desk.move_to("blocked", None);
    desk.move_to("in_progress", None);
    assert_eq!(desk.state(), "blocked");
    assert_eq!(annotation(&desk), Some(AnnotationType::RoleUnassigned));
}

#[test]
fn m_1_a_step_that_fails_for_good_parks_the_task_with_its_trouble() {
    let mut desk = Desk::of("default");
    desk.claim(by_agent(1));
    desk.take("prepare_workspace");
    let visit = desk.task.visit;
    let failing = |visit| Report::StepFailed {
        visit,
        trouble: AnnotationType::WorkspaceCorrupted,
        message: "the worktree points elsewhere".to_owned(),
        details: serde_json::json!({ "found": "x" }),
    };
    let before = desk.task.clone();
    assert!(desk.report(failing(visit - 1)).events.is_empty(), "of an earlier visit");
    assert_eq!(desk.task, before);
    desk.report(failing(visit));
    assert_eq!(desk.state(), "blocked");
    assert_eq!(annotation(&desk), Some(AnnotationType::WorkspaceCorrupted));
    assert_eq!((desk.task.run.clone(), desk.task.activity), (None, None));
}

#[test]
fn w_7_a_failed_cleanup_marks_the_workspace_and_reverses_nothing() {
    let mut desk = Desk::landing();
    desk.land(crate::support::merged());
    desk.report(Report::CleaningFailed { error: "busy".to_owned() });
    assert_eq!(desk.state(), "done");
    let status = |desk: &Desk| desk.task.workspace.as_ref().map(|workspace| workspace.status);
    assert_eq!((status(&desk), desk.task.activity), (Some(WorkspaceStatus::Error), None));
    desk.clean();
    assert_eq!(status(&desk), Some(WorkspaceStatus::Cleaned));
}

#[test]
fn t_12_the_end_of_a_stopped_turn_moves_nothing() {
    let mut desk = Desk::working();
    desk.steps[0].stage = Stage::Begun;
    desk.move_to("todo", None);
    let execution = desk.execution();
    desk.stop();
    assert_eq!((desk.state(), desk.task.run.clone(), desk.task.activity), ("todo", None, None));
    let late = desk.report(Report::RunEnded { execution, result: turn(DONE) });
    assert!(late.events.is_empty(), "its end is no news");
}

/// The report of a run that was stopped may come when the next one has begun.
#[test]
fn t_7_the_late_end_of_an_old_run_does_not_end_the_new_one() {
    let mut desk = Desk::working();
    let old = desk.execution();
    desk.move_to("todo", None);
    desk.stop();
    desk.claim(by_agent(2));
    let before = desk.task.clone();
    assert_ne!(desk.execution(), old);
    for ending in [DONE, Ending::Exited { code: 1 }, Ending::Lost, Ending::Stopped] {
        let late = desk.report(Report::RunEnded { execution: old, result: turn(ending) });
        assert!(late.events.is_empty() && late.effects.is_empty(), "{ending:?}");
    }
    assert_eq!(desk.task, before);
}

#[test]
fn t_20_the_next_claim_begins_after_the_old_run_is_gone() {
    let mut desk = Desk::working();
    desk.steps[0].stage = Stage::Begun;
    desk.move_to("todo", None);
    assert!(desk.is_stopping(), "two runs never share a workspace");
    let refusal = desk
        .refuse(crate::support::person(1), forge_domain::Command::Claim { claimer: by_agent(2) });
    assert_eq!(refusal, forge_domain::Refusal::AlreadyClaimed);
    assert_eq!(desk.outstanding(), ["run_turn", "stop"]);
    desk.end_turn(turn(Ending::Stopped));
    desk.stop();
    desk.claim(by_agent(2));
    assert_eq!(desk.state(), "in_progress");
    assert!(matches!(desk.task.activity, Some(Activity::Preparing { .. })));
    assert_eq!(desk.task.run.as_ref().map(|run| run.assignee), Some(by_agent(2)));
}

#[test]
fn f_4_each_shipped_workflow_comes_to_a_good_end() {
    for (template, end) in [
        ("no-review", "done"),
        ("ordered-turn", "done"),
        ("session", "ended"),
        ("run", "completed"),
        ("triage", "answered"),
        ("autopilot", "done"),
    ] {
        let mut desk = Desk::with(workflow(template), crate::support::new_task());
        desk.claim(by_agent(1));
        desk.whole_turn(turn(DONE));
        if desk.outstanding() == ["run_checks"] {
            desk.checks(vec![passed()]);
        }
        if desk.outstanding() == ["land"] {
            desk.land(crate::support::merged());
        }
        assert_eq!(desk.state(), end, "{template}");
        assert_eq!(desk.outstanding(), ["clean_workspace"], "{template}");
    }
}

#[test]
fn w_13_the_agent_starts_after_the_setup_and_not_before() {
    let mut desk = Desk::claimed();
    let made = desk.made();
    let wanted: Vec<_> = made.effects.iter().map(|planned| planned.effect.name()).collect();
    assert_eq!(wanted, ["set_up_workspace"]);
    assert!(desk.task.workspace.is_some(), "it is on record before anything of the project's runs");
    let ended = desk.end_setup(false);
    let wanted: Vec<_> = ended.effects.iter().map(|planned| planned.effect.name()).collect();
    assert_eq!(wanted, ["run_turn"]);
}

#[test]
fn w_13_a_failed_setup_parks_the_task_and_keeps_its_workspace() {
    let mut desk = Desk::claimed();
    desk.made();
    let step = desk.take("set_up_workspace");
    desk.report(Report::StepFailed {
        visit: step.visit,
        trouble: AnnotationType::SetupFailed,
        message: "npm ci exited with code 1".to_owned(),
        details: serde_json::Value::Null,
    });
    assert_eq!(desk.state(), "blocked");
    assert_eq!(annotation(&desk), Some(AnnotationType::SetupFailed));
    assert_eq!((desk.task.run.clone(), desk.task.activity), (None, None));
    assert!(desk.task.workspace.is_some());
    assert!(desk.outstanding().is_empty(), "no agent starts: {:?}", desk.outstanding());
}

#[test]
fn w_13_a_setup_that_was_cut_short_starts_nobody() {
    let mut desk = Desk::claimed();
    desk.made();
    let step = desk.take("set_up_workspace");
    desk.move_to("blocked", None);
    let Effect::SetUpWorkspace { execution } = *step.effect() else { unreachable!() };
    let ended = desk.report(Report::SetupEnded { execution, stopped: true });
    assert!(ended.effects.is_empty(), "{:?}", ended.effects);
}

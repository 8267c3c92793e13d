//! The planner of a task directs its subtasks (S-6), and its last answer is the plan.

use crate::support::{
    TaskFixture, agent_actor, by_agent, by_user, new_task, passed, person, role, turn, uuid,
    workflow,
};
use forge_domain::task::{AnnotationType, MergeConfig};
use forge_domain::{
    Actor, CreateTask, ExecutionEnding, ExecutionId, ExecutionResult, PlannerFacts, Refusal,
    ResetScope, TaskCommand,
};

const DONE: ExecutionEnding = ExecutionEnding::Exited { code: 0 };

/// The execution of the parent's planner.
fn planner() -> Actor {
    agent_actor(9, ExecutionId::new(uuid(90)))
}

fn directed_by(branch: Option<&str>) -> Option<PlannerFacts> {
    Some(PlannerFacts { branch: branch.map(str::to_owned) })
}

/// A subtask that lands on its parent's branch, and the facts that make the actor its planner.
fn subtask() -> TaskFixture {
    let merge_config =
        MergeConfig { target_branch: Some("forge/1-parent".to_owned()), ..new_task().merge_config };
    let asked = CreateTask { merge_config, ..new_task() };
    let mut fixture = TaskFixture::with(workflow("default"), asked);
    fixture.facts.planner = directed_by(Some("forge/1-parent"));
    fixture
}

#[test]
fn s_6_a_planner_starts_steers_stops_restarts_fails_and_cleans_a_subtask() {
    let mut fixture = subtask();
    fixture.accept(planner(), TaskCommand::Claim { claimer: by_agent(1) });
    fixture.prepare();
    fixture.start();
    let execution = fixture.execution();
    let message = "use spaces".to_owned();
    fixture.accept(planner(), TaskCommand::Steer { execution, message, live: false });
    let reason = Some("it loops".to_owned());
    fixture.accept(planner(), TaskCommand::StopRun { execution, reason });
    fixture.stop();
    let trouble = fixture.task.annotation.clone().expect("it is stopped");
    assert_eq!(trouble.kind, AnnotationType::Stopped);
    assert!(trouble.message.contains("stopped by its planner: it loops"), "{}", trouble.message);
    fixture.accept(planner(), TaskCommand::Restart { execution });
    fixture.prepare();
    fixture.start();
    let execution = fixture.execution();
    fixture.accept(planner(), TaskCommand::MarkFailed { execution, reason: None });
    fixture.stop();
    assert_eq!(fixture.state(), "blocked");
    fixture.accept(planner(), TaskCommand::CleanWorkspace);
}

#[test]
fn s_6_a_planner_lands_a_passed_subtask_on_its_parents_branch_only() {
    for (branch, lands) in [(Some("forge/1-parent"), true), (Some("main"), false), (None, false)] {
        let mut fixture = subtask();
        fixture.claim(by_agent(1));
        fixture.whole_turn(turn(DONE));
        fixture.facts.planner = directed_by(branch);
        let early = fixture.refuse(planner(), fixture.moving("merging", None));
        assert!(!lands || matches!(early, Refusal::ReviewNotPassed { .. }), "{early}");
        fixture.checks(vec![passed()]);
        let landing = fixture.moving("merging", None);
        let landed = fixture.consider(planner(), landing);
        assert_eq!(landed.is_ok(), lands, "{branch:?}: {landed:?}");
        for other in ["todo", "in_progress", "blocked", "backlog", "cancelled"] {
            fixture.refuse(planner(), fixture.moving(other, None));
        }
    }
}

#[test]
fn s_6_a_planner_reassigns_cancels_approves_answers_and_resets_nothing() {
    let mut fixture = subtask();
    fixture.claim(by_agent(1));
    fixture.whole_turn(turn(DONE));
    fixture.checks(vec![passed()]);
    let (role, assignee, reset) = (role("coder"), by_agent(2), ResetScope::Nothing);
    let reason = Some("good".to_owned());
    for command in [
        TaskCommand::Assign { role, assignee, reset },
        TaskCommand::Cancel { reason: None },
        TaskCommand::Approve { attempt: 1, reason },
        TaskCommand::Reject { attempt: 1, reason: "bad".to_owned() },
        TaskCommand::ResetWorkspace,
        TaskCommand::Rebase { message: None },
        TaskCommand::Claim { claimer: by_user(1) },
    ] {
        let refused = fixture.refuse(planner(), command);
        assert!(matches!(refused, Refusal::PeopleOnly(_)), "{refused}");
    }
}

/// Without the facts of a planner, an agent directs no execution.
#[test]
fn s_6_another_agent_directs_nothing() {
    let mut fixture = subtask();
    fixture.facts.planner = None;
    fixture.claim(by_agent(1));
    fixture.prepare();
    fixture.start();
    let execution = fixture.execution();
    let message = "use spaces".to_owned();
    for command in [
        TaskCommand::Steer { execution, message, live: false },
        TaskCommand::StopRun { execution, reason: None },
        TaskCommand::Restart { execution },
        TaskCommand::MarkFailed { execution, reason: None },
        TaskCommand::CleanWorkspace,
    ] {
        let refused = fixture.refuse(planner(), command);
        assert!(matches!(refused, Refusal::PeopleOnly(_)), "{refused}");
    }
}

#[test]
fn s_6_the_last_answer_of_the_planner_is_the_plan() {
    let mut fixture = TaskFixture::of("default");
    for (name, agent) in [("planner", 9), ("coder", 1)] {
        let (role, assignee) = (role(name), by_agent(agent));
        let reset = ResetScope::Nothing;
        fixture.accept(person(1), TaskCommand::Assign { role, assignee, reset });
    }
    fixture.claim(by_agent(1));
    let first = fixture.task.run.clone().expect("it runs");
    assert_eq!(first.role.as_str(), "planner", "the planner works first");
    let said = |tail: &str| ExecutionResult { tail: tail.to_owned(), ..turn(DONE) };
    fixture.whole_turn(said("1. parse\n2. test\n"));
    assert_eq!(fixture.task.plan.as_deref(), Some("1. parse\n2. test"));
    fixture.whole_turn(said("done"));
    assert_eq!(fixture.task.plan.as_deref(), Some("1. parse\n2. test"), "the coder plans nothing");
}

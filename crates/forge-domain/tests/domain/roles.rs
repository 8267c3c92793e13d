//! Assigning roles (T-14).

use crate::support::{
    EffectStage, TaskFixture, agent_actor, by_agent, by_user, machine, passed, person, role, turn,
};
use forge_domain::task::TaskActivity;
use forge_domain::{
    Assignee, Effect, ExecutionEnding, Refusal, ResetScope, TaskCommand, TaskEvent,
};

fn assign(to: &str, assignee: Assignee, reset: ResetScope) -> TaskCommand {
    TaskCommand::Assign { role: role(to), assignee, reset }
}

#[test]
fn t_14_another_role_is_assigned_during_any_activity() {
    for mut fixture in [
        TaskFixture::of("default"),
        TaskFixture::working(),
        TaskFixture::in_review(),
        TaskFixture::landing(),
    ] {
        let (state, activity) = (fixture.state().to_owned(), fixture.task.activity);
        let outstanding = fixture.outstanding();
        for assignee in [by_agent(3), by_user(2)] {
            let decision =
                fixture.accept(person(1), assign("reviewer", assignee, ResetScope::Nothing));
            assert_eq!(fixture.task.roles[&role("reviewer")], assignee);
            assert!(decision.effects.is_empty() && !decision.supersedes);
        }
        assert_eq!((fixture.state(), fixture.task.activity), (state.as_str(), activity));
        assert_eq!(fixture.outstanding(), outstanding);
    }
}

#[test]
fn t_14_a_new_coder_stops_the_execution_and_returns_the_task_to_the_queue() {
    let mut fixture = TaskFixture::working();
    let execution = fixture.execution();
    let decision = fixture.accept(person(1), assign("coder", by_agent(2), ResetScope::Nothing));
    assert_eq!(fixture.state(), "todo");
    assert!(fixture.task.claimable);
    assert_eq!(fixture.task.activity, Some(TaskActivity::Stopping { mark: execution.uuid() }));
    assert_eq!(fixture.task.roles[&role("coder")], by_agent(2));
    let wanted: Vec<_> = decision.effects.iter().map(|planned| planned.effect.clone()).collect();
    assert_eq!(wanted, [Effect::Stop { mark: execution.uuid() }]);
    fixture.end_turn(turn(ExecutionEnding::Stopped));
    fixture.stop();
    assert_eq!((fixture.state(), fixture.task.activity), ("todo", None));
    assert!(fixture.outstanding().is_empty(), "no agent claims by itself");
}

#[test]
fn t_14_a_new_coder_clears_the_gates_pass() {
    let mut fixture = TaskFixture::in_review();
    fixture.checks(vec![passed()]);
    assert!(fixture.task.review_passed_at.is_some());
    fixture.accept(person(1), assign("coder", by_user(2), ResetScope::Nothing));
    assert_eq!((fixture.state(), fixture.task.review_passed_at), ("todo", None));
}

#[test]
fn t_14_a_new_coder_in_the_middle_of_a_review_ends_it_undecided() {
    let mut fixture = TaskFixture::in_review();
    let review = fixture.task.review.expect("a review is open");
    let decision = fixture.accept(person(1), assign("coder", by_agent(2), ResetScope::Nothing));
    let finished = TaskEvent::ReviewFinished { review, verdict: None, counted: false, by: None };
    assert!(decision.events.iter().any(|recorded| recorded.event == finished));
    assert!(fixture.is_stopping(), "the checks are stopped");
    assert_eq!(fixture.task.review, None);
}

#[test]
fn t_14_a_coder_can_be_named_before_the_task_is_queued() {
    let mut fixture = TaskFixture::of("default");
    let decision = fixture.accept(person(1), assign("coder", by_agent(2), ResetScope::Nothing));
    assert_eq!(fixture.state(), "backlog");
    assert_eq!(decision.events.len(), 1);
}

#[test]
fn t_14_resets_are_planned_after_the_stop_and_survive_the_next_claim() {
    let cases = [
        (ResetScope::Worktree, Effect::ResetWorktree),
        (ResetScope::Workspace, Effect::CleanWorkspace { retire_branch: true }),
    ];
    for (reset, effect) in cases {
        let mut fixture = TaskFixture::working();
        fixture.steps[0].stage = EffectStage::Begun;
        fixture.accept(person(1), assign("coder", by_agent(2), reset));
        let names: Vec<_> = fixture.steps.iter().map(|step| step.effect().clone()).collect();
        assert_eq!(names.last(), Some(&effect));
        fixture.end_turn(turn(ExecutionEnding::Stopped));
        fixture.stop();
        fixture.claim(by_agent(2));
        let names: Vec<_> = fixture.steps.iter().map(|step| step.effect().clone()).collect();
        let execution = fixture.execution();
        assert_eq!(names, [effect, Effect::PrepareWorkspace { execution }], "{reset:?}");
    }
}

#[test]
fn t_14_there_is_nothing_to_reset_before_there_is_a_workspace() {
    for reset in [ResetScope::Worktree, ResetScope::Workspace] {
        let mut fixture = TaskFixture::of("default");
        fixture.accept(person(1), assign("coder", by_agent(2), reset));
        assert!(fixture.outstanding().is_empty());
    }
}

#[test]
fn t_14_only_people_assign() {
    let mut fixture = TaskFixture::working();
    let own = agent_actor(1, fixture.execution());
    for actor in [own, machine()] {
        let refusal = fixture.refuse(actor, assign("reviewer", by_agent(1), ResetScope::Nothing));
        assert!(matches!(refusal, Refusal::PeopleOnly(_)));
    }
}

#[test]
fn t_14_an_unknown_role_is_refused_with_the_known_ones() {
    let mut fixture = TaskFixture::of("default");
    let refusal = fixture.refuse(person(1), assign("juggler", by_agent(1), ResetScope::Nothing));
    let roles = ["planner", "coder", "reviewer"].map(str::to_owned).to_vec();
    assert_eq!(refusal, Refusal::UnknownRole { role: role("juggler"), roles });
}

#[test]
fn t_14_an_ended_task_keeps_its_roles() {
    let mut fixture = TaskFixture::of("default");
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    let refusal = fixture.refuse(person(1), assign("coder", by_agent(1), ResetScope::Nothing));
    assert_eq!(refusal, Refusal::TaskTerminal { key: fixture.task.key() });
}

#[test]
fn t_14_the_coder_is_not_changed_during_a_landing() {
    let mut fixture = TaskFixture::landing();
    let refusal = fixture.refuse(person(1), assign("coder", by_agent(2), ResetScope::Nothing));
    assert_eq!(refusal, Refusal::Landing { key: fixture.task.key() });
}

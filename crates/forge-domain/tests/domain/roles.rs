//! Roles (T-14).

use crate::support::{
    Desk, Stage, agent_actor, by_agent, by_user, machine, passed, person, role, turn,
};
use forge_domain::task::Activity;
use forge_domain::{Assignee, Command, Effect, Ending, Event, Refusal, Reset};

fn assign(to: &str, assignee: Assignee, reset: Reset) -> Command {
    Command::Assign { role: role(to), assignee, reset }
}

#[test]
fn t_14_another_role_is_a_plain_upsert_whatever_goes_on() {
    for mut desk in [Desk::of("default"), Desk::working(), Desk::in_review(), Desk::landing()] {
        let (state, activity) = (desk.state().to_owned(), desk.task.activity);
        let outstanding = desk.outstanding();
        for assignee in [by_agent(3), by_user(2)] {
            let decision = desk.accept(person(1), assign("reviewer", assignee, Reset::Nothing));
            assert_eq!(desk.task.roles[&role("reviewer")], assignee);
            assert!(decision.effects.is_empty() && !decision.supersedes);
        }
        assert_eq!((desk.state(), desk.task.activity), (state.as_str(), activity));
        assert_eq!(desk.outstanding(), outstanding);
    }
}

#[test]
fn t_14_a_new_coder_stops_the_run_and_sends_the_task_to_the_pool() {
    let mut desk = Desk::working();
    let execution = desk.execution();
    let decision = desk.accept(person(1), assign("coder", by_agent(2), Reset::Nothing));
    assert_eq!(desk.state(), "todo");
    assert!(desk.task.claimable);
    assert_eq!(desk.task.activity, Some(Activity::Stopping { mark: execution.uuid() }));
    assert_eq!(desk.task.roles[&role("coder")], by_agent(2));
    let wanted: Vec<_> = decision.effects.iter().map(|planned| planned.effect.clone()).collect();
    assert_eq!(wanted, [Effect::Stop { mark: execution.uuid() }]);
    desk.end_turn(turn(Ending::Stopped));
    desk.stop();
    assert_eq!((desk.state(), desk.task.activity), ("todo", None));
    assert!(desk.outstanding().is_empty(), "nobody claims by itself");
}

#[test]
fn t_14_a_new_coder_clears_the_gates_pass() {
    let mut desk = Desk::in_review();
    desk.checks(vec![passed()]);
    assert!(desk.task.review_passed_at.is_some());
    desk.accept(person(1), assign("coder", by_user(2), Reset::Nothing));
    assert_eq!((desk.state(), desk.task.review_passed_at), ("todo", None));
}

#[test]
fn t_14_a_new_coder_in_the_middle_of_a_review_ends_it_undecided() {
    let mut desk = Desk::in_review();
    let review = desk.task.review.expect("a review is open");
    let decision = desk.accept(person(1), assign("coder", by_agent(2), Reset::Nothing));
    let finished = Event::ReviewFinished { review, verdict: None, counted: false, by: None };
    assert!(decision.events.iter().any(|recorded| recorded.event == finished));
    assert!(desk.is_stopping(), "the checks are stopped");
    assert_eq!(desk.task.review, None);
}

#[test]
fn t_14_a_coder_can_be_named_before_the_task_is_queued() {
    let mut desk = Desk::of("default");
    let decision = desk.accept(person(1), assign("coder", by_agent(2), Reset::Nothing));
    assert_eq!(desk.state(), "backlog");
    assert_eq!(decision.events.len(), 1);
}

#[test]
fn t_14_resets_are_wanted_after_the_stop_and_survive_the_next_claim() {
    let cases = [
        (Reset::Worktree, Effect::ResetWorktree),
        (Reset::Workspace, Effect::CleanWorkspace { retire_branch: true }),
    ];
    for (reset, effect) in cases {
        let mut desk = Desk::working();
        desk.steps[0].stage = Stage::Begun;
        desk.accept(person(1), assign("coder", by_agent(2), reset));
        let names: Vec<_> = desk.steps.iter().map(|step| step.effect().clone()).collect();
        assert_eq!(names.last(), Some(&effect));
        desk.end_turn(turn(Ending::Stopped));
        desk.stop();
        desk.claim(by_agent(2));
        let names: Vec<_> = desk.steps.iter().map(|step| step.effect().clone()).collect();
        let execution = desk.execution();
        assert_eq!(names, [effect, Effect::PrepareWorkspace { execution }], "{reset:?}");
    }
}

#[test]
fn t_14_there_is_nothing_to_reset_before_there_is_a_workspace() {
    for reset in [Reset::Worktree, Reset::Workspace] {
        let mut desk = Desk::of("default");
        desk.accept(person(1), assign("coder", by_agent(2), reset));
        assert!(desk.outstanding().is_empty());
    }
}

#[test]
fn t_14_only_people_assign() {
    let mut desk = Desk::working();
    let own = agent_actor(1, desk.execution());
    for actor in [own, machine()] {
        let refusal = desk.refuse(actor, assign("reviewer", by_agent(1), Reset::Nothing));
        assert!(matches!(refusal, Refusal::PeopleOnly(_)));
    }
}

#[test]
fn t_14_an_unknown_role_is_refused_with_those_there_are() {
    let mut desk = Desk::of("default");
    let refusal = desk.refuse(person(1), assign("juggler", by_agent(1), Reset::Nothing));
    let roles = ["planner", "coder", "reviewer"].map(str::to_owned).to_vec();
    assert_eq!(refusal, Refusal::UnknownRole { role: role("juggler"), roles });
}

#[test]
fn t_14_an_ended_task_keeps_its_roles() {
    let mut desk = Desk::of("default");
    desk.accept(person(1), Command::Cancel { reason: None });
    let refusal = desk.refuse(person(1), assign("coder", by_agent(1), Reset::Nothing));
    assert_eq!(refusal, Refusal::TaskTerminal { key: desk.task.key() });
}

#[test]
fn t_14_the_coder_is_not_changed_under_a_landing() {
    let mut desk = Desk::landing();
    let refusal = desk.refuse(person(1), assign("coder", by_agent(2), Reset::Nothing));
    assert_eq!(refusal, Refusal::Landing { key: desk.task.key() });
}

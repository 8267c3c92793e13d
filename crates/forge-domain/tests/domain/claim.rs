//! Claiming (T-3 to T-5).

use crate::support::{
    Desk, agent_actor, by_agent, by_user, machine, name, open_facts, person, role, task_id, turn,
};
use forge_domain::task::{Activity, Purpose};
use forge_domain::workflow::Standing;
use forge_domain::{
    Actor, AgentFacts, Assignee, Command, DependencyFacts, DispatchFacts, Effect, Ending, Event,
    Facts, NotDispatched, Refusal,
};

/// A task in the pool.
fn queued(facts: Facts) -> Desk {
    let mut desk = Desk::of("default");
    desk.move_to("todo", None);
    desk.facts = facts;
    desk
}

fn claim(claimer: Assignee) -> Command {
    Command::Claim { claimer }
}

/// The refusal names where claims look.
fn not_claimable(state: &str) -> Refusal {
    Refusal::NotClaimable { state: name(state), claimable: vec![name("todo")] }
}

fn dependency(key: &str, standing: Standing, holder: Option<Assignee>) -> DependencyFacts {
    DependencyFacts { task_id: task_id(1), key: key.to_owned(), standing, holder }
}

#[test]
fn t_3_a_claim_opens_one_execution_and_wants_its_workspace() {
    let mut desk = queued(open_facts());
    let decision = desk.claim(by_agent(1));
    assert_eq!(desk.state(), "in_progress");
    let run = desk.task.run.clone().expect("an execution is opened");
    assert_eq!(
        (run.role.as_str(), run.assignee, run.purpose),
        ("coder", by_agent(1), Purpose::Work)
    );
    assert_eq!(desk.task.activity, Some(Activity::Preparing { execution: run.execution }));
    let wanted: Vec<_> = decision.effects.iter().map(|planned| planned.effect.clone()).collect();
    assert_eq!(wanted, [Effect::PrepareWorkspace { execution: run.execution }]);
    assert_eq!(decision.effects[0].not_before, desk.now());
}

/// The seed's calls: create, claim, then `"version": 2`.
#[test]
fn t_3_a_persons_claim_right_after_creation_leads_to_version_2() {
    let mut desk = Desk::of("default");
    assert_eq!((desk.state(), desk.task.version), ("backlog", 1));
    let decision = desk.claim(by_agent(1));
    assert_eq!((desk.state(), desk.task.version), ("in_progress", 2));
    let moves: Vec<_> = decision
        .events
        .iter()
        .filter_map(|recorded| match &recorded.event {
            Event::TaskTransitioned { from, to, .. } => Some((from.to_string(), to.to_string())),
            _ => None,
        })
        .collect();
    let expected = [("backlog", "todo"), ("todo", "planning"), ("planning", "in_progress")]
        .map(|(from, to)| (from.to_owned(), to.to_owned()));
    assert_eq!(moves, expected, "each state is passed and recorded");
}

#[test]
fn t_3_the_scheduler_does_not_take_from_a_queue_that_is_not_claimable() {
    let mut desk = Desk::of("default");
    let refusal = desk.refuse(machine(), claim(by_agent(1)));
    assert_eq!(refusal, not_claimable("backlog"));
}

#[test]
fn t_3_a_person_who_claims_gets_a_workspace_and_no_process() {
    let mut desk = queued(open_facts());
    desk.claim(by_user(1));
    let decision = desk.prepare();
    assert!(decision.effects.is_empty(), "no turn is run for a person");
    assert_eq!((desk.task.activity, desk.outstanding()), (None, vec![]));
    assert_eq!(desk.task.run.as_ref().map(|run| run.assignee), Some(by_user(1)));
    assert!(desk.task.workspace.is_some());
    let handed_in = desk.move_to("review", None);
    assert!(handed_in.events.iter().any(|recorded| matches!(
        &recorded.event,
        Event::ExecutionFinished { result, .. } if result.ending == Ending::Submitted
    )));
    assert_eq!(desk.task.holder, Some(by_user(1)));
    assert_eq!(desk.outstanding(), ["run_checks"]);
}

#[test]
fn f_2_an_optional_work_state_runs_when_somebody_holds_its_role() {
    let mut desk = queued(open_facts());
    desk.accept(
        person(1),
        Command::Assign {
            role: crate::support::role("planner"),
            assignee: by_agent(2),
            reset: forge_domain::Reset::Nothing,
        },
    );
    desk.claim(by_agent(1));
    assert_eq!(desk.state(), "planning");
    assert_eq!(desk.task.run.as_ref().map(|run| run.assignee), Some(by_agent(2)));
    desk.whole_turn(turn(Ending::Exited { code: 0 }));
    assert_eq!(desk.state(), "in_progress");
    assert_eq!(desk.task.run.as_ref().map(|run| run.assignee), Some(by_agent(1)));
    assert_eq!(desk.task.holder, None, "a plan is not a submission");
}

#[test]
fn t_4_a_paused_agent_is_refused() {
    let claimer =
        Some(AgentFacts { paused: true, quota_wait: false, running: 0, max_concurrent: 1 });
    let mut desk = queued(Facts { claimer, ..open_facts() });
    assert_eq!(desk.refuse(person(1), claim(by_agent(1))), Refusal::AgentPaused);
}

#[test]
fn t_4_an_agent_at_capacity_is_refused() {
    let claimer =
        Some(AgentFacts { paused: false, quota_wait: false, running: 2, max_concurrent: 2 });
    let mut desk = queued(Facts { claimer, ..open_facts() });
    let refusal = desk.refuse(person(1), claim(by_agent(1)));
    assert_eq!(refusal, Refusal::AgentAtCapacity { running: 2, max: 2 });
}

#[test]
fn t_4_a_paused_project_refuses_agents_and_lets_people_claim() {
    let mut desk = queued(Facts { project_paused: true, ..open_facts() });
    assert_eq!(desk.refuse(person(1), claim(by_agent(1))), Refusal::ProjectPaused);
    assert_eq!(desk.refuse(machine(), claim(by_agent(1))), Refusal::ProjectPaused);
    desk.claim(by_user(1));
    assert_eq!(desk.state(), "in_progress");
}

#[test]
fn t_4_a_claimed_task_cannot_be_claimed_again() {
    let mut desk = Desk::working();
    assert_eq!(desk.refuse(person(1), claim(by_agent(2))), Refusal::AlreadyClaimed);
    assert_eq!(desk.refuse(person(1), claim(by_user(1))), Refusal::AlreadyClaimed);
}

#[test]
fn t_4_only_queues_can_be_claimed_from() {
    let mut desk = Desk::landing();
    assert_eq!(desk.refuse(person(1), claim(by_agent(2))), not_claimable("merging"));
    desk.land(crate::support::merged());
    assert_eq!(desk.refuse(person(1), claim(by_agent(2))), not_claimable("done"));
}

#[test]
fn t_15_an_archived_task_is_not_claimed_until_it_is_taken_out_again() {
    let mut desk = queued(open_facts());
    desk.accept(person(1), Command::Archive);
    assert_eq!(desk.refuse(person(1), claim(by_agent(1))), Refusal::Archived);
    desk.accept(person(1), Command::Unarchive);
    desk.accept(person(1), claim(by_agent(1)));
}

#[test]
fn t_4_a_project_without_a_repository_is_refused() {
    let mut desk = queued(Facts { has_repository: false, ..open_facts() });
    assert_eq!(desk.refuse(person(1), claim(by_agent(1))), Refusal::NoRepository);
}

#[test]
fn t_4_an_unfinished_dependency_blocks_everybody_until_it_is_submitted() {
    for standing in [Standing::Open, Standing::Ended] {
        let dependencies = vec![dependency("T-3", standing, Some(by_agent(1)))];
        let mut desk = queued(Facts { dependencies, ..open_facts() });
        for claimer in [by_agent(1), by_user(1)] {
            let refusal = desk.refuse(person(1), claim(claimer));
            assert_eq!(refusal, Refusal::DependencyGate { blocking: vec!["T-3".to_owned()] });
        }
    }
}

#[test]
fn t_5_only_the_context_holder_may_claim_before_the_dependency_is_in() {
    let dependencies = vec![dependency("T-3", Standing::Submitted, Some(by_agent(1)))];
    let mut desk = queued(Facts { dependencies, ..open_facts() });
    let refusal = desk.refuse(person(1), claim(by_agent(2)));
    assert_eq!(refusal, Refusal::DependencyGate { blocking: vec!["T-3".to_owned()] });
    desk.claim(by_agent(1));
    assert_eq!(desk.state(), "in_progress");
}

#[test]
fn t_5_a_dependency_that_nobody_submitted_has_no_holder() {
    let dependencies = vec![dependency("T-3", Standing::Submitted, None)];
    let mut desk = queued(Facts { dependencies, ..open_facts() });
    assert!(matches!(desk.refuse(person(1), claim(by_agent(1))), Refusal::DependencyGate { .. }));
}

#[test]
fn t_5_with_several_unfinished_dependencies_the_holder_must_hold_all() {
    let dependencies = vec![
        dependency("T-3", Standing::Submitted, Some(by_agent(1))),
        dependency("T-4", Standing::Submitted, Some(by_agent(2))),
        dependency("T-5", Standing::Succeeded, Some(by_agent(3))),
    ];
    let mut desk = queued(Facts { dependencies, ..open_facts() });
    let refusal = desk.refuse(person(1), claim(by_agent(1)));
    assert_eq!(refusal, Refusal::DependencyGate { blocking: vec!["T-4".to_owned()] });
    let refusal = desk.refuse(person(1), claim(by_agent(3)));
    let blocking = vec!["T-3".to_owned(), "T-4".to_owned()];
    assert_eq!(refusal, Refusal::DependencyGate { blocking });
    desk.facts.dependencies[1].holder = Some(by_agent(1));
    desk.claim(by_agent(1));
}

#[test]
fn t_4_once_all_dependencies_are_in_anyone_may_claim() {
    let dependencies = vec![dependency("T-3", Standing::Succeeded, Some(by_agent(1)))];
    let mut desk = queued(Facts { dependencies, ..open_facts() });
    desk.claim(by_agent(2));
}

/// An agent's own token may claim from the pool, but not queue a task for itself.
#[test]
fn t_3_an_agent_claims_from_the_pool_only() {
    let speaker = agent_actor(1, forge_domain::ExecutionId::new(crate::support::uuid(77)));
    let mut desk = Desk::of("default");
    assert_eq!(desk.refuse(speaker.clone(), claim(by_agent(1))), not_claimable("backlog"));
    desk.move_to("todo", None);
    desk.accept(speaker, claim(by_agent(1)));
}

/// E-10: what binds the scheduler is checked at the claim itself, where two nodes meet.
#[test]
fn e_10_the_scheduler_may_not_claim_what_it_may_not_give_out() {
    let on = DispatchFacts { on: true, running: 1, max_concurrent: Some(2) };
    let refused = |dispatch: DispatchFacts, change: fn(&mut Desk)| {
        let mut desk = queued(Facts { dispatch: Some(dispatch), ..open_facts() });
        change(&mut desk);
        desk.consider(Actor::scheduler(), claim(by_agent(1))).expect_err("it is refused")
    };
    let table: [(Refusal, Refusal); 3] = [
        (
            refused(DispatchFacts { on: false, ..on }, |_| {}),
            Refusal::NotDispatched(NotDispatched::Off),
        ),
        (
            refused(DispatchFacts { running: 2, ..on }, |_| {}),
            Refusal::NotDispatched(NotDispatched::ProjectAtCapacity { running: 2, max: 2 }),
        ),
        (
            refused(on, |desk| {
                desk.task.roles.insert(role("coder"), by_user(4));
            }),
            Refusal::NotDispatched(NotDispatched::Held),
        ),
    ];
    for (found, expected) in table {
        assert_eq!(found, expected);
    }
    let mut desk = queued(Facts { dispatch: Some(on), ..open_facts() });
    desk.claim(by_agent(1));
    assert_eq!(desk.state(), "in_progress");
}

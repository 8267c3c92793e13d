//! Claiming tasks (T-3 to T-5).

use crate::support::{
    TaskFixture, agent_actor, by_agent, by_user, machine, name, open_facts, person, role, task_id,
    turn,
};
use forge_domain::task::{ExecutionPurpose, TaskActivity};
use forge_domain::workflow::TaskStanding;
use forge_domain::{
    Actor, AgentFacts, Assignee, DecisionFacts, DependencyFacts, DispatchFacts, DispatchRefusal,
    Effect, ExecutionEnding, Refusal, TaskCommand, TaskEvent,
};

/// A task in the first claimable queue.
fn queued(facts: DecisionFacts) -> TaskFixture {
    let mut fixture = TaskFixture::of("default");
    fixture.move_to("todo", None);
    fixture.facts = facts;
    fixture
}

fn claim(claimer: Assignee) -> TaskCommand {
    TaskCommand::Claim { claimer }
}

/// The refusal names the claimable states.
fn not_claimable(state: &str) -> Refusal {
    Refusal::NotClaimable { state: name(state), claimable: vec![name("todo")] }
}

fn dependency(key: &str, standing: TaskStanding, holder: Option<Assignee>) -> DependencyFacts {
    DependencyFacts { task_id: task_id(1), key: key.to_owned(), standing, holder }
}

#[test]
fn t_3_a_claim_opens_one_execution_and_wants_its_workspace() {
    let mut fixture = queued(open_facts());
    let decision = fixture.claim(by_agent(1));
    assert_eq!(fixture.state(), "in_progress");
    let run = fixture.task.run.clone().expect("an execution is opened");
    assert_eq!(
        (run.role.as_str(), run.assignee, run.purpose),
        ("coder", by_agent(1), ExecutionPurpose::Work)
    );
    assert_eq!(fixture.task.activity, Some(TaskActivity::Preparing { execution: run.execution }));
    let wanted: Vec<_> = decision.effects.iter().map(|planned| planned.effect.clone()).collect();
    assert_eq!(wanted, [Effect::PrepareWorkspace { execution: run.execution }]);
    assert_eq!(decision.effects[0].not_before, fixture.now());
}

/// The seed's calls: create, claim, then `"version": 2`.
#[test]
fn t_3_a_persons_claim_right_after_creation_leads_to_version_2() {
    let mut fixture = TaskFixture::of("default");
    assert_eq!((fixture.state(), fixture.task.version), ("backlog", 1));
    let decision = fixture.claim(by_agent(1));
    assert_eq!((fixture.state(), fixture.task.version), ("in_progress", 2));
    let moves: Vec<_> = decision
        .events
        .iter()
        .filter_map(|recorded| match &recorded.event {
            TaskEvent::TaskTransitioned { from, to, .. } => {
                Some((from.to_string(), to.to_string()))
            }
            _ => None,
        })
        .collect();
    let expected = [("backlog", "todo"), ("todo", "planning"), ("planning", "in_progress")]
        .map(|(from, to)| (from.to_owned(), to.to_owned()));
    assert_eq!(moves, expected, "each state is passed and recorded");
}

#[test]
fn t_3_the_scheduler_claims_only_from_claimable_queues() {
    let mut fixture = TaskFixture::of("default");
    let refusal = fixture.refuse(machine(), claim(by_agent(1)));
    assert_eq!(refusal, not_claimable("backlog"));
}

#[test]
fn t_3_a_person_who_claims_gets_a_workspace_and_no_process() {
    let mut fixture = queued(open_facts());
    fixture.claim(by_user(1));
    let decision = fixture.prepare();
    assert!(decision.effects.is_empty(), "no turn is run for a person");
    assert_eq!((fixture.task.activity, fixture.outstanding()), (None, vec![]));
    assert_eq!(fixture.task.run.as_ref().map(|run| run.assignee), Some(by_user(1)));
    assert!(fixture.task.workspace.is_some());
    let handed_in = fixture.move_to("review", None);
    assert!(handed_in.events.iter().any(|recorded| matches!(
        &recorded.event,
        TaskEvent::ExecutionFinished { result, .. } if result.ending == ExecutionEnding::Submitted
    )));
    assert_eq!(fixture.task.holder, Some(by_user(1)));
    assert_eq!(fixture.outstanding(), ["run_checks"]);
}

#[test]
fn f_2_an_optional_work_state_runs_when_its_role_has_a_holder() {
    let mut fixture = queued(open_facts());
    fixture.accept(
        person(1),
        TaskCommand::Assign {
            role: crate::support::role("planner"),
            assignee: by_agent(2),
            reset: forge_domain::ResetScope::Nothing,
        },
    );
    fixture.claim(by_agent(1));
    assert_eq!(fixture.state(), "planning");
    assert_eq!(fixture.task.run.as_ref().map(|run| run.assignee), Some(by_agent(2)));
    fixture.whole_turn(turn(ExecutionEnding::Exited { code: 0 }));
    assert_eq!(fixture.state(), "in_progress");
    assert_eq!(fixture.task.run.as_ref().map(|run| run.assignee), Some(by_agent(1)));
    assert_eq!(fixture.task.holder, None, "a plan is not a submission");
}

#[test]
fn t_4_a_paused_agent_is_refused() {
    let claimer =
        Some(AgentFacts { paused: true, quota_wait: false, running: 0, max_concurrent: 1 });
    let mut fixture = queued(DecisionFacts { claimer, ..open_facts() });
    assert_eq!(fixture.refuse(person(1), claim(by_agent(1))), Refusal::AgentPaused);
}

#[test]
fn t_4_an_agent_at_capacity_is_refused() {
    let claimer =
        Some(AgentFacts { paused: false, quota_wait: false, running: 2, max_concurrent: 2 });
    let mut fixture = queued(DecisionFacts { claimer, ..open_facts() });
    let refusal = fixture.refuse(person(1), claim(by_agent(1)));
    assert_eq!(refusal, Refusal::AgentAtCapacity { running: 2, max: 2 });
}

#[test]
fn t_4_a_paused_project_refuses_agents_and_lets_people_claim() {
    let mut fixture = queued(DecisionFacts { project_paused: true, ..open_facts() });
    assert_eq!(fixture.refuse(person(1), claim(by_agent(1))), Refusal::ProjectPaused);
    assert_eq!(fixture.refuse(machine(), claim(by_agent(1))), Refusal::ProjectPaused);
    fixture.claim(by_user(1));
    assert_eq!(fixture.state(), "in_progress");
}

#[test]
fn t_4_a_claimed_task_cannot_be_claimed_again() {
    let mut fixture = TaskFixture::working();
    assert_eq!(fixture.refuse(person(1), claim(by_agent(2))), Refusal::AlreadyClaimed);
    assert_eq!(fixture.refuse(person(1), claim(by_user(1))), Refusal::AlreadyClaimed);
}

#[test]
fn t_4_only_queues_can_be_claimed_from() {
    let mut fixture = TaskFixture::landing();
    assert_eq!(fixture.refuse(person(1), claim(by_agent(2))), not_claimable("merging"));
    fixture.land(crate::support::merged());
    assert_eq!(fixture.refuse(person(1), claim(by_agent(2))), not_claimable("done"));
}

#[test]
fn t_15_an_archived_task_is_not_claimed_until_it_is_unarchived() {
    let mut fixture = queued(open_facts());
    fixture.accept(person(1), TaskCommand::Archive);
    assert_eq!(fixture.refuse(person(1), claim(by_agent(1))), Refusal::Archived);
    fixture.accept(person(1), TaskCommand::Unarchive);
    fixture.accept(person(1), claim(by_agent(1)));
}

#[test]
fn t_4_a_project_without_a_repository_is_refused() {
    let mut fixture = queued(DecisionFacts { has_repository: false, ..open_facts() });
    assert_eq!(fixture.refuse(person(1), claim(by_agent(1))), Refusal::NoRepository);
}

#[test]
fn t_4_an_open_dependency_blocks_every_claim_until_it_is_submitted() {
    for standing in [TaskStanding::Open, TaskStanding::Ended] {
        let dependencies = vec![dependency("T-3", standing, Some(by_agent(1)))];
        let mut fixture = queued(DecisionFacts { dependencies, ..open_facts() });
        for claimer in [by_agent(1), by_user(1)] {
            let refusal = fixture.refuse(person(1), claim(claimer));
            assert_eq!(refusal, Refusal::DependencyGate { blocking: vec!["T-3".to_owned()] });
        }
    }
}

#[test]
fn t_5_only_its_submitter_may_claim_before_the_dependency_lands() {
    let dependencies = vec![dependency("T-3", TaskStanding::Submitted, Some(by_agent(1)))];
    let mut fixture = queued(DecisionFacts { dependencies, ..open_facts() });
    let refusal = fixture.refuse(person(1), claim(by_agent(2)));
    assert_eq!(refusal, Refusal::DependencyGate { blocking: vec!["T-3".to_owned()] });
    fixture.claim(by_agent(1));
    assert_eq!(fixture.state(), "in_progress");
}

#[test]
fn t_5_a_dependency_that_was_not_submitted_has_no_holder() {
    let dependencies = vec![dependency("T-3", TaskStanding::Submitted, None)];
    let mut fixture = queued(DecisionFacts { dependencies, ..open_facts() });
    assert!(matches!(
        fixture.refuse(person(1), claim(by_agent(1))),
        Refusal::DependencyGate { .. }
    ));
}

#[test]
fn t_5_with_several_unfinished_dependencies_the_holder_must_hold_all() {
    let dependencies = vec![
        dependency("T-3", TaskStanding::Submitted, Some(by_agent(1))),
        dependency("T-4", TaskStanding::Submitted, Some(by_agent(2))),
        dependency("T-5", TaskStanding::Succeeded, Some(by_agent(3))),
    ];
    let mut fixture = queued(DecisionFacts { dependencies, ..open_facts() });
    let refusal = fixture.refuse(person(1), claim(by_agent(1)));
    assert_eq!(refusal, Refusal::DependencyGate { blocking: vec!["T-4".to_owned()] });
    let refusal = fixture.refuse(person(1), claim(by_agent(3)));
    let blocking = vec!["T-3".to_owned(), "T-4".to_owned()];
    assert_eq!(refusal, Refusal::DependencyGate { blocking });
    fixture.facts.dependencies[1].holder = Some(by_agent(1));
    fixture.claim(by_agent(1));
}

#[test]
fn t_4_once_all_dependencies_landed_every_agent_may_claim() {
    let dependencies = vec![dependency("T-3", TaskStanding::Succeeded, Some(by_agent(1)))];
    let mut fixture = queued(DecisionFacts { dependencies, ..open_facts() });
    fixture.claim(by_agent(2));
}

/// An agent's own token may claim from the queue, but not queue a task for itself.
#[test]
fn t_3_an_agent_claims_from_the_pool_only() {
    let speaker = agent_actor(1, forge_domain::ExecutionId::new(crate::support::uuid(77)));
    let mut fixture = TaskFixture::of("default");
    assert_eq!(fixture.refuse(speaker.clone(), claim(by_agent(1))), not_claimable("backlog"));
    fixture.move_to("todo", None);
    fixture.accept(speaker, claim(by_agent(1)));
}

/// E-10: the scheduler's guards are checked in the claim itself, because two nodes may claim at once.
#[test]
fn e_10_the_scheduler_may_not_claim_what_it_may_not_assign() {
    let on = DispatchFacts { is_on: true, running: 1, max_concurrent: Some(2) };
    let refused = |dispatch: DispatchFacts, change: fn(&mut TaskFixture)| {
        let mut fixture = queued(DecisionFacts { dispatch: Some(dispatch), ..open_facts() });
        change(&mut fixture);
        fixture.consider(Actor::scheduler(), claim(by_agent(1))).expect_err("it is refused")
    };
    let table: [(Refusal, Refusal); 3] = [
        (
            refused(DispatchFacts { is_on: false, ..on }, |_| {}),
            Refusal::NotDispatched(DispatchRefusal::Off),
        ),
        (
            refused(DispatchFacts { running: 2, ..on }, |_| {}),
            Refusal::NotDispatched(DispatchRefusal::ProjectAtCapacity { running: 2, max: 2 }),
        ),
        (
            refused(on, |fixture| {
                fixture.task.roles.insert(role("coder"), by_user(4));
            }),
            Refusal::NotDispatched(DispatchRefusal::RoleHeld),
        ),
    ];
    for (found, expected) in table {
        assert_eq!(found, expected);
    }
    let mut fixture = queued(DecisionFacts { dispatch: Some(on), ..open_facts() });
    fixture.claim(by_agent(1));
    assert_eq!(fixture.state(), "in_progress");
}

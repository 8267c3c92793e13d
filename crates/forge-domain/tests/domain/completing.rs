//! Handing in work (P-3), taking roles away from a removed agent, and the rule for deleting a task (P-1).

use crate::support::{TaskFixture, agent_actor, by_agent, machine, person, role, uuid};
use forge_domain::task::TaskKey;
use forge_domain::{DeletionFacts, ExecutionId, Refusal, TaskCommand, check_deletion};

fn complete() -> TaskCommand {
    TaskCommand::Complete { version: None, reason: Some("done".to_owned()) }
}

#[test]
fn p_3_work_is_handed_in_by_its_worker_or_a_person() {
    let mut by_person = TaskFixture::working();
    by_person.accept(person(1), complete());
    assert_eq!(by_person.state(), "review");
    let mut by_its_agent = TaskFixture::working();
    let execution = by_its_agent.execution();
    by_its_agent.accept(agent_actor(1, execution), complete());
    assert_eq!(by_its_agent.state(), "review");
    by_its_agent.check_replay();
}

#[test]
fn p_3_another_execution_hands_nothing_in() {
    let mut fixture = TaskFixture::working();
    let other = ExecutionId::new(uuid(77));
    let refusal = fixture.refuse(agent_actor(2, other), complete());
    assert!(matches!(refusal, Refusal::InvalidTransition { .. }), "{refusal}");
    let stale = TaskCommand::Complete { version: Some(0), reason: None };
    let refusal = fixture.refuse(person(1), stale);
    assert!(matches!(refusal, Refusal::VersionConflict { .. }), "{refusal}");
}

#[test]
fn s_4_there_is_nothing_to_hand_in_outside_of_work() {
    for mut fixture in [TaskFixture::of("default"), TaskFixture::in_review()] {
        let (key, state) = (fixture.task.key(), fixture.task.state.clone());
        assert_eq!(fixture.refuse(person(1), complete()), Refusal::NotInWork { key, state });
    }
}

#[test]
fn s_4_a_removed_agent_loses_its_roles_in_open_tasks_only() {
    let mut fixture = TaskFixture::in_review();
    let release = TaskCommand::ReleaseRoles { holder: by_agent(1) };
    let version = fixture.task.version;
    let refusal = fixture.refuse(machine(), release.clone());
    assert!(matches!(refusal, Refusal::PeopleOnly(_)), "{refusal}");
    fixture.accept(person(1), release.clone());
    assert_eq!(fixture.task.roles.get(&role("coder")), None);
    assert_eq!((fixture.state(), fixture.task.version), ("review", version + 1));
    assert!(fixture.accept(person(1), release.clone()).events.is_empty(), "nothing is left");
    fixture.check_replay();
    let mut ended = TaskFixture::claimed();
    ended.accept(person(1), TaskCommand::Cancel { reason: None });
    let roles = ended.task.roles.clone();
    assert!(ended.accept(person(1), release).events.is_empty(), "its history keeps the name");
    assert_eq!(ended.task.roles, roles);
}

#[test]
fn p_1_only_a_task_without_work_is_deleted() {
    let task = TaskFixture::of("default").task;
    let check = |facts: &DeletionFacts| check_deletion(&task, facts, &person(1));
    assert_eq!(check(&DeletionFacts::default()), Ok(()));
    let held = [
        (DeletionFacts { executions: 1, ..DeletionFacts::default() }, "work on it was started"),
        (DeletionFacts { open_effects: 1, ..DeletionFacts::default() }, "still working for it"),
        (
            DeletionFacts { dependents: vec![TaskKey(3), TaskKey(4)], ..DeletionFacts::default() },
            "other tasks wait for it: T-3, T-4",
        ),
        (
            DeletionFacts { subtasks: vec![TaskKey(5)], ..DeletionFacts::default() },
            "it has subtasks: T-5",
        ),
    ];
    for (facts, why) in held {
        let refusal = check(&facts).expect_err(why).to_string();
        assert!(refusal.contains(why), "{refusal}");
        assert!(refusal.contains("`forge task cancel T-12`"), "the way to go: {refusal}");
        assert!(refusal.contains("`forge task archive T-12`"), "the way to go: {refusal}");
    }
    let refusal = check_deletion(&task, &DeletionFacts::default(), &machine());
    assert!(matches!(refusal, Err(Refusal::PeopleOnly(_))), "{refusal:?}");
    let mut made = TaskFixture::claimed();
    made.prepare();
    let refusal = check_deletion(&made.task, &DeletionFacts::default(), &person(1));
    assert!(refusal.expect_err("it has a workspace").to_string().contains("it had a workspace"));
}

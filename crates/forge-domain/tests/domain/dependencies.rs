//! Dependencies between tasks (T-16).

use crate::support::{TaskFixture, open_facts, person, task_id};
use forge_domain::{DecisionFacts, Refusal, TaskCommand, TaskEvent};

fn on(n: u64) -> TaskCommand {
    TaskCommand::AddDependency { on: task_id(n) }
}

#[test]
fn t_16_a_dependency_is_added_once_and_removed_once() {
    let mut fixture = TaskFixture::of("default");
    fixture.accept(person(1), on(1));
    assert!(fixture.task.dependencies.contains(&task_id(1)));
    assert!(fixture.accept(person(1), on(1)).events.is_empty(), "it is there already");
    assert_eq!(fixture.task.version, 2);
    let remove = TaskCommand::RemoveDependency { on: task_id(1) };
    let decision = fixture.accept(person(1), remove.clone());
    assert_eq!(decision.events[0].event, TaskEvent::DependencyRemoved { on: task_id(1) });
    assert!(fixture.task.dependencies.is_empty());
    assert!(fixture.accept(person(1), remove).events.is_empty());
}

#[test]
fn t_16_a_cycle_is_refused_and_reported() {
    let mut fixture = TaskFixture::of("default");
    fixture.facts.dependency_cycle = ["T-3", "T-7", "T-12"].map(str::to_owned).to_vec();
    let refusal = fixture.refuse(person(1), on(1));
    let cycle = ["T-12", "T-3", "T-7", "T-12"].map(str::to_owned).to_vec();
    assert_eq!(refusal, Refusal::DependencyCycle { cycle });
    assert!(refusal.to_string().contains("T-12 → T-3 → T-7 → T-12"), "{refusal}");
}

#[test]
fn t_16_a_task_cannot_wait_for_itself() {
    let mut fixture = TaskFixture::of("default");
    let own = TaskCommand::AddDependency { on: fixture.task.id };
    let cycle = vec!["T-12".to_owned(), "T-12".to_owned()];
    assert_eq!(fixture.refuse(person(1), own), Refusal::DependencyCycle { cycle });
}

#[test]
fn t_16_another_project_and_the_own_parent_are_refused() {
    let cases = [
        DecisionFacts { same_project: false, ..open_facts() },
        DecisionFacts { is_family: true, ..open_facts() },
    ];
    for facts in cases {
        let mut fixture = TaskFixture::of("default");
        fixture.facts = facts;
        assert!(matches!(fixture.refuse(person(1), on(1)), Refusal::DependencyScope(_)));
    }
}

#[test]
fn t_16_an_ended_task_gets_no_dependency() {
    let mut fixture = TaskFixture::of("default");
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    assert_eq!(fixture.refuse(person(1), on(1)), Refusal::TaskTerminal { key: fixture.task.key() });
}

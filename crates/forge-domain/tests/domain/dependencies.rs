//! Dependencies (T-16).

use crate::support::{Desk, open_facts, person, task_id};
use forge_domain::{Command, Event, Facts, Refusal};

fn on(n: u64) -> Command {
    Command::AddDependency { on: task_id(n) }
}

#[test]
fn t_16_a_dependency_is_added_once_and_removed_once() {
    let mut desk = Desk::of("default");
    desk.accept(person(1), on(1));
    assert!(desk.task.dependencies.contains(&task_id(1)));
    assert!(desk.accept(person(1), on(1)).events.is_empty(), "it is there already");
    assert_eq!(desk.task.version, 2);
    let remove = Command::RemoveDependency { on: task_id(1) };
    let decision = desk.accept(person(1), remove.clone());
    assert_eq!(decision.events[0].event, Event::DependencyRemoved { on: task_id(1) });
    assert!(desk.task.dependencies.is_empty());
    assert!(desk.accept(person(1), remove).events.is_empty());
}

#[test]
fn t_16_a_circle_is_refused_and_spelled_out() {
    let mut desk = Desk::of("default");
    desk.facts.way_back = ["T-3", "T-7", "T-12"].map(str::to_owned).to_vec();
    let refusal = desk.refuse(person(1), on(1));
    let cycle = ["T-12", "T-3", "T-7", "T-12"].map(str::to_owned).to_vec();
    assert_eq!(refusal, Refusal::DependencyCycle { cycle });
    assert!(refusal.to_string().contains("T-12 → T-3 → T-7 → T-12"), "{refusal}");
}

#[test]
fn t_16_a_task_cannot_wait_for_itself() {
    let mut desk = Desk::of("default");
    let own = Command::AddDependency { on: desk.task.id };
    let cycle = vec!["T-12".to_owned(), "T-12".to_owned()];
    assert_eq!(desk.refuse(person(1), own), Refusal::DependencyCycle { cycle });
}

#[test]
fn t_16_another_project_and_the_own_family_are_refused() {
    let cases =
        [Facts { same_project: false, ..open_facts() }, Facts { is_family: true, ..open_facts() }];
    for facts in cases {
        let mut desk = Desk::of("default");
        desk.facts = facts;
        assert!(matches!(desk.refuse(person(1), on(1)), Refusal::DependencyScope(_)));
    }
}

#[test]
fn t_16_an_ended_task_waits_for_nothing() {
    let mut desk = Desk::of("default");
    desk.accept(person(1), Command::Cancel { reason: None });
    assert_eq!(desk.refuse(person(1), on(1)), Refusal::TaskTerminal { key: desk.task.key() });
}

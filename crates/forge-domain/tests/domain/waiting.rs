//! Why a claimable task waits (E-10, E-11): the true reason, for each of them.

use crate::support::{Desk, by_agent, by_user, open_facts};
use forge_domain::dispatch::{Contender, Lack, Reason, Situation};
use forge_domain::task::{Annotation, AnnotationType, Snapshot};
use forge_domain::workflow::RoleName;

fn coder() -> RoleName {
    RoleName::new("coder")
}

fn contender(number: u64, name: &str) -> Contender {
    Contender {
        id: by_agent(number).agent().expect("an agent"),
        name: name.to_owned(),
        roles: vec![coder()],
        paused: false,
        quota_seconds: None,
        running: 0,
        max_concurrent: 1,
    }
}

/// Nothing stands in the way.
fn clear() -> Situation {
    Situation {
        role: coder(),
        project_paused: false,
        dispatches: true,
        dispatch_paused: false,
        has_repository: true,
        blocking: Vec::new(),
        clashing: Vec::new(),
        overspent: None,
        agents: vec![contender(1, "ada")],
        project: (0, None),
        node: (0, Some(8)),
        lacks: Vec::new(),
        place: 3,
    }
}

fn queued() -> Snapshot {
    let mut desk = Desk::of("default");
    desk.facts = open_facts();
    desk.move_to("todo", None);
    desk.task
}

#[test]
fn e_10_what_only_waits_for_its_turn_says_its_place() {
    assert_eq!(clear().reasons(&queued()), [Reason::NextInLine { place: 3 }]);
}

#[test]
fn e_10_each_obstacle_is_named_alone_where_it_is_alone() {
    let paused = Contender { paused: true, ..contender(1, "ada") };
    let busy = Contender { running: 1, ..contender(1, "ada") };
    let poor = Contender { quota_seconds: Some(600), running: 1, ..contender(1, "ada") };
    let other = Contender { roles: vec![RoleName::new("reviewer")], ..contender(1, "ada") };
    let disk = Lack::DiskLow { free: 1, least: 2 };
    let table = [
        (Situation { project_paused: true, ..clear() }, Reason::ProjectPaused),
        (Situation { dispatches: false, ..clear() }, Reason::DispatchOff),
        (Situation { dispatch_paused: true, ..clear() }, Reason::DispatchPaused),
        (Situation { has_repository: false, ..clear() }, Reason::NoRepository),
        (
            Situation { blocking: vec!["T-4".to_owned()], ..clear() },
            Reason::Dependency { tasks: vec!["T-4".to_owned()] },
        ),
        (
            Situation { clashing: vec![("T-7".to_owned(), vec!["a.rs".to_owned()])], ..clear() },
            Reason::ConflictHold { task: "T-7".to_owned(), files: vec!["a.rs".to_owned()] },
        ),
        (Situation { agents: Vec::new(), ..clear() }, Reason::NoAgent { role: coder() }),
        (Situation { agents: vec![other], ..clear() }, Reason::NoAgent { role: coder() }),
        (
            Situation { agents: vec![paused], ..clear() },
            Reason::AgentPaused { agents: vec!["ada".to_owned()] },
        ),
        (
            Situation { agents: vec![poor], ..clear() },
            Reason::QuotaWait { agents: vec!["ada".to_owned()], seconds: 600 },
        ),
        (
            Situation { agents: vec![busy], ..clear() },
            Reason::AgentAtCapacity { agents: vec!["ada".to_owned()] },
        ),
        (
            Situation { project: (2, Some(2)), ..clear() },
            Reason::ProjectAtCapacity { running: 2, max: 2 },
        ),
        (
            Situation { node: (8, Some(8)), ..clear() },
            Reason::NodeAtCapacity { running: 8, max: 8 },
        ),
        (Situation { lacks: vec![disk.clone()], ..clear() }, Reason::Machine(disk)),
    ];
    for (situation, expected) in table {
        assert_eq!(situation.reasons(&queued()), [expected], "{situation:?}");
    }
}

#[test]
fn e_10_an_idle_agent_is_no_comfort_when_another_holds_the_role() {
    let mut task = queued();
    let busy = Contender { running: 1, ..contender(1, "ada") };
    let agents = vec![busy, contender(2, "ben")];
    task.roles.insert(coder(), by_agent(1));
    let reasons = Situation { agents, ..clear() }.reasons(&task);
    assert_eq!(reasons, [Reason::AgentAtCapacity { agents: vec!["ada".to_owned()] }]);
    task.roles.insert(coder(), by_user(1));
    assert_eq!(clear().reasons(&task), [Reason::HeldByPerson { role: coder() }]);
}

#[test]
fn t_13_what_needs_a_person_says_so() {
    let mut task = queued();
    let trouble = AnnotationType::StepFailed;
    task.annotation = Some(Annotation {
        kind: trouble,
        message: String::new(),
        details: serde_json::Value::Null,
        at: task.created_at,
    });
    assert_eq!(clear().reasons(&task), [Reason::NeedsAttention { trouble }]);
}

#[test]
fn e_10_everything_that_holds_is_told_and_what_a_person_decided_comes_first() {
    let agents = Vec::new();
    let reasons = Situation { project_paused: true, agents, ..clear() }.reasons(&queued());
    assert_eq!(reasons, [Reason::ProjectPaused, Reason::NoAgent { role: coder() }]);
}

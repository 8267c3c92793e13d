//! Why a claimable task waits (E-10, E-11): the right reason in each case.

use crate::support::{TaskFixture, by_agent, by_user, open_facts};
use forge_domain::dispatch::{
    AgentAvailability, ClaimConditions, DispatchBlocker, ResourceShortage,
};
use forge_domain::task::{Annotation, AnnotationType, TaskSnapshot};
use forge_domain::workflow::RoleName;

fn coder() -> RoleName {
    RoleName::new("coder")
}

fn contender(number: u64, name: &str) -> AgentAvailability {
    AgentAvailability {
        has_program: true,
        id: by_agent(number).agent().expect("an agent"),
        name: name.to_owned(),
        roles: vec![coder()],
        paused: false,
        quota_seconds: None,
        signed_out: false,
        running: 0,
        max_concurrent: 1,
    }
}

/// Conditions that block nothing.
fn clear() -> ClaimConditions {
    ClaimConditions {
        role: coder(),
        project_paused: false,
        dispatch_on: true,
        dispatch_paused: false,
        has_repository: true,
        blocking: Vec::new(),
        conflicts: Vec::new(),
        exhausted_budget: None,
        agents: vec![contender(1, "ada")],
        project: (0, None),
        node: (0, Some(8)),
        shortages: Vec::new(),
        position: 3,
    }
}

fn queued() -> TaskSnapshot {
    let mut fixture = TaskFixture::of("default");
    fixture.facts = open_facts();
    fixture.move_to("todo", None);
    fixture.task
}

#[test]
fn e_10_a_task_that_waits_only_for_an_agent_has_its_position() {
    assert_eq!(clear().reasons(&queued()), [DispatchBlocker::Queued { place: 3 }]);
}

#[test]
fn e_10_a_single_reason_is_reported_alone() {
    let paused = AgentAvailability { paused: true, ..contender(1, "ada") };
    let busy = AgentAvailability { running: 1, ..contender(1, "ada") };
    let poor = AgentAvailability { quota_seconds: Some(600), running: 1, ..contender(1, "ada") };
    let signed_out = AgentAvailability { signed_out: true, ..contender(1, "ada") };
    let other = AgentAvailability { roles: vec![RoleName::new("reviewer")], ..contender(1, "ada") };
    let disk = ResourceShortage::DiskLow { free: 1, least: 2 };
    let table = [
        (ClaimConditions { project_paused: true, ..clear() }, DispatchBlocker::ProjectPaused),
        (ClaimConditions { dispatch_on: false, ..clear() }, DispatchBlocker::DispatchOff),
        (ClaimConditions { dispatch_paused: true, ..clear() }, DispatchBlocker::DispatchPaused),
        (ClaimConditions { has_repository: false, ..clear() }, DispatchBlocker::NoRepository),
        (
            ClaimConditions { blocking: vec!["T-4".to_owned()], ..clear() },
            DispatchBlocker::Dependency { tasks: vec!["T-4".to_owned()] },
        ),
        (
            ClaimConditions {
                conflicts: vec![("T-7".to_owned(), vec!["a.rs".to_owned()])],
                ..clear()
            },
            DispatchBlocker::ConflictHold {
                task: "T-7".to_owned(),
                files: vec!["a.rs".to_owned()],
            },
        ),
        (
            ClaimConditions { agents: Vec::new(), ..clear() },
            DispatchBlocker::NoAgent { role: coder() },
        ),
        (
            ClaimConditions { agents: vec![signed_out], ..clear() },
            DispatchBlocker::NotSignedIn { agents: vec!["ada".to_owned()] },
        ),
        (
            ClaimConditions { agents: vec![other], ..clear() },
            DispatchBlocker::NoAgent { role: coder() },
        ),
        (
            ClaimConditions { agents: vec![paused], ..clear() },
            DispatchBlocker::AgentPaused { agents: vec!["ada".to_owned()] },
        ),
        (
            ClaimConditions { agents: vec![poor], ..clear() },
            DispatchBlocker::QuotaWait { agents: vec!["ada".to_owned()], seconds: 600 },
        ),
        (
            ClaimConditions { agents: vec![busy], ..clear() },
            DispatchBlocker::AgentAtCapacity { agents: vec!["ada".to_owned()] },
        ),
        (
            ClaimConditions { project: (2, Some(2)), ..clear() },
            DispatchBlocker::ProjectAtCapacity { running: 2, max: 2 },
        ),
        (
            ClaimConditions { node: (8, Some(8)), ..clear() },
            DispatchBlocker::NodeAtCapacity { running: 8, max: 8 },
        ),
        (
            ClaimConditions { shortages: vec![disk.clone()], ..clear() },
            DispatchBlocker::Shortage(disk),
        ),
    ];
    for (situation, expected) in table {
        assert_eq!(situation.reasons(&queued()), [expected], "{situation:?}");
    }
}

#[test]
fn e_10_an_idle_agent_does_not_count_when_another_holds_the_role() {
    let mut task = queued();
    let busy = AgentAvailability { running: 1, ..contender(1, "ada") };
    let agents = vec![busy, contender(2, "ben")];
    task.roles.insert(coder(), by_agent(1));
    let reasons = ClaimConditions { agents, ..clear() }.reasons(&task);
    assert_eq!(reasons, [DispatchBlocker::AgentAtCapacity { agents: vec!["ada".to_owned()] }]);
    task.roles.insert(coder(), by_user(1));
    assert_eq!(clear().reasons(&task), [DispatchBlocker::HeldByPerson { role: coder() }]);
}

#[test]
fn t_13_a_task_that_needs_a_person_reports_it() {
    let mut task = queued();
    let trouble = AnnotationType::EffectFailed;
    task.annotation = Some(Annotation {
        kind: trouble,
        message: String::new(),
        details: serde_json::Value::Null,
        at: task.created_at,
    });
    assert_eq!(clear().reasons(&task), [DispatchBlocker::NeedsAttention { trouble }]);
}

#[test]
fn e_10_all_reasons_are_reported_and_those_of_people_come_first() {
    let agents = Vec::new();
    let reasons = ClaimConditions { project_paused: true, agents, ..clear() }.reasons(&queued());
    assert_eq!(
        reasons,
        [DispatchBlocker::ProjectPaused, DispatchBlocker::NoAgent { role: coder() }]
    );
}

#[test]
fn issue_13_15_t_20_a_task_that_every_agent_handed_off_reports_it() {
    let (ada, ben) = (contender(1, "ada"), contender(2, "ben"));
    let mut task = queued();
    task.declined_by.insert(ada.id);
    let mut situation = ClaimConditions { agents: vec![ada], ..clear() };
    assert_eq!(
        situation.reasons(&task),
        [DispatchBlocker::HandedOff { agents: vec!["ada".to_owned()] }]
    );
    situation.agents.push(ben.clone());
    assert_eq!(situation.reasons(&task), [DispatchBlocker::Queued { place: 3 }]);
    situation.agents = vec![contender(1, "ada"), AgentAvailability { paused: true, ..ben }];
    assert_eq!(
        situation.reasons(&task),
        [DispatchBlocker::AgentPaused { agents: vec!["ben".to_owned()] }]
    );
}

//! New tasks, and edits of what they say (T-1).

use crate::support::{Desk, by_agent, new_task, person, role, uuid, workflow};
use forge_domain::workflow::Phase;
use forge_domain::{Command, CommandId, Create, Envelope, Refusal, TaskPatch, Timestamp, create};

fn try_create(asked: Create) -> Result<forge_domain::Decision, Refusal> {
    let id = CommandId::new(uuid(7));
    let at = Timestamp::from_millis(5);
    create(&workflow("default"), &Envelope { id, at, actor: person(1), command: asked })
}

#[test]
fn t_1_a_new_task_starts_at_version_1_in_the_initial_state() {
    let desk = Desk::of("default");
    assert_eq!((desk.state(), desk.task.version), ("backlog", 1));
    assert_eq!(desk.task.phase, Phase::Backlog);
    assert_eq!(desk.task.key().to_string(), "T-12");
    assert_eq!(desk.recorded.len(), 1);
    assert_eq!(desk.task.workflow, *desk.workflow.hash());
}

#[test]
fn t_1_a_title_is_one_readable_line() {
    for bad in ["", "   ", "two\nlines", "bell\u{7}", &"x".repeat(501)] {
        let refusal = try_create(Create { title: bad.to_owned(), ..new_task() });
        assert!(
            matches!(refusal, Err(Refusal::InvalidField { field: "title", .. })),
            "{bad:?}: {refusal:?}"
        );
    }
    let longest = "ü".repeat(500);
    assert!(try_create(Create { title: longest, ..new_task() }).is_ok());
}

#[test]
fn t_1_a_role_the_workflow_does_not_know_is_refused_with_those_it_knows() {
    let roles = [(role("juggler"), by_agent(1))].into();
    let refusal = try_create(Create { roles, ..new_task() }).expect_err("no such role");
    let roles = ["planner", "coder", "reviewer"].map(str::to_owned).to_vec();
    assert_eq!(refusal, Refusal::UnknownRole { role: role("juggler"), roles });
}

#[test]
fn t_1_an_edit_changes_what_it_names_and_nothing_else() {
    let mut desk = Desk::of("default");
    let patch = TaskPatch { priority: Some(9), ..TaskPatch::default() };
    desk.accept(person(1), Command::Update(patch));
    assert_eq!((desk.task.priority, desk.task.version), (9, 2));
    assert_eq!(desk.task.title, "Add rate limiting");
    let nothing = desk.accept(person(1), Command::Update(TaskPatch::default()));
    assert!(nothing.events.is_empty(), "an empty edit is no edit");
    assert_eq!(desk.task.version, 2);
}

#[test]
fn t_8_an_edit_of_an_old_version_is_refused() {
    let mut desk = Desk::of("default");
    let patch = |version, title: &str| {
        Command::Update(TaskPatch {
            version: Some(version),
            title: Some(title.to_owned()),
            ..TaskPatch::default()
        })
    };
    desk.accept(person(1), patch(1, "First"));
    let refusal = desk.refuse(person(2), patch(1, "Second"));
    assert_eq!(refusal, Refusal::VersionConflict { noun: "task", expected: 1, actual: 2 });
    let refusal = desk.refuse(person(2), patch(2, ""));
    assert!(matches!(refusal, Refusal::InvalidField { field: "title", .. }));
}

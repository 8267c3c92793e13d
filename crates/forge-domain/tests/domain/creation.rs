//! Creating and editing tasks (T-1).

use crate::support::{TaskFixture, by_agent, new_task, person, role, uuid, workflow};
use forge_domain::workflow::BoardPhase;
use forge_domain::{
    CommandEnvelope, CommandId, CreateTask, Refusal, TaskCommand, TaskPatch, Timestamp, create,
};

fn try_create(asked: CreateTask) -> Result<forge_domain::Decision, Refusal> {
    let id = CommandId::new(uuid(7));
    let at = Timestamp::from_millis(5);
    create(&workflow("default"), &CommandEnvelope { id, at, actor: person(1), command: asked })
}

#[test]
fn t_1_a_new_task_starts_at_version_1_in_the_initial_state() {
    let fixture = TaskFixture::of("default");
    assert_eq!((fixture.state(), fixture.task.version), ("backlog", 1));
    assert_eq!(fixture.task.phase, BoardPhase::Backlog);
    assert_eq!(fixture.task.key().to_string(), "T-12");
    assert_eq!(fixture.recorded.len(), 1);
    assert_eq!(fixture.task.workflow, *fixture.workflow.hash());
}

#[test]
fn t_1_a_title_is_one_readable_line() {
    for bad in ["", "   ", "two\nlines", "bell\u{7}", &"x".repeat(501)] {
        let refusal = try_create(CreateTask { title: bad.to_owned(), ..new_task() });
        assert!(
            matches!(refusal, Err(Refusal::InvalidField { field: "title", .. })),
            "{bad:?}: {refusal:?}"
        );
    }
    let longest = "ü".repeat(500);
    assert!(try_create(CreateTask { title: longest, ..new_task() }).is_ok());
}

#[test]
fn t_1_an_unknown_role_is_refused_with_the_known_ones() {
    let roles = [(role("juggler"), by_agent(1))].into();
    let refusal = try_create(CreateTask { roles, ..new_task() }).expect_err("no such role");
    let roles = ["planner", "coder", "reviewer"].map(str::to_owned).to_vec();
    assert_eq!(refusal, Refusal::UnknownRole { role: role("juggler"), roles });
}

#[test]
fn t_1_an_edit_changes_what_it_names_and_nothing_else() {
    let mut fixture = TaskFixture::of("default");
    let patch = TaskPatch { priority: Some(9), ..TaskPatch::default() };
    fixture.accept(person(1), TaskCommand::Update(patch));
    assert_eq!((fixture.task.priority, fixture.task.version), (9, 2));
    assert_eq!(fixture.task.title, "Add rate limiting");
    let nothing = fixture.accept(person(1), TaskCommand::Update(TaskPatch::default()));
    assert!(nothing.events.is_empty(), "an empty edit is no edit");
    assert_eq!(fixture.task.version, 2);
}

#[test]
fn t_8_an_edit_of_an_old_version_is_refused() {
    let mut fixture = TaskFixture::of("default");
    let patch = |version, title: &str| {
        TaskCommand::Update(TaskPatch {
            version: Some(version),
            title: Some(title.to_owned()),
            ..TaskPatch::default()
        })
    };
    fixture.accept(person(1), patch(1, "First"));
    let refusal = fixture.refuse(person(2), patch(1, "Second"));
    assert_eq!(refusal, Refusal::VersionConflict { noun: "task", expected: 1, actual: 2 });
    let refusal = fixture.refuse(person(2), patch(2, ""));
    assert!(matches!(refusal, Refusal::InvalidField { field: "title", .. }));
}

/// Issue 13.23: a task is stored without its empty fields, and a task stored with them is read as the same.
#[test]
fn issue_13_23_empty_fields_are_not_stored() {
    let task = TaskFixture::working().task;
    let stored = serde_json::to_value(&task).expect("JSON");
    let fields = stored.as_object().expect("an object");
    let empty = |value: &serde_json::Value| {
        value.is_null()
            || value.as_array().is_some_and(Vec::is_empty)
            || value.as_object().is_some_and(serde_json::Map::is_empty)
    };
    let left: Vec<_> = fields.iter().filter(|(_, value)| empty(value)).collect();
    assert!(left.is_empty(), "{left:?}");

    let mut older = fields.clone();
    let nulls = [
        "parent",
        "annotation",
        "review_passed_at",
        "archived_at",
        "last_run",
        "review",
        "feedback",
    ];
    let lists = ["labels", "dependencies", "handoffs"];
    let maps = ["metadata", "rejections", "review_config", "merge_config"];
    let counts = ["attempts", "lost_runs"];
    let empties = (nulls.iter().map(|name| (name, serde_json::Value::Null)))
        .chain(lists.iter().map(|name| (name, serde_json::json!([]))))
        .chain(maps.iter().map(|name| (name, serde_json::json!({}))))
        .chain(counts.iter().map(|name| (name, serde_json::json!(0))));
    for (name, value) in empties {
        older.entry(*name).or_insert(value);
    }
    assert!(older.len() > fields.len() + 5, "it has fewer fields than before");
    assert_eq!(
        serde_json::from_value::<forge_domain::task::TaskSnapshot>(older.into()).ok(),
        Some(task)
    );
}

//! Archiving tasks (T-15).

use crate::support::{TaskFixture, person};
use forge_domain::TaskCommand;

#[test]
fn t_15_archiving_hides_and_unarchiving_shows_and_repeating_changes_nothing() {
    let mut fixture = TaskFixture::working();
    let state = fixture.state().to_owned();
    fixture.accept(person(1), TaskCommand::Archive);
    let hidden = fixture.task.archived_at;
    assert_eq!(hidden, Some(fixture.now()));
    let again = fixture.accept(person(1), TaskCommand::Archive);
    assert!(again.events.is_empty());
    assert_eq!(fixture.task.archived_at, hidden);
    let version = fixture.task.version;
    fixture.accept(person(1), TaskCommand::Unarchive);
    assert_eq!((fixture.task.archived_at, fixture.task.version), (None, version + 1));
    assert!(fixture.accept(person(1), TaskCommand::Unarchive).events.is_empty());
    assert_eq!(fixture.state(), state, "it goes on meanwhile");
}

#[test]
fn t_15_an_ended_task_can_be_archived() {
    let mut fixture = TaskFixture::of("default");
    fixture.accept(person(1), TaskCommand::Cancel { reason: None });
    fixture.accept(person(1), TaskCommand::Archive);
    assert!(fixture.task.archived_at.is_some());
}

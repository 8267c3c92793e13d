//! The archive (T-15).

use crate::support::{Desk, person};
use forge_domain::Command;

#[test]
fn t_15_archiving_hides_and_unarchiving_shows_and_repeating_changes_nothing() {
    let mut desk = Desk::working();
    let state = desk.state().to_owned();
    desk.accept(person(1), Command::Archive);
    let hidden = desk.task.archived_at;
    assert_eq!(hidden, Some(desk.now()));
    let again = desk.accept(person(1), Command::Archive);
    assert!(again.events.is_empty());
    assert_eq!(desk.task.archived_at, hidden);
    let version = desk.task.version;
    desk.accept(person(1), Command::Unarchive);
    assert_eq!((desk.task.archived_at, desk.task.version), (None, version + 1));
    assert!(desk.accept(person(1), Command::Unarchive).events.is_empty());
    assert_eq!(desk.state(), state, "it goes on meanwhile");
}

#[test]
fn t_15_an_ended_task_can_be_archived() {
    let mut desk = Desk::of("default");
    desk.accept(person(1), Command::Cancel { reason: None });
    desk.accept(person(1), Command::Archive);
    assert!(desk.task.archived_at.is_some());
}

//! The rule for deleting a task (P-1). A deleted task leaves nothing but its events, so only a task on which no work was
//! ever done can be deleted. Every other one is cancelled and then archived: its branch, its journal and its history
//! stay.

use crate::task::{TaskKey, TaskSnapshot};
use crate::{Actor, Refusal};

/// What the deletion of a task depends on besides the task itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeletionFacts {
    /// Number of its executions, of agents and of users.
    pub executions: u64,
    /// Number of its effects that are still to be performed.
    pub open_effects: u64,
    /// Tasks that wait for it.
    pub dependents: Vec<TaskKey>,
    /// Tasks that are a part of it.
    pub subtasks: Vec<TaskKey>,
}

/// Refuses to delete a task on which work was done, or that other tasks need.
pub fn check_deletion(
    task: &TaskSnapshot,
    facts: &DeletionFacts,
    actor: &Actor,
) -> Result<(), Refusal> {
    if !actor.is_person() {
        return Err(Refusal::PeopleOnly("delete a task"));
    }
    let problem = match (&task.workspace, facts) {
        (Some(_), _) => "it had a workspace, and its branch belongs to it".to_owned(),
        (None, DeletionFacts { executions: 1.., .. }) => "work on it was started".to_owned(),
        (None, DeletionFacts { open_effects: 1.., .. }) => {
            "the server is still working for it".to_owned()
        }
        (None, _) if task.attempts > 0 => "it was reviewed".to_owned(),
        (None, _) if task.post_landing.origin.is_some() => {
            "another task's history names it as its revert or its fix".to_owned()
        }
        (None, _) if task.turn().is_some() => "it is an ordered turn of its parent".to_owned(),
        (None, DeletionFacts { subtasks, .. }) if !subtasks.is_empty() => {
            format!("it has subtasks: {}", list_keys(subtasks))
        }
        (None, DeletionFacts { dependents, .. }) if !dependents.is_empty() => {
            format!("other tasks wait for it: {}", list_keys(dependents))
        }
        (None, _) => return Ok(()),
    };
    Err(Refusal::NotDeletable { key: task.key(), problem })
}

fn list_keys(keys: &[TaskKey]) -> String {
    keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

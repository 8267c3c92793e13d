//! Parts of tasks.

use forge_api::{Subtask, SubtaskMode, SubtaskTarget};
use forge_domain::AskedSubtask;
use forge_domain::task::{self, Snapshot, Turn};

use crate::failure::Failure;
use forge_api::ErrorCode;
use serde_json::json;

/// How a task is part of its parent.
pub(crate) fn subtask(task: &Snapshot) -> Option<Subtask> {
    match &task.subtask {
        Some(task::Subtask::OrderedTurn(turn)) => {
            let changed = turn.changed();
            let mode = SubtaskMode::OrderedTurn;
            let Turn { order, head, .. } = turn;
            let commit = head.clone().filter(|_| changed == Some(true));
            Some(Subtask { mode, order: Some(*order), commit, no_changes: changed == Some(false) })
        }
        Some(task::Subtask::Independent { .. }) => Some(independent()),
        None => task.parent.map(|_| independent()),
    }
}

fn independent() -> Subtask {
    Subtask { mode: SubtaskMode::Independent, order: None, commit: None, no_changes: false }
}

/// How a new task is to be part of its parent.
pub(crate) fn asked_subtask(asked: &forge_api::NewTask) -> Result<AskedSubtask, Failure> {
    let misplaced = |path: &str, message: &str| {
        Err(Failure::new(ErrorCode::InvalidField, message).with_details(json!({ "path": path })))
    };
    let (order, target) = (asked.subtask_order, asked.subtask_target);
    if asked.parent.is_none() {
        return match (asked.subtask_mode, order, target) {
            (None, None, None) => Ok(AskedSubtask::default()),
            _ => misplaced("parent", "A subtask needs a parent."),
        };
    }
    match asked.subtask_mode.unwrap_or_default() {
        SubtaskMode::Independent if order.is_some() => misplaced(
            "subtask_order",
            "Only ordered turns have an order; set subtask_mode to `ordered_turn`.",
        ),
        SubtaskMode::Independent => {
            Ok(AskedSubtask::Independent { onto_parent: target == Some(SubtaskTarget::Parent) })
        }
        SubtaskMode::OrderedTurn if target.is_some() => misplaced(
            "subtask_target",
            "An ordered turn is committed to its parent's branch; leave subtask_target out.",
        ),
        SubtaskMode::OrderedTurn => Ok(AskedSubtask::OrderedTurn { order }),
    }
}

//! Converts subtasks.

use forge_api::{SubtaskInfo, SubtaskMode, SubtaskTarget};
use forge_domain::SubtaskRequest;
use forge_domain::task::{self, OrderedTurn, TaskSnapshot};

use crate::error::api_error::ApiError;
use forge_api::ErrorCode;
use serde_json::json;

/// How a task is part of its parent.
pub(crate) fn subtask(task: &TaskSnapshot) -> Option<SubtaskInfo> {
    match &task.subtask {
        Some(task::Subtask::OrderedTurn(turn)) => {
            let changed = turn.has_changes();
            let mode = SubtaskMode::OrderedTurn;
            let OrderedTurn { order, head, .. } = turn;
            let commit = head.clone().filter(|_| changed == Some(true));
            Some(SubtaskInfo {
                mode,
                order: Some(*order),
                commit,
                no_changes: changed == Some(false),
            })
        }
        Some(task::Subtask::Independent { .. }) => Some(independent()),
        None => task.parent.map(|_| independent()),
    }
}

fn independent() -> SubtaskInfo {
    SubtaskInfo { mode: SubtaskMode::Independent, order: None, commit: None, no_changes: false }
}

/// How a new task becomes part of its parent.
pub(crate) fn requested_subtask(asked: &forge_api::NewTask) -> Result<SubtaskRequest, ApiError> {
    let misplaced = |path: &str, message: &str| {
        Err(ApiError::new(ErrorCode::InvalidField, message).with_details(json!({ "path": path })))
    };
    let (order, target) = (asked.subtask_order, asked.subtask_target);
    if asked.parent.is_none() {
        return match (asked.subtask_mode, order, target) {
            (None, None, None) => Ok(SubtaskRequest::default()),
            _ => misplaced("parent", "A subtask needs a parent."),
        };
    }
    match asked.subtask_mode.unwrap_or_default() {
        SubtaskMode::Independent if order.is_some() => misplaced(
            "subtask_order",
            "Only ordered turns have an order; set subtask_mode to `ordered_turn`.",
        ),
        SubtaskMode::Independent => {
            Ok(SubtaskRequest::Independent { onto_parent: target == Some(SubtaskTarget::Parent) })
        }
        SubtaskMode::OrderedTurn if target.is_some() => misplaced(
            "subtask_target",
            "An ordered turn is committed to its parent's branch; leave subtask_target out.",
        ),
        SubtaskMode::OrderedTurn => Ok(SubtaskRequest::OrderedTurn { order }),
    }
}

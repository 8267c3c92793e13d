//! Actions on a task as requests (T-11).

use std::fmt::Write as _;

use forge_api::{ActionParameter, ActionView, ParameterKind, actions};
use forge_domain::task::TaskSnapshot;
use forge_domain::{TaskActionKind, TaskCommandLines};

use crate::routes::API;

/// Converts an action to the request that performs it.
pub(crate) fn action(task: &TaskSnapshot, action: forge_domain::TaskAction) -> ActionView {
    use ParameterKind as Kind;
    let command = TaskCommandLines::new(task).of_action(&action.kind);
    let task = task.id.to_string();
    let own = vec![task.clone()];
    let (name, declared, values, parameters) = match action.kind.clone() {
        TaskActionKind::Claim => {
            ("claim", actions::CLAIM_TASK, own, vec![optional("agent_id", Kind::Agent)])
        }
        TaskActionKind::Move { to } => {
            let status = ActionParameter {
                choices: Some(vec![to.to_string()]),
                ..required("status", Kind::Choice)
            };
            let version = optional("version", Kind::Integer);
            let parameters = vec![status, version, optional("reason", Kind::Text)];
            ("transition", actions::MOVE_TASK, own, parameters)
        }
        TaskActionKind::Cancel => {
            ("cancel", actions::CANCEL_TASK, own, vec![optional("reason", Kind::Text)])
        }
        TaskActionKind::Assign { role } => {
            let parameters = vec![
                optional("agent_id", Kind::Agent),
                optional("user_id", Kind::User),
                optional("reset_worktree", Kind::Boolean),
                optional("reset_workspace", Kind::Boolean),
            ];
            let values = vec![task, segment(role.as_str())];
            ("assign", actions::ASSIGN_ROLE, values, parameters)
        }
        TaskActionKind::Edit => {
            let parameters = vec![
                required("version", Kind::Integer),
                optional("title", Kind::Text),
                optional("description", Kind::LongText),
                optional("priority", Kind::Integer),
            ];
            ("edit", actions::UPDATE_TASK, own, parameters)
        }
        TaskActionKind::Comment => {
            ("comment", actions::CREATE_COMMENT, own, vec![required("body", Kind::LongText)])
        }
        TaskActionKind::AddDependency => {
            let parameters = vec![required("depends_on_id", Kind::Task)];
            ("add_dependency", actions::ADD_DEPENDENCY, own, parameters)
        }
        TaskActionKind::HandOff => {
            ("handoff", actions::HAND_OFF_TASK, own, vec![required("message", Kind::LongText)])
        }
        TaskActionKind::Steer { execution } => {
            let parameters = vec![required("message", Kind::LongText)];
            ("steer", actions::STEER_EXECUTION, vec![execution.to_string()], parameters)
        }
        TaskActionKind::Ask => {
            let parameters = vec![required("text", Kind::LongText)];
            ("ask", actions::ASK_QUESTION, own, parameters)
        }
        TaskActionKind::Answer { question } => {
            let values = vec![task, question.to_string()];
            ("answer", actions::ANSWER_QUESTION, values, vec![required("text", Kind::LongText)])
        }
        TaskActionKind::StopRun { execution } => {
            let parameters = vec![optional("reason", Kind::Text)];
            ("stop", actions::STOP_EXECUTION, vec![execution.to_string()], parameters)
        }
        TaskActionKind::Restart { execution } => {
            ("restart", actions::RESTART_EXECUTION, vec![execution.to_string()], Vec::new())
        }
        TaskActionKind::MarkFailed { execution } => {
            let parameters = vec![optional("reason", Kind::Text)];
            ("mark_failed", actions::FAIL_EXECUTION, vec![execution.to_string()], parameters)
        }
        TaskActionKind::Approve { attempt, overrides } => {
            let reason = ActionParameter { required: overrides, ..optional("reason", Kind::Text) };
            let values = vec![task, attempt.to_string()];
            ("approve", actions::APPROVE_REVIEW, values, vec![reason])
        }
        TaskActionKind::Reject { attempt } => {
            let values = vec![task, attempt.to_string()];
            let parameters = vec![required("reason", Kind::LongText)];
            ("reject", actions::REJECT_REVIEW, values, parameters)
        }
        TaskActionKind::Rebase => {
            ("rebase", actions::REBASE_TASK, own, vec![optional("message", Kind::LongText)])
        }
        TaskActionKind::AcceptLanded => {
            let parameters = vec![optional("reason", Kind::Text)];
            ("accept_landed", actions::ACCEPT_LANDED_TASK, own, parameters)
        }
        TaskActionKind::Revert => ("revert", actions::REVERT_TASK, own, Vec::new()),
        TaskActionKind::Regress => {
            let parameters = vec![required("reason", Kind::LongText)];
            ("regressed", actions::REPORT_REGRESSION, own, parameters)
        }
        TaskActionKind::ResetWorkspace => {
            ("reset_workspace", actions::RESET_WORKSPACE, own, Vec::new())
        }
        TaskActionKind::Archive => ("archive", actions::ARCHIVE_TASK, own, Vec::new()),
        TaskActionKind::Unarchive => ("unarchive", actions::UNARCHIVE_TASK, own, Vec::new()),
    };
    let target = match action.kind {
        TaskActionKind::Move { to } => Some(to.to_string()),
        _ => None,
    };
    ActionView {
        name: name.to_owned(),
        target,
        label: action.label,
        method: declared.method.as_str().to_owned(),
        path: format!("{API}{}", declared.path_with(&values)),
        command,
        parameters,
    }
}

fn required(name: &str, kind: ParameterKind) -> ActionParameter {
    ActionParameter { name: name.to_owned(), kind, required: true, choices: None }
}

fn optional(name: &str, kind: ParameterKind) -> ActionParameter {
    ActionParameter { required: false, ..required(name, kind) }
}

/// Encodes a name as one path segment, whatever characters it has.
pub(crate) fn segment(name: &str) -> String {
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::segment;

    #[test]
    fn t_11_a_role_is_one_segment_of_its_path() {
        assert_eq!(segment("coder"), "coder");
        assert_eq!(segment("../x y"), "%2E%2E%2Fx%20y");
    }
}

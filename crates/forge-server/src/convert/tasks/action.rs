//! Actions on a task as requests (T-11).

use std::fmt::Write as _;

use forge_api::{ActionParameter, ActionView, ParameterKind};
use forge_domain::{TaskActionKind, TaskId};

use crate::routes::API;

/// Converts an action to the request that performs it.
pub(crate) fn action(task: TaskId, action: forge_domain::TaskAction) -> ActionView {
    use ParameterKind as Kind;
    let own = format!("{API}/tasks/{task}");
    let below = |part: &str| format!("{own}/{part}");
    let post = "POST";
    let (name, target, method, path, parameters) = match action.kind {
        TaskActionKind::Claim => {
            let parameters = vec![optional("agent_id", Kind::Agent)];
            ("claim", None, post, below("claim"), parameters)
        }
        TaskActionKind::Move { to } => {
            let target = to.to_string();
            let status = ActionParameter {
                choices: Some(vec![target.clone()]),
                ..required("status", Kind::Choice)
            };
            let version = optional("version", Kind::Integer);
            let parameters = vec![status, version, optional("reason", Kind::Text)];
            let path = below("transition");
            ("transition", Some(target), post, path, parameters)
        }
        TaskActionKind::Cancel => {
            let parameters = vec![optional("reason", Kind::Text)];
            ("cancel", None, post, below("cancel"), parameters)
        }
        TaskActionKind::Assign { role } => {
            let parameters = vec![
                optional("agent_id", Kind::Agent),
                optional("user_id", Kind::User),
                optional("reset_worktree", Kind::Boolean),
                optional("reset_workspace", Kind::Boolean),
            ];
            let path = format!("{own}/roles/{}", segment(role.as_str()));
            ("assign", None, post, path, parameters)
        }
        TaskActionKind::Edit => {
            let parameters = vec![
                required("version", Kind::Integer),
                optional("title", Kind::Text),
                optional("description", Kind::LongText),
                optional("priority", Kind::Integer),
            ];
            ("edit", None, "PATCH", own, parameters)
        }
        TaskActionKind::Comment => {
            let parameters = vec![required("body", Kind::LongText)];
            ("comment", None, post, below("comments"), parameters)
        }
        TaskActionKind::AddDependency => {
            let parameters = vec![required("depends_on_id", Kind::Task)];
            let path = below("dependencies");
            ("add_dependency", None, post, path, parameters)
        }
        TaskActionKind::HandOff => {
            let parameters = vec![required("message", Kind::LongText)];
            ("handoff", None, post, below("handoff"), parameters)
        }
        TaskActionKind::Steer { execution } => {
            let path = format!("{API}/executions/{execution}/steer");
            ("steer", None, post, path, vec![required("message", Kind::LongText)])
        }
        TaskActionKind::StopRun { execution } => {
            let path = format!("{API}/executions/{execution}/stop");
            ("stop", None, post, path, vec![optional("reason", Kind::Text)])
        }
        TaskActionKind::Restart { execution } => {
            let path = format!("{API}/executions/{execution}/restart");
            ("restart", None, post, path, Vec::new())
        }
        TaskActionKind::MarkFailed { execution } => {
            let path = format!("{API}/executions/{execution}/mark-failed");
            ("mark_failed", None, post, path, vec![optional("reason", Kind::Text)])
        }
        TaskActionKind::Approve { attempt, overrides } => {
            let path = format!("{own}/reviews/{attempt}/approve");
            let reason = ActionParameter { required: overrides, ..optional("reason", Kind::Text) };
            ("approve", None, post, path, vec![reason])
        }
        TaskActionKind::Reject { attempt } => {
            let path = format!("{own}/reviews/{attempt}/reject");
            ("reject", None, post, path, vec![required("reason", Kind::LongText)])
        }
        TaskActionKind::Rebase => {
            ("rebase", None, post, below("rebase"), vec![optional("message", Kind::LongText)])
        }
        TaskActionKind::AcceptLanded => {
            let parameters = vec![optional("reason", Kind::Text)];
            ("accept_landed", None, post, below("accept-landed"), parameters)
        }
        TaskActionKind::Revert => ("revert", None, post, below("revert"), Vec::new()),
        TaskActionKind::Regress => {
            let parameters = vec![required("reason", Kind::LongText)];
            ("regressed", None, post, below("regressed"), parameters)
        }
        TaskActionKind::ResetWorkspace => {
            ("reset_workspace", None, post, below("workspace/reset"), Vec::new())
        }
        TaskActionKind::Archive => ("archive", None, post, below("archive"), Vec::new()),
        TaskActionKind::Unarchive => ("unarchive", None, post, below("unarchive"), Vec::new()),
    };
    ActionView {
        name: name.to_owned(),
        target,
        label: action.label,
        method: method.to_owned(),
        path,
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
fn segment(name: &str) -> String {
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

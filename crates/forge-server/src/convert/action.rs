//! What a caller can do with a task now (T-11), as requests.

use std::fmt::Write as _;

use forge_api::{Action, ActionParameter, ParameterKind};
use forge_domain::{ActionKind, TaskId};

use crate::routes::API;

/// An action as the request that does it.
pub(crate) fn action(task: TaskId, action: forge_domain::Action) -> Action {
    use ParameterKind as Kind;
    let own = format!("{API}/tasks/{task}");
    let below = |part: &str| format!("{own}/{part}");
    let post = "POST";
    let (name, target, method, path, parameters) = match action.kind {
        ActionKind::Claim => {
            let parameters = vec![optional("agent_id", Kind::Agent)];
            ("claim", None, post, below("claim"), parameters)
        }
        ActionKind::Move { to } => {
            let target = to.to_string();
            let status = ActionParameter {
                choices: Some(vec![target.clone()]),
                ..required("status", Kind::Choice)
            };
            let version = required("version", Kind::Integer);
            let parameters = vec![status, version, optional("reason", Kind::Text)];
            let path = below("transition");
            ("transition", Some(target), post, path, parameters)
        }
        ActionKind::Cancel => {
            let parameters = vec![optional("reason", Kind::Text)];
            ("cancel", None, post, below("cancel"), parameters)
        }
        ActionKind::Assign { role } => {
            let parameters = vec![
                optional("agent_id", Kind::Agent),
                optional("user_id", Kind::User),
                optional("reset_worktree", Kind::Boolean),
                optional("reset_workspace", Kind::Boolean),
            ];
            let path = format!("{own}/roles/{}", segment(role.as_str()));
            ("assign", None, post, path, parameters)
        }
        ActionKind::Edit => {
            let parameters = vec![
                required("version", Kind::Integer),
                optional("title", Kind::Text),
                optional("description", Kind::LongText),
                optional("priority", Kind::Integer),
            ];
            ("edit", None, "PATCH", own, parameters)
        }
        ActionKind::Comment => {
            let parameters = vec![required("body", Kind::LongText)];
            ("comment", None, post, below("comments"), parameters)
        }
        ActionKind::AddDependency => {
            let parameters = vec![required("depends_on_id", Kind::Task)];
            let path = below("dependencies");
            ("add_dependency", None, post, path, parameters)
        }
        ActionKind::HandOff => {
            let parameters = vec![required("message", Kind::LongText)];
            ("handoff", None, post, below("handoff"), parameters)
        }
        ActionKind::Steer { execution } => {
            let path = format!("{API}/executions/{execution}/steer");
            ("steer", None, post, path, vec![required("message", Kind::LongText)])
        }
        ActionKind::StopRun { execution } => {
            let path = format!("{API}/executions/{execution}/stop");
            ("stop", None, post, path, vec![optional("reason", Kind::Text)])
        }
        ActionKind::Restart { execution } => {
            let path = format!("{API}/executions/{execution}/restart");
            ("restart", None, post, path, Vec::new())
        }
        ActionKind::MarkFailed { execution } => {
            let path = format!("{API}/executions/{execution}/mark-failed");
            ("mark_failed", None, post, path, vec![optional("reason", Kind::Text)])
        }
        ActionKind::Approve { attempt, overrides } => {
            let path = format!("{own}/reviews/{attempt}/approve");
            let reason = ActionParameter { required: overrides, ..optional("reason", Kind::Text) };
            ("approve", None, post, path, vec![reason])
        }
        ActionKind::Reject { attempt } => {
            let path = format!("{own}/reviews/{attempt}/reject");
            ("reject", None, post, path, vec![required("reason", Kind::LongText)])
        }
        ActionKind::Rebase => {
            ("rebase", None, post, below("rebase"), vec![optional("message", Kind::LongText)])
        }
        ActionKind::Revert => ("revert", None, post, below("revert"), Vec::new()),
        ActionKind::Regress => {
            let parameters = vec![required("reason", Kind::LongText)];
            ("regressed", None, post, below("regressed"), parameters)
        }
        ActionKind::ResetWorkspace => {
            ("reset_workspace", None, post, below("workspace/reset"), Vec::new())
        }
        ActionKind::Archive => ("archive", None, post, below("archive"), Vec::new()),
        ActionKind::Unarchive => ("unarchive", None, post, below("unarchive"), Vec::new()),
    };
    Action {
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

/// A name as one segment of a path, whatever characters it has.
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

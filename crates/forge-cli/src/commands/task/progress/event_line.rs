//! One event of a task as a line of text.

use forge_api::{EventType, EventView};
use serde_json::Value;

use crate::terminal::text_table::one_line;

/// The time of an event and what happened, on one line.
pub(crate) fn event_line(event: &EventView) -> String {
    let time = event.at.get(11..19).unwrap_or(&event.at);
    format!("{time}  {}", one_line(&describe_event(event)))
}

fn describe_event(event: &EventView) -> String {
    let data = &event.data;
    let text = |pointer: &str| data.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let plain = event.kind.as_str().replace(['.', '_'], " ");
    match event.kind {
        EventType::TaskTransitioned => {
            with_reason(format!("{} → {}", text("/from"), text("/to")), text("/reason"))
        }
        EventType::TaskAnnotated if data.get("annotation").is_some_and(Value::is_object) => {
            text("/annotation/message").to_owned()
        }
        EventType::TaskAnnotated => "the problem is solved".to_owned(),
        EventType::ExecutionCreated => with_reason(plain, text("/role")),
        EventType::ReviewStarted => {
            format!("{plain}: attempt {}", data.get("attempt").unwrap_or(&Value::Null))
        }
        EventType::ReviewChecked => format!("{plain}: {}", describe_checks(data)),
        EventType::MergeSentBack => with_reason(plain, text("/to")),
        EventType::WorkspaceError => with_reason(plain, text("/error")),
        EventType::JournalRecorded => with_reason(plain, text("/reason")),
        _ => plain,
    }
}

fn with_reason(text: String, reason: &str) -> String {
    if reason.is_empty() { text } else { format!("{text}: {reason}") }
}

fn describe_checks(data: &Value) -> String {
    let results = data.get("results").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let passed = |result: &&Value| {
        let outcome = result.get("outcome").and_then(Value::as_str);
        matches!(outcome, Some("passed" | "quarantined"))
    };
    let failed = results.iter().find(|result| !passed(result));
    match failed.and_then(|result| result.get("command")).and_then(Value::as_str) {
        Some(command) => format!("`{command}` failed"),
        None if results.is_empty() => "there are no checks".to_owned(),
        None => format!("{} passed", results.len()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use serde_json::json;

    use super::*;

    #[test]
    fn s_4_an_event_is_one_line_for_people() {
        let line = |kind: &str, data: Value| {
            let event = json!({
                "id": "1", "project_id": null, "seq": 1, "type": kind, "task_id": null,
                "actor": { "kind": "system", "component": "x" }, "at": "2026-01-02T03:04:05.678Z", "data": data,
            });
            event_line(&serde_json::from_value(event).expect("an event"))
        };
        let moved = json!({ "from": "todo", "to": "work", "reason": "claimed\nby Ann" });
        assert_eq!(line("task.transitioned", moved), "03:04:05  todo → work: claimed by Ann");
        let results = json!({ "results": [
            { "command": "make", "outcome": "passed" }, { "command": "make test", "outcome": "failed" },
        ] });
        assert_eq!(line("review.checked", results), "03:04:05  review checked: `make test` failed");
        assert_eq!(line("workspace.cleaned", json!({})), "03:04:05  workspace cleaned");
    }
}

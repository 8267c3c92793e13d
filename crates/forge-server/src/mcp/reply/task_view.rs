//! A task as results show it.

use serde_json::{Map, Value, json};

/// The fields of a task that a caller needs to act on it.
const BRIEF: [&str; 13] = [
    "key",
    "id",
    "title",
    "status",
    "phase",
    "version",
    "priority",
    "labels",
    "busy",
    "parent",
    "review_passed_at",
    "archived_at",
    "updated_at",
];

/// The fields of a task that no caller of a tool needs.
const UNNEEDED: [&str; 6] =
    ["project_id", "repo_id", "number", "metadata", "workflow_hash", "created_at"];

/// The short form of a task of the API.
pub(crate) fn task_brief(task: &Value) -> Value {
    let mut brief: Map<String, Value> = BRIEF
        .iter()
        .filter_map(|name| {
            let value = task.get(*name).filter(|value| !value.is_null())?;
            let is_empty = value.as_array().is_some_and(Vec::is_empty);
            (!is_empty).then(|| ((*name).to_owned(), value.clone()))
        })
        .collect();
    if let Some(message) = task.pointer("/error_annotation/message") {
        brief.insert("needs_person".to_owned(), message.clone());
    }
    if let Some(roles) = task["roles"].as_object().filter(|roles| !roles.is_empty()) {
        let holder = |(role, holder): (&String, &Value)| {
            let holder = holder.get("agent").or_else(|| holder.get("agent_id"));
            (role.clone(), holder.cloned().unwrap_or_else(|| json!("a user")))
        };
        brief.insert("roles".to_owned(), Value::Object(roles.iter().map(holder).collect()));
    }
    Value::Object(brief)
}

/// The whole task of the API, without the fields that only programs need.
pub(crate) fn task_output(mut task: Value) -> Value {
    if let Some(object) = task.as_object_mut() {
        for name in UNNEEDED {
            object.remove(name);
        }
    }
    task
}

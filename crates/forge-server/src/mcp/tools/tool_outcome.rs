//! The result of a tool that changes something: the objects of the answer in short form.

use serde_json::{Map, Value, json};

use crate::mcp::reply::{ToolOutput, task_brief};

/// The fields of an execution that a caller needs to follow it.
const EXECUTION: [&str; 6] = ["id", "role", "status", "outcome", "agent_id", "failure"];
/// The fields of an attempt at a gate.
const REVIEW: [&str; 5] = ["id", "attempt_number", "status", "verdict", "feedback"];

/// The schema of [`outcome`].
pub(super) fn outcome_schema() -> Value {
    json!({ "type": "object", "properties": { "task": { "type": "object" } } })
}

/// The answer of the API to a change, in short form.
pub(super) fn outcome(answer: Value) -> ToolOutput {
    if answer["key"].is_string() && answer["phase"].is_string() {
        return ToolOutput::default().with("task", task_brief(&answer));
    }
    let Value::Object(fields) = answer else { return ToolOutput::from_answer(answer) };
    let short = fields.into_iter().map(|(name, value)| {
        let value = match name.as_str() {
            "task" => task_brief(&value),
            "execution" => parts(&value, &EXECUTION),
            _ if value["attempt_number"].is_u64() => parts(&value, &REVIEW),
            "step" => json!({ "id": value["id"], "kind": value["kind"] }),
            _ => value,
        };
        (name, value)
    });
    ToolOutput::from_answer(Value::Object(short.collect()))
}

/// The named fields of an object.
pub(super) fn parts(object: &Value, names: &[&str]) -> Value {
    let part = |name: &&str| object.get(*name).map(|value| ((*name).to_owned(), value.clone()));
    Value::Object(names.iter().filter_map(part).collect::<Map<_, _>>())
}

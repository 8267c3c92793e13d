//! Checks the form of a call's arguments, and proposes the corrected call.

use serde_json::{Map, Value, json};

use crate::mcp::reply::{Correction, ToolRefusal};
use crate::mcp::tool::argument_spec::{ArgumentKind, ArgumentSpec};
use crate::mcp::tool::nearest_name::nearest_name;
use crate::mcp::tool::tool_spec::ToolSpec;

/// Names that callers often use for an argument of another name.
const OTHER_NAMES: [(&str, &str); 10] = [
    ("id", "task"),
    ("key", "task"),
    ("task_id", "task"),
    ("name", "title"),
    ("text", "body"),
    ("comment", "body"),
    ("prompt", "description"),
    ("agent_id", "agent"),
    ("state", "status"),
    ("note", "message"),
];

/// Refuses arguments that the tool does not know, lacks or cannot read. All mistakes are named and corrected together.
pub(crate) fn check_arguments(
    tool: &ToolSpec,
    given: &Map<String, Value>,
) -> Result<(), ToolRefusal> {
    let mut corrected = given.clone();
    let mut unknown = Vec::new();
    let mut wrong = Vec::new();
    for (name, value) in given {
        match tool.argument(name) {
            None => unknown.push(rename(tool, given, &mut corrected, name, value)),
            Some(argument) => {
                wrong.extend(correct_value(argument, value, &mut corrected));
            }
        }
    }
    let mut lacks = None;
    for argument in tool.arguments.iter().filter(|argument| argument.required) {
        let name = argument.name.as_ref();
        if given.get(name).is_some_and(|value| !value.is_null()) {
            continue;
        }
        if corrected.get(name).is_some_and(|value| !value.is_null()) {
            // A misspelt name held its value.
            continue;
        }
        wrong.push(format!("`{name}` is missing"));
        match &argument.example {
            Some(example) => {
                corrected.insert(name.to_owned(), example.clone());
            }
            None => lacks = lacks.or(Some(name)),
        }
    }
    if unknown.is_empty() && wrong.is_empty() {
        return Ok(());
    }
    let code = if unknown.is_empty() { "invalid_field" } else { "unknown_field" };
    let why =
        format!("{}. `try` has the corrected arguments.", [unknown, wrong].concat().join("; "));
    let correction = match lacks {
        None => Correction::Arguments(corrected),
        Some("agent") => Correction::FindAgent,
        Some(_) => Correction::FindTask,
    };
    Err(ToolRefusal::new(code, why).with_correction(correction))
}

/// Gives the value of an unknown argument to the argument that is probably meant, or drops it.
fn rename(
    tool: &ToolSpec,
    given: &Map<String, Value>,
    corrected: &mut Map<String, Value>,
    name: &str,
    value: &Value,
) -> String {
    corrected.remove(name);
    let is_free = |known: &&str| !given.contains_key(*known);
    let known = tool.arguments.iter().map(|argument| argument.name.as_ref()).filter(is_free);
    let usual = OTHER_NAMES.iter().find(|(other, _)| *other == name).map(|(_, meant)| *meant);
    let meant = usual
        .filter(|meant| tool.argument(meant).is_some() && is_free(meant))
        .or_else(|| nearest_name(name, known));
    let Some(argument) = meant.and_then(|meant| tool.argument(meant)) else {
        return format!("there is no argument `{name}`");
    };
    corrected.insert(argument.name.clone().into_owned(), value.clone());
    // The value may have the wrong form as well.
    correct_value(argument, value, corrected);
    format!("there is no argument `{name}`; `{}` is similar", argument.name)
}

/// Says what is wrong with a value, and replaces it.
fn correct_value(
    argument: &ArgumentSpec,
    value: &Value,
    corrected: &mut Map<String, Value>,
) -> Option<String> {
    let name = argument.name.as_ref();
    let (problem, replacement) = match (&argument.kind, value) {
        (_, Value::Null) if !argument.required => {
            corrected.remove(name);
            return None;
        }
        (ArgumentKind::Text, Value::String(_))
        | (ArgumentKind::Boolean, Value::Bool(_))
        | (ArgumentKind::Schema(_), _) => return None,
        (ArgumentKind::Text, other) => {
            let text = match other {
                Value::Number(_) | Value::Bool(_) => Some(json!(other.to_string())),
                Value::Array(items) => items.first().filter(|item| item.is_string()).cloned(),
                _ => None,
            };
            (format!("`{name}` must be text"), text)
        }
        (ArgumentKind::Integer { least, most }, value) => {
            let number = value.as_i64();
            if number.is_some_and(|number| (*least..=*most).contains(&number)) {
                return None;
            }
            let read = value.as_str().and_then(|text| text.trim().parse().ok());
            let whole = value.as_f64().map(|number| number as i64);
            let nearest = number.or(read).or(whole).map(|number: i64| number.clamp(*least, *most));
            let bounds = match (*least, *most) {
                (i64::MIN, _) | (_, i64::MAX) => String::new(),
                _ => format!(" from {least} to {most}"),
            };
            (
                format!("`{name}` must be a whole number{bounds}"),
                nearest.map(|number| json!(number)),
            )
        }
        (ArgumentKind::Boolean, value) => {
            let word = value.as_str().map(str::to_lowercase);
            let is_yes = word.is_some_and(|word| ["true", "yes", "1"].contains(&word.as_str()));
            (format!("`{name}` must be true or false"), Some(json!(is_yes)))
        }
        (ArgumentKind::Choice(words), value) => {
            if value.as_str().is_some_and(|word| words.contains(&word)) {
                return None;
            }
            let nearest = value.as_str().and_then(|word| nearest_name(word, words.iter().copied()));
            let first = argument.required.then(|| words.first().copied()).flatten();
            let problem = format!("`{name}` must be one of {}", words.join(", "));
            (problem, nearest.or(first).map(|word| json!(word)))
        }
        (ArgumentKind::TextList, Value::Array(items)) => {
            if items.iter().all(Value::is_string) {
                return None;
            }
            let text = |item: &Value| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
            let texts: Vec<_> = items.iter().map(text).collect();
            (format!("`{name}` must be a list of texts"), Some(json!(texts)))
        }
        (ArgumentKind::TextList, Value::String(text)) => {
            (format!("`{name}` must be a list of texts"), Some(json!([text])))
        }
        (ArgumentKind::TextList, _) => (format!("`{name}` must be a list of texts"), None),
    };
    match replacement.or_else(|| argument.example.clone().filter(|_| argument.required)) {
        Some(value) => corrected.insert(name.to_owned(), value),
        None => corrected.remove(name),
    };
    Some(problem)
}

//! Text that people send. What git, a shell or a database cannot hold is refused at the door, with its place.

use std::collections::BTreeSet;

use forge_api::ErrorCode;
use serde_json::json;

use crate::failure::Failure;

const LONGEST_LABEL: usize = 100;
const MOST_LABELS: usize = 100;

/// A field with a wrong value.
pub(crate) fn invalid(path: &str, problem: &str) -> Failure {
    Failure::new(ErrorCode::InvalidField, format!("{path}: {problem}"))
        .with_details(json!({ "path": path }))
}

/// Any text; only NUL is refused, which no commit message and no program's argument can hold.
pub(crate) fn free(path: &str, text: String) -> Result<String, Failure> {
    if text.contains('\0') {
        return Err(invalid(path, "a text cannot contain NUL characters"));
    }
    Ok(text)
}

/// Labels: short, visible, each once.
pub(crate) fn labels(path: &str, given: Vec<String>) -> Result<BTreeSet<String>, Failure> {
    for label in &given {
        let problem = if label.trim().is_empty() {
            "a label cannot be empty"
        } else if label.trim() != label {
            "a label cannot begin or end with white space"
        } else if label.chars().count() > LONGEST_LABEL {
            "a label has at most 100 characters"
        } else if label.chars().any(char::is_control) {
            "a label is one line without control characters"
        } else {
            continue;
        };
        return Err(invalid(path, problem));
    }
    let labels: BTreeSet<String> = given.into_iter().collect();
    if labels.len() > MOST_LABELS {
        return Err(invalid(path, "a task has at most 100 labels"));
    }
    Ok(labels)
}

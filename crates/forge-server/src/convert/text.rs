//! Validation of text from clients: refuses what git, a shell or a database cannot hold, and names the field.

use std::collections::BTreeSet;

use forge_api::ErrorCode;
use serde_json::json;

use crate::error::api_error::ApiError;

const LONGEST_LABEL: usize = 100;
const MOST_LABELS: usize = 100;

/// The error for a field with a wrong value.
pub(crate) fn invalid_field_value(path: &str, problem: &str) -> ApiError {
    ApiError::new(ErrorCode::InvalidField, format!("{path}: {problem}"))
        .with_details(json!({ "path": path }))
}

/// Accepts any text without NUL, which neither a commit message nor a program's argument can hold.
pub(crate) fn check_text(path: &str, text: String) -> Result<String, ApiError> {
    if text.contains('\0') {
        return Err(invalid_field_value(path, "a text cannot contain NUL characters"));
    }
    Ok(text)
}

/// Accepts labels that are short, visible and unique.
pub(crate) fn check_labels(path: &str, given: Vec<String>) -> Result<BTreeSet<String>, ApiError> {
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
        return Err(invalid_field_value(path, problem));
    }
    let labels: BTreeSet<String> = given.into_iter().collect();
    if labels.len() > MOST_LABELS {
        return Err(invalid_field_value(path, "a task has at most 100 labels"));
    }
    Ok(labels)
}

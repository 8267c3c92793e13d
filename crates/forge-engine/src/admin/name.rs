//! Names given by users.

use crate::command::errors::EngineError;

const LONGEST: usize = 100;

/// Checks a name for use in lists, commands and files: visible, one line, not an option.
pub fn check(name: &str) -> Result<(), EngineError> {
    let problem = if name.trim().is_empty() {
        "a name cannot be empty"
    } else if name.trim() != name {
        "a name cannot begin or end with white space"
    } else if name.starts_with('-') {
        "a name cannot begin with '-': it would look like an option"
    } else if name.chars().count() > LONGEST {
        "a name has at most 100 characters"
    } else if name.chars().any(|symbol| symbol.is_control() || matches!(symbol, '/' | '\\')) {
        "a name cannot contain control characters, '/' or '\\'"
    } else if name == "." || name == ".." {
        "a name cannot be a path"
    } else {
        return Ok(());
    };
    Err(EngineError::InvalidField { field: "name", problem: problem.to_owned() })
}

/// Converts a name for use in URLs and directory names.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::new();
    for symbol in name.chars() {
        if symbol.is_ascii_alphanumeric() {
            slug.push(symbol.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "project".to_owned() } else { slug.to_owned() }
}

//! A workflow a person names: a built-in one, or a file of their own.

use std::fs;
use std::path::Path;

use forge_api::{ErrorCode, WorkflowChoice};
use forge_domain::workflow::{Definition, Invalid, TEMPLATES};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::text_source;

/// Reads and checks a file; `-` is standard input. The definition comes with the problems, where it could be read.
pub(super) fn check(path: &Path) -> Result<Result<Definition, Invalid>, Failure> {
    let text = if path == Path::new("-") {
        text_source::read("-")?
    } else {
        fs::read_to_string(path).map_err(|error| {
            Failure::usage(format!("{} cannot be read: {error}", path.display()))
        })?
    };
    let checked = Definition::from_toml(&text).and_then(|definition| {
        definition.checked()?;
        Ok(definition)
    });
    Ok(checked.map_err(|invalid| invalid.with_lines_of(&text)))
}

/// What `--workflow` means: a built-in template's name, else a file.
pub(super) fn choose(given: &str) -> Result<WorkflowChoice, Failure> {
    if TEMPLATES.iter().any(|(name, _)| *name == given) {
        return Ok(WorkflowChoice::Template(given.to_owned()));
    }
    if !Path::new(given).is_file() {
        let names: Vec<_> = TEMPLATES.iter().map(|(name, _)| *name).collect();
        return Err(Failure::not_found(format!("`{given}` is neither a workflow nor a file"))
            .hint(format!("workflows: {}", names.join(", "))));
    }
    let definition = check(Path::new(given))?.map_err(|invalid| refusal(&invalid))?;
    match serde_json::to_value(definition) {
        Ok(Value::Object(definition)) => Ok(WorkflowChoice::Inline(definition)),
        Ok(_) | Err(_) => Err(Failure::local(format!("{given} cannot be sent as JSON"))),
    }
}

/// All problems in one failure.
pub(super) fn refusal(invalid: &Invalid) -> Failure {
    Failure::refused(ErrorCode::InvalidWorkflow, invalid.to_string())
        .details(json!({ "problems": invalid.problems }))
}

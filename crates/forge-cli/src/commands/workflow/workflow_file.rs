//! A workflow that a user names: a built-in one, or a file.

use std::fs;
use std::path::Path;

use forge_api::{ErrorCode, WorkflowChoice};
use forge_domain::workflow::{InvalidWorkflowError, TEMPLATES, WorkflowDefinition};
use serde_json::{Value, json};

use crate::cli_error::CliError;
use crate::terminal::text_source;

/// Reads and checks a file; `-` is standard input. Returns the definition, or the problems.
pub(crate) fn check_file(
    path: &Path,
) -> Result<Result<WorkflowDefinition, InvalidWorkflowError>, CliError> {
    let text = if path == Path::new("-") {
        text_source::read_text("-")?
    } else {
        fs::read_to_string(path).map_err(|error| {
            CliError::usage(format!("{} cannot be read: {error}", path.display()))
        })?
    };
    let checked = WorkflowDefinition::from_toml(&text).and_then(|definition| {
        definition.validated()?;
        Ok(definition)
    });
    Ok(checked.map_err(|invalid| invalid.with_lines_of(&text)))
}

/// Resolves `--workflow`: a built-in template's name, otherwise a file.
pub(crate) fn choose_workflow(given: &str) -> Result<WorkflowChoice, CliError> {
    if TEMPLATES.iter().any(|(name, _)| *name == given) {
        return Ok(WorkflowChoice::Template(given.to_owned()));
    }
    if !Path::new(given).is_file() {
        let names: Vec<_> = TEMPLATES.iter().map(|(name, _)| *name).collect();
        return Err(CliError::not_found(format!("`{given}` is neither a workflow nor a file"))
            .hint(format!("workflows: {}", names.join(", "))));
    }
    let definition =
        check_file(Path::new(given))?.map_err(|invalid| invalid_workflow_error(&invalid))?;
    match serde_json::to_value(definition) {
        Ok(Value::Object(definition)) => Ok(WorkflowChoice::Inline(definition)),
        Ok(_) | Err(_) => Err(CliError::local(format!("{given} cannot be sent as JSON"))),
    }
}

/// All problems in one error.
pub(crate) fn invalid_workflow_error(invalid: &InvalidWorkflowError) -> CliError {
    CliError::refused(ErrorCode::InvalidWorkflow, invalid.to_string())
        .details(json!({ "problems": invalid.problems }))
}

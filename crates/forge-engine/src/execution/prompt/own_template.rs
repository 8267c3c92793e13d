//! A project's own prompt templates, by role. Roles without one use the built-in template.

use crate::command::errors::EngineError;
use forge_agent::{PromptTemplate, PromptTemplateError};
use forge_domain::project::{
    InvalidSettingsError, ProjectSettings, SettingsProblem, StoredSettings,
};
use forge_domain::workflow::{RoleName, Workflow};

const FIELD: &str = "settings.prompts";

/// The project's own template for a role, if it has one.
pub(crate) fn own_template(
    settings: &StoredSettings,
    role: &RoleName,
) -> Result<Option<PromptTemplate>, EngineError> {
    let Some(text) = settings.prompt(role.as_str())? else { return Ok(None) };
    match parse(role.as_str(), text) {
        Ok(template) => Ok(Some(template)),
        Err(problem) => Err(InvalidSettingsError::from(problem).into()),
    }
}

/// Templates that cannot be parsed, and templates of roles that the workflow does not have, because they would never be
/// used.
pub(crate) fn prompt_problems(
    settings: &ProjectSettings,
    workflow: &Workflow,
) -> Vec<SettingsProblem> {
    let mut problems = Vec::new();
    for (role, text) in &settings.prompts {
        problems.extend(parse(role, text).err());
        if !workflow.roles().any(|known| known.as_str() == role) {
            let roles: Vec<_> = workflow.roles().map(ToString::to_string).collect();
            let problem =
                format!("the workflow has no role \"{role}\"; its roles are: {}", roles.join(", "));
            problems.push(SettingsProblem::new(FIELD, problem));
        }
    }
    problems
}

fn parse(role: &str, text: &str) -> Result<PromptTemplate, SettingsProblem> {
    PromptTemplate::new(text).map_err(|error| template_problem(role, &error))
}

/// Names the role whose template cannot be used.
pub(crate) fn template_problem(role: &str, error: &PromptTemplateError) -> SettingsProblem {
    SettingsProblem::new(FIELD, format!("the template of \"{role}\": {error}"))
}

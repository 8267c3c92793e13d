//! Checks a project's settings before they are saved; all problems are named together.

use crate::command::errors::EngineError;
use crate::execution::prompt::prompt_problems;
use crate::workspace::naming::NameTemplates;
use crate::workspace::plain_directory::plain_settings_problems;
use forge_domain::WorkspaceType;
use forge_domain::project::{InvalidSettingsError, ProjectSettings};
use forge_domain::workflow::Workflow;

/// Refuses settings with problems, or that contradict the project's workspace type or workflow.
pub(crate) fn check_settings(
    settings: &ProjectSettings,
    workspace_type: WorkspaceType,
    workflow: &Workflow,
) -> Result<(), EngineError> {
    let mut problems = settings.problems();
    problems.extend(NameTemplates::problems(settings));
    problems.extend(plain_settings_problems(workspace_type, settings));
    problems.extend(prompt_problems(settings, workflow));
    Ok(InvalidSettingsError::refuse(problems)?)
}

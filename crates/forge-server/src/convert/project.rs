//! Projects.

use forge_api::{NewProject, Project, ProjectPatch, ProjectSettings, WorkflowRef};
use forge_engine::Engine;
use forge_store::tables;
use serde_json::Value;

use super::task_config::asked_review_config;
use super::time::rfc3339;
use super::{word, workflow_request};
use crate::failure::Failure;
use crate::refusal::internal;

/// A project, with the name of its workflow.
pub(crate) async fn project(
    engine: &Engine,
    row: tables::projects::Project,
) -> Result<Project, Failure> {
    let workflow = engine.workflow(&row.workflow).await?;
    let settings = serde_json::from_value(row.settings)
        .map_err(|error| internal(&format!("the settings of project {}: {error}", row.id)))?;
    Ok(Project {
        id: row.id.uuid(),
        name: row.name,
        slug: row.slug,
        workspace_type: word::parse("workspace_type", &row.workspace_type)?,
        workflow: WorkflowRef {
            name: workflow.definition().name.clone(),
            hash: workflow.hash().to_string(),
        },
        settings,
        paused_at: row.paused_at.map(rfc3339),
        version: u64::try_from(row.version).unwrap_or_default(),
        created_at: rfc3339(row.created_at),
        updated_at: rfc3339(row.updated_at),
    })
}

/// A project that is asked for.
pub(crate) fn asked(asked: NewProject) -> Result<forge_engine::NewProject, Failure> {
    let workspace_type = asked.workspace_type.unwrap_or_default();
    Ok(forge_engine::NewProject {
        name: asked.name,
        workspace_type: word::of_workspace_type(workspace_type).to_owned(),
        workflow: workflow_request::definition(asked.workflow)?,
        settings: settings(asked.settings.unwrap_or_default())?,
    })
}

/// A change that is asked for.
pub(crate) fn asked_patch(asked: ProjectPatch) -> Result<forge_engine::ProjectPatch, Failure> {
    Ok(forge_engine::ProjectPatch {
        // No row ever has a version this large, so it is stale like any other wrong one.
        version: i64::try_from(asked.version).unwrap_or(i64::MAX),
        name: asked.name,
        settings: asked.settings.map(settings).transpose()?,
    })
}

fn settings(asked: ProjectSettings) -> Result<Value, Failure> {
    asked_review_config(asked.default_review_config.clone())?;
    serde_json::to_value(&asked).map_err(|error| internal(&error.to_string()))
}

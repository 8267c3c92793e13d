//! Converts projects.

use forge_api::{NewProject, Project, ProjectPatch, WorkflowRef};
use forge_domain::WorkspaceType;
use forge_engine::Engine;
use forge_store::tables;

use crate::convert::projects::project_settings::{domain_settings, project_settings};
use crate::convert::projects::workflow_request;
use crate::convert::time::rfc3339;
use crate::error::api_error::ApiError;

/// Converts a project row, with the name of its workflow.
pub(crate) async fn project(
    engine: &Engine,
    row: tables::projects::ProjectRow,
) -> Result<Project, ApiError> {
    let workflow = engine.records().workflow(&row.workflow).await?;
    let settings = project_settings(row.settings.or_defaults());
    Ok(Project {
        id: row.id.uuid(),
        name: row.name,
        slug: row.slug,
        workspace_type: workspace_type(row.workspace_type),
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

/// Converts a request to create a project.
pub(crate) fn new_project(asked: NewProject) -> Result<forge_engine::ProjectSpec, ApiError> {
    Ok(forge_engine::ProjectSpec {
        name: asked.name,
        workspace_type: domain_workspace_type(asked.workspace_type.unwrap_or_default()),
        workflow: workflow_request::definition(asked.workflow)?,
        settings: domain_settings(asked.settings.unwrap_or_default()),
    })
}

/// Converts a request to change a project.
pub(crate) fn project_patch(asked: ProjectPatch) -> forge_engine::ProjectChange {
    forge_engine::ProjectChange {
        // No row has a version this large, so it counts as stale like any other wrong version.
        version: i64::try_from(asked.version).unwrap_or(i64::MAX),
        name: asked.name,
        settings: asked.settings.map(domain_settings),
    }
}

fn workspace_type(stored: WorkspaceType) -> forge_api::WorkspaceType {
    match stored {
        WorkspaceType::GitWorktree => forge_api::WorkspaceType::GitWorktree,
        WorkspaceType::PersistentDirectory => forge_api::WorkspaceType::PersistentDirectory,
    }
}

fn domain_workspace_type(asked: forge_api::WorkspaceType) -> WorkspaceType {
    match asked {
        forge_api::WorkspaceType::GitWorktree => WorkspaceType::GitWorktree,
        forge_api::WorkspaceType::PersistentDirectory => WorkspaceType::PersistentDirectory,
    }
}

/// Converts what stays of a removed project.
pub(crate) fn removed_project(kept: forge_engine::RemovedProject) -> forge_api::RemovedProject {
    let repository = |repo: forge_engine::KeptRepository| forge_api::KeptRepository {
        name: repo.name,
        place: repo.place,
        branches: repo.branches,
        journal_entries: repo.journal_entries,
        archived: repo.archived,
    };
    forge_api::RemovedProject {
        repositories: kept.repositories.into_iter().map(repository).collect(),
        directory: kept.directory.map(|directory| directory.0),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn s_1_stored_workspace_types_are_spelled_as_on_the_wire() {
        use forge_api::WorkspaceType::{GitWorktree, PersistentDirectory};
        for wire in [GitWorktree, PersistentDirectory] {
            let stored = domain_workspace_type(wire);
            assert_eq!((json!(stored), workspace_type(stored)), (json!(wire), wire));
        }
    }
}

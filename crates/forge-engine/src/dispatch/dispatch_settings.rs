//! Stores a project's dispatch settings for the scheduler.

use forge_domain::ProjectId;
use forge_domain::project::ProjectDispatchSettings;
use forge_store::{StoreError, Tx, tables};

/// Stores the settings for the scheduler.
pub(crate) async fn put_dispatch_settings(
    tx: &mut Tx,
    project: ProjectId,
    settings: ProjectDispatchSettings,
) -> Result<(), StoreError> {
    if settings.enabled {
        tables::served_projects::enable_project(
            tx,
            project,
            settings.max_concurrent,
            settings.hold_conflicts,
        )
        .await
    } else {
        tables::served_projects::disable_project(tx, project).await
    }
}

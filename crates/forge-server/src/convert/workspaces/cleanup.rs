//! Converts workspace cleanups and orphans (W-7, W-10).

use forge_api::{CleanupDecision, SizeClass, WorkspaceCleanup};
use forge_engine::{OrphanDirectory, RemovalDecision, WorkspaceRemoval};

use crate::convert::time::rfc3339;

/// Converts an orphaned directory.
pub(crate) fn orphan(orphan: &OrphanDirectory) -> forge_api::OrphanView {
    forge_api::OrphanView {
        path: orphan.path.to_string_lossy().into_owned(),
        reason: orphan.cause.to_string(),
        size: match orphan.extent.size {
            forge_engine::DirectorySize::Empty => SizeClass::Empty,
            forge_engine::DirectorySize::Small => SizeClass::Small,
            forge_engine::DirectorySize::Medium => SizeClass::Medium,
            forge_engine::DirectorySize::Large => SizeClass::Large,
        },
        last_change_at: orphan.extent.changed_at.map(rfc3339),
        git_record_in: orphan.recorded_by.clone(),
    }
}

/// Converts an orphaned directory to an entry of a cleanup report.
pub(crate) fn orphan_entry(orphan: &OrphanDirectory) -> WorkspaceCleanup {
    let path = orphan.path.to_string_lossy().into_owned();
    let why = format!("{}; look at it and remove it by hand", orphan.cause);
    WorkspaceCleanup {
        task_id: None,
        key: None,
        path,
        verdict: CleanupDecision::Orphan,
        why,
        saved_under: None,
    }
}

/// Converts the removal of a workspace to an entry of a cleanup report.
pub(crate) fn removal_entry(removal: WorkspaceRemoval) -> WorkspaceCleanup {
    let (verdict, why) = match removal.verdict {
        RemovalDecision::Allowed { why } => (CleanupDecision::WouldBeRemoved, why),
        RemovalDecision::Blocked { by } => (CleanupDecision::Blocked, by),
    };
    WorkspaceCleanup {
        task_id: Some(removal.task.id.uuid()),
        key: Some(removal.task.key().to_string()),
        path: removal.path,
        verdict,
        why,
        saved_under: removal.saved_under,
    }
}

//! Converts conflicts between branches.

use forge_api::{ConflictList, ConflictView, LiveBranch, TargetConflict};
use forge_store::tables::radar::RadarTarget;

use crate::convert::time::rfc3339;

/// Converts the radar's result for a project.
pub(crate) fn conflicts(found: &forge_engine::ProjectConflicts) -> ConflictList {
    ConflictList {
        branches: found.branches.iter().map(branch).collect(),
        conflicts: found.pairs.iter().map(conflict).collect(),
    }
}

fn conflict(found: &forge_engine::BranchConflict) -> ConflictView {
    ConflictView {
        branches: found.branches.iter().map(branch).collect(),
        files: found.files.clone(),
        since: rfc3339(found.since),
    }
}

fn branch(found: &forge_engine::RadarBranch) -> LiveBranch {
    let task = &found.task;
    LiveBranch {
        task_id: task.id.uuid(),
        key: task.key().to_string(),
        title: task.title.clone(),
        status: task.state.to_string(),
        repo_id: found.head.repo_id.uuid(),
        branch: task.workspace.as_ref().map(|place| place.branch.clone()).unwrap_or_default(),
        head: found.head.head.clone(),
        uncommitted: found.is_uncommitted(),
        target: found.head.target.as_ref().map(|target| target.branch.clone()),
        target_conflict: found.head.target.as_ref().and_then(target_conflict),
    }
}

fn target_conflict(target: &RadarTarget) -> Option<TargetConflict> {
    let found = target.conflict.as_ref()?;
    Some(TargetConflict { files: found.files.clone(), since: rfc3339(found.since) })
}

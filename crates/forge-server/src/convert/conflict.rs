//! Branches that clash.

use forge_api::{Conflict, Conflicts, LiveBranch};

use super::time::rfc3339;

/// The radar's picture of a project.
pub(crate) fn conflicts(found: &forge_engine::Conflicts) -> Conflicts {
    Conflicts {
        branches: found.branches.iter().map(branch).collect(),
        conflicts: found.pairs.iter().map(conflict).collect(),
    }
}

fn conflict(found: &forge_engine::Conflict) -> Conflict {
    Conflict {
        branches: found.branches.iter().map(branch).collect(),
        files: found.files.clone(),
        since: rfc3339(found.since),
    }
}

fn branch(found: &forge_engine::LiveBranch) -> LiveBranch {
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
    }
}

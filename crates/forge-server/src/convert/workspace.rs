//! Where a task's executions run (W-16).

use forge_api::{DirtyCounts, Workspace, WorkspaceLock, WorkspaceStatus};
use forge_domain::task::{Activity, Snapshot};
use forge_engine::{WorkspaceFindings, WorkspaceSummary};
use forge_store::tables::executions::Execution;

use super::time::rfc3339;

/// A workspace as clients see it; `run` is the execution that is open, on this node.
pub(crate) fn workspace(
    task: &Snapshot,
    summary: WorkspaceSummary,
    run: Option<&Execution>,
    node: &str,
) -> Workspace {
    let mut seen = Workspace {
        task_id: task.id.uuid(),
        path: summary.recorded.path,
        branch: Some(summary.recorded.branch).filter(|branch| !branch.is_empty()),
        base: Some(summary.recorded.base).filter(|base| !base.is_empty()),
        head: None,
        ahead: None,
        behind: None,
        dirty: None,
        status: WorkspaceStatus::Ready,
        last_error: None,
        lock: run.and_then(|run| lock(run, node)),
    };
    match summary.found {
        WorkspaceFindings::Plain => {}
        WorkspaceFindings::Gone => seen.status = WorkspaceStatus::Cleaned,
        WorkspaceFindings::There { head, ahead, behind, staged, modified, untracked } => {
            seen.head = head;
            seen.ahead = Some(ahead);
            seen.behind = Some(behind);
            seen.dirty = Some(DirtyCounts {
                staged: staged as u64,
                modified: modified as u64,
                untracked: untracked as u64,
            });
        }
        WorkspaceFindings::Corrupted { found } => {
            seen.status = WorkspaceStatus::Corrupted;
            seen.last_error = Some(found);
        }
        WorkspaceFindings::NotRemoved { error } => {
            seen.status = WorkspaceStatus::Error;
            seen.last_error = error;
        }
    }
    match task.activity {
        Some(Activity::Preparing { .. }) => seen.status = WorkspaceStatus::Preparing,
        Some(Activity::Cleaning) => seen.status = WorkspaceStatus::Cleaning,
        _ => {}
    }
    seen
}

/// An agent's process works there; a person's run has none, and Forge's own visits are short.
fn lock(run: &Execution, node: &str) -> Option<WorkspaceLock> {
    Some(WorkspaceLock {
        execution_id: Some(run.id.uuid()),
        node: node.to_owned(),
        pid: u32::try_from(run.process.as_ref()?.pid).ok()?,
        since: rfc3339(run.started_at?),
    })
}

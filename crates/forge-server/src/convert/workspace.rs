//! Where a task's executions run (W-16).

use forge_api::{DirtyCounts, Workspace, WorkspaceLock, WorkspaceStatus};
use forge_domain::Timestamp;
use forge_domain::task::{Activity, Snapshot};
use forge_engine::{EngineError, Holder, WorkspaceFindings, WorkspaceSummary};
use std::time::{SystemTime, UNIX_EPOCH};

use super::time::rfc3339;

/// A workspace as clients see it; `held` is who works in it.
pub(crate) fn workspace(
    task: &Snapshot,
    summary: WorkspaceSummary,
    held: Option<(Holder, SystemTime)>,
) -> Workspace {
    let mut seen = Workspace {
        task_id: task.id.uuid(),
        key: task.key().to_string(),
        title: task.title.clone(),
        project_id: task.project_id.uuid(),
        path: summary.recorded.path,
        branch: Some(summary.recorded.branch),
        base: Some(summary.recorded.base),
        head: None,
        ahead: None,
        behind: None,
        dirty: None,
        status: WorkspaceStatus::Ready,
        last_error: None,
        lock: held.map(lock),
    };
    match summary.found {
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

/// A workspace that could not be looked into.
pub(crate) fn unreadable(
    task: &Snapshot,
    recorded: &forge_domain::task::Workspace,
    error: &EngineError,
    held: Option<(Holder, SystemTime)>,
) -> Workspace {
    let found = WorkspaceFindings::NotRemoved { error: Some(error.to_string()) };
    workspace(task, WorkspaceSummary { recorded: recorded.clone(), found }, held)
}

/// Who has the kernel's lock, as they wrote it down.
fn lock((holder, since): (Holder, SystemTime)) -> WorkspaceLock {
    let since = since.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    let since = Timestamp::from_millis(i64::try_from(since).unwrap_or(i64::MAX));
    WorkspaceLock {
        execution_id: holder.execution.parse().ok(),
        holder: holder.execution,
        node: holder.node,
        pid: holder.process.pid,
        since: rfc3339(since),
    }
}

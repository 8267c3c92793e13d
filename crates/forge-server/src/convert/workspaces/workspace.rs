//! Converts workspaces (W-16).

use forge_api::{DirtyCounts, WorkspaceLock, WorkspaceStatus, WorkspaceView};
use forge_domain::Timestamp;
use forge_domain::task::{TaskActivity, TaskSnapshot};
use forge_engine::{EngineError, LockHolder, WorkspaceFindings, WorkspaceSummary};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::convert::time::rfc3339;

/// Converts a workspace; `held` is the holder of its lock.
pub(crate) fn workspace(
    task: &TaskSnapshot,
    summary: WorkspaceSummary,
    held: Option<(LockHolder, SystemTime)>,
) -> WorkspaceView {
    let mut seen = WorkspaceView {
        task_id: task.id.uuid(),
        key: task.key().to_string(),
        title: task.title.clone(),
        project_id: task.project_id.uuid(),
        path: summary.recorded.path,
        branch: Some(summary.recorded.branch).filter(|branch| !branch.is_empty()),
        base: Some(summary.recorded.base).filter(|base| !base.is_empty()),
        head: None,
        ahead: None,
        behind: None,
        dirty: None,
        status: WorkspaceStatus::Ready,
        last_error: None,
        lock: held.map(lock),
    };
    match summary.found {
        WorkspaceFindings::Plain => {}
        WorkspaceFindings::Gone => seen.status = WorkspaceStatus::Cleaned,
        WorkspaceFindings::Present { head, ahead, behind, staged, modified, untracked } => {
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
        WorkspaceFindings::Unknown { reason } => {
            seen.status = WorkspaceStatus::Unknown;
            seen.last_error = Some(reason);
        }
        WorkspaceFindings::NotRemoved { error } => {
            seen.status = WorkspaceStatus::Error;
            seen.last_error = error;
        }
    }
    match task.activity {
        Some(TaskActivity::Preparing { .. }) => seen.status = WorkspaceStatus::Preparing,
        Some(TaskActivity::Cleaning) => seen.status = WorkspaceStatus::Cleaning,
        _ => {}
    }
    seen
}

/// Converts a workspace that could not be read.
pub(crate) fn unreadable(
    task: &TaskSnapshot,
    recorded: &forge_domain::task::Workspace,
    error: &EngineError,
    held: Option<(LockHolder, SystemTime)>,
) -> WorkspaceView {
    let found = WorkspaceFindings::Unknown { reason: error.to_string() };
    workspace(task, WorkspaceSummary { recorded: recorded.clone(), found }, held)
}

/// Converts the lock holder, as the holder recorded itself.
fn lock((holder, since): (LockHolder, SystemTime)) -> WorkspaceLock {
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

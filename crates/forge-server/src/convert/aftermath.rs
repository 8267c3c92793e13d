//! What follows the work on a task.

use forge_api::{
    CleanupReport, FailedCheck, Landing, LandingOutcome, LandingVerified, OriginKind, Rebase,
    RebaseOutcome, Regression, SuccessorTask, TaskOrigin,
};
use forge_domain::task::{self, Origin, Snapshot, Verified, WorkspaceStatus};
use forge_domain::{Inverted, Rebased};
use forge_engine::Successor;

use super::time::rfc3339;

/// How the branch last met its target.
pub(crate) fn rebase(task: &Snapshot) -> Option<Rebase> {
    let rebase = |outcome, target: &String| Rebase {
        outcome,
        target: target.clone(),
        commit: None,
        files: Vec::new(),
    };
    Some(match task.aftermath.rebased.as_ref()? {
        Rebased::Merged { target, commit } => {
            Rebase { commit: Some(commit.clone()), ..rebase(RebaseOutcome::Merged, target) }
        }
        Rebased::Conflict { target, files, .. } => {
            Rebase { files: files.clone(), ..rebase(RebaseOutcome::Conflict, target) }
        }
        Rebased::UpToDate { target } => rebase(RebaseOutcome::UpToDate, target),
    })
}

/// A task that another's landing led to.
pub(crate) fn successor(found: &Successor) -> SuccessorTask {
    let conflicts = match &found.task.aftermath.inverted {
        Some(Inverted::Conflict { files, .. }) => files.clone(),
        Some(Inverted::Clean { .. }) | None => Vec::new(),
    };
    SuccessorTask { task: super::task::task(&found.task), made: found.made, conflicts }
}

pub(super) fn origin(task: &Snapshot) -> Option<TaskOrigin> {
    let origin = task.aftermath.origin.as_ref()?;
    let kind = match origin {
        Origin::Revert { .. } => OriginKind::Revert,
        Origin::Fix { .. } => OriginKind::Fix,
    };
    Some(TaskOrigin { kind, task_id: origin.of().uuid() })
}

pub(super) fn landing(task: &Snapshot) -> Option<Landing> {
    let landed = task.aftermath.landed.as_ref()?;
    let outcome = match landed.commit {
        Some(_) => LandingOutcome::Merged,
        None => LandingOutcome::NothingToMerge,
    };
    let (commit, target) = (landed.commit.clone(), landed.target.clone());
    let verified = task.aftermath.verified.as_ref().map(|found| match found {
        Verified::Passed => LandingVerified::Passed,
        Verified::Failed => LandingVerified::Failed,
        Verified::Unknown { .. } => LandingVerified::Unknown,
    });
    Some(Landing { outcome, commit, target, verified, at: rfc3339(landed.at) })
}

/// M-10.
pub(super) fn cleanup(task: &Snapshot) -> Option<CleanupReport> {
    let cleaned = task.aftermath.cleaned.as_ref()?;
    // A plain directory is everybody's and stays.
    let gone = task.workspace.as_ref().is_none_or(|workspace| {
        workspace.status == WorkspaceStatus::Cleaned && !workspace.is_plain()
    });
    Some(CleanupReport {
        worktree: gone,
        branch: cleaned.branch,
        record: gone,
        warnings: cleaned.warnings.clone(),
        at: rfc3339(cleaned.at),
    })
}

pub(super) fn regression(task: &Snapshot) -> Option<Regression> {
    let task::Regression { reason, checks, fix, at } = task.aftermath.regression.as_ref()?;
    let check = |check: &task::FailedCheck| FailedCheck {
        name: check.name.clone(),
        url: check.url.clone(),
    };
    Some(Regression {
        reason: reason.clone(),
        checks: checks.iter().map(check).collect(),
        fix_id: fix.uuid(),
        at: rfc3339(*at),
    })
}

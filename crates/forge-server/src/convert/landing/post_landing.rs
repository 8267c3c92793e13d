//! Converts rebases, landings, cleanups and regressions.

use forge_api::{
    CleanupReport, FailedCheck, LandingOutcome, LandingReport, LandingVerified, OriginKind,
    RebaseOutcome, RebaseReport, RegressionReport, SuccessorTask, TaskOrigin,
};
use forge_domain::task::{self, OriginTask, TaskSnapshot, VerificationResult, WorkspaceStatus};
use forge_domain::{RebaseResult, RevertResult};
use forge_engine::SuccessorOutcome;

use crate::convert::time::rfc3339;

/// Result of the last rebase of the branch.
pub(crate) fn rebase(task: &TaskSnapshot) -> Option<RebaseReport> {
    let rebase = |outcome, target: &String| RebaseReport {
        outcome,
        target: target.clone(),
        commit: None,
        files: Vec::new(),
    };
    Some(match task.post_landing.rebased.as_ref()? {
        RebaseResult::Merged { target, commit } => {
            RebaseReport { commit: Some(commit.clone()), ..rebase(RebaseOutcome::Merged, target) }
        }
        RebaseResult::Conflict { target, files, .. } => {
            RebaseReport { files: files.clone(), ..rebase(RebaseOutcome::Conflict, target) }
        }
        RebaseResult::UpToDate { target } => rebase(RebaseOutcome::UpToDate, target),
    })
}

/// Converts a task that reverts or fixes another's landing.
pub(crate) fn successor_task(found: &SuccessorOutcome) -> SuccessorTask {
    let conflicts = match &found.task.post_landing.inverted {
        Some(RevertResult::Conflict { files, .. }) => files.clone(),
        Some(RevertResult::Clean { .. }) | None => Vec::new(),
    };
    SuccessorTask {
        task: crate::convert::tasks::task::task(&found.task),
        made: found.is_new,
        conflicts,
    }
}

pub(crate) fn origin(task: &TaskSnapshot) -> Option<TaskOrigin> {
    let origin = task.post_landing.origin.as_ref()?;
    let kind = match origin {
        OriginTask::Revert { .. } => OriginKind::Revert,
        OriginTask::Fix { .. } => OriginKind::Fix,
    };
    Some(TaskOrigin { kind, task_id: origin.task().uuid() })
}

pub(crate) fn landing(task: &TaskSnapshot) -> Option<LandingReport> {
    let landed = task.post_landing.landed.as_ref()?;
    let outcome = match landed.commit {
        Some(_) => LandingOutcome::Merged,
        None => LandingOutcome::NothingToMerge,
    };
    let (commit, target) = (landed.commit.clone(), landed.target.clone());
    let verified = task.post_landing.verified.as_ref().map(|found| match found {
        VerificationResult::Passed => LandingVerified::Passed,
        VerificationResult::Failed => LandingVerified::Failed,
        VerificationResult::Unknown { .. } => LandingVerified::Unknown,
    });
    Some(LandingReport { outcome, commit, target, verified, at: rfc3339(landed.at) })
}

/// What the cleanup removed (M-10).
pub(crate) fn cleanup(task: &TaskSnapshot) -> Option<CleanupReport> {
    let cleaned = task.post_landing.cleaned.as_ref()?;
    // A plain directory is shared by all tasks and stays.
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

pub(crate) fn regression(task: &TaskSnapshot) -> Option<RegressionReport> {
    let task::RegressionRecord { reason, checks, fix, at } =
        task.post_landing.regression.as_ref()?;
    let check = |check: &task::RegressionCheck| FailedCheck {
        name: check.name.clone(),
        url: check.url.clone(),
    };
    Some(RegressionReport {
        reason: reason.clone(),
        checks: checks.iter().map(check).collect(),
        fix_id: fix.uuid(),
        at: rfc3339(*at),
    })
}

//! The checkouts of a target branch: whether they can follow a landing, and how they do (M-7). A user's local changes
//! are never touched; a landing waits for them instead.

use crate::effects::{EffectContext, EffectError};
use forge_domain::{EffectReport, LandResult};
use forge_git::{BranchName, FastForwardError, HeldCheckouts, LockedRepo, ObjectId};
use std::path::Path;

const LOOK_AGAIN_SECONDS: u64 = 5;

/// A checkout of the target that cannot follow without touching a user's changes, or that is already behind.
pub(crate) async fn find_checkout_obstacle(
    locked: &LockedRepo,
    target: &BranchName,
    old: &ObjectId,
    new: &ObjectId,
) -> Result<Option<LandResult>, EffectError> {
    let can_follow = async {
        locked.finish_checkouts(target, None).await?;
        locked.check_indexes(target).await?;
        for checkout in locked.repo().checkouts_of(target).await? {
            checkout.can_fast_forward(old, new).await?;
        }
        Ok::<_, FastForwardError>(())
    };
    match can_follow.await {
        Ok(()) => Ok(None),
        Err(error) => blocking_changes(error).map(Some),
    }
}

/// Locks the target's checkouts against other gits until they are updated; waits if one cannot follow (M-7).
pub(crate) async fn hold_checkouts(
    effect: &EffectContext,
    locked: &LockedRepo,
    target: &BranchName,
    old: &ObjectId,
    new: &ObjectId,
) -> Result<HeldCheckouts, EffectError> {
    match locked.lock_checkouts(target, old, new).await {
        Ok(held) => Ok(held),
        Err(error) => Err(wait_for_checkout(effect, blocking_changes(error)?)),
    }
}

/// Updates the locked checkouts of a moved branch. The landing is final by then: a checkout that cannot follow as a
/// whole is finished file by file, and the effect is retried until it is.
pub(crate) async fn update_checkouts(
    effect: &EffectContext,
    locked: &LockedRepo,
    mut held: HeldCheckouts,
    branch: &BranchName,
    (old, new): (&ObjectId, &ObjectId),
) -> Result<(), EffectError> {
    let mut complete = true;
    for checkout in held.take_following() {
        let path = checkout.checkout().path().to_owned();
        let followed = match checkout.write_files(locked, old, new).await {
            Ok(written) => {
                effect.pass_fault_point("land.written").await?;
                written.replace_index()
            }
            Err(error) => Err(error),
        };
        if let Err(error) = followed {
            tracing::warn!(checkout = %path.display(), %error, "checkout did not follow the landing as a whole");
            complete = false;
        }
    }
    held.release(locked, branch).await?;
    if complete {
        return Ok(locked.clear_recorded_move(branch)?);
    }
    finish_checkouts(effect, locked, branch, None).await
}

/// Finishes an interrupted update of a branch's checkouts; waits while another git works there.
pub(crate) async fn finish_checkouts(
    effect: &EffectContext,
    locked: &LockedRepo,
    branch: &BranchName,
    also: Option<(&ObjectId, &ObjectId)>,
) -> Result<(), EffectError> {
    match locked.finish_checkouts(branch, also).await {
        Ok(()) => Ok(()),
        Err(error) => Err(wait_for_checkout(effect, blocking_changes(error)?)),
    }
}

/// The landing waits for a person.
pub(crate) fn wait_for_checkout(effect: &EffectContext, dirty: LandResult) -> EffectError {
    EffectError::Waiting {
        report: Box::new(EffectReport::LandingEnded { visit: effect.row.visit, result: dirty }),
        error: "a person's local changes stand in the way".to_owned(),
        patience_seconds: LOOK_AGAIN_SECONDS,
    }
}

/// The landing waits for another git, or for a person who removes its stale lock.
pub(crate) fn target_is_locked(
    effect: &EffectContext,
    target: &BranchName,
    lock: &Path,
) -> EffectError {
    let (target, lock) = (target.to_string(), lock.to_string_lossy().into_owned());
    let error = format!("another git holds {lock}");
    let result = LandResult::TargetLocked { target, lock };
    EffectError::Waiting {
        report: Box::new(EffectReport::LandingEnded { visit: effect.row.visit, result }),
        error,
        patience_seconds: LOOK_AGAIN_SECONDS,
    }
}

/// The local changes for which a checkout cannot follow its branch.
fn blocking_changes(error: FastForwardError) -> Result<LandResult, EffectError> {
    let (path, files, moved_under) = match error {
        FastForwardError::Dirty { path, files } => (path, files, None),
        FastForwardError::Stale { path, branch, files } => (path, files, Some(branch.to_string())),
        FastForwardError::Busy { path, lock } => {
            (path, vec![lock.to_string_lossy().into_owned()], None)
        }
        other => return Err(EffectError::transient(other)),
    };
    let checkout = path.to_string_lossy().into_owned();
    Ok(LandResult::CheckoutDirty { checkout, files, moved_under })
}

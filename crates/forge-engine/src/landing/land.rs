//! Landing (M-6 to M-9): the effect itself, the compare-and-swap of the target ref, and the user's checkout, which is
//! fast-forwarded only where git reports that no local change is touched. The merge train decides what lands when.

use crate::effects::effect_run::EffectRun;
use crate::effects::process_owner::ProcessOwner;
use crate::effects::{EffectError, EffectOutcome};
use crate::landing::publish::LandingPush;
use crate::landing::train::{LandingMode, LandingSettings};
use crate::workspace::locate::{branch_of, directory_of};
use forge_domain::task::AnnotationType;
use forge_domain::{EffectReport, LandResult};
use forge_git::{
    BranchMoveError, BranchName, FastForwardError, HeldCheckouts, LockedRepo, ObjectId, Repo,
};
use serde::{Deserialize, Serialize};
use std::path::Path;

const LOOK_AGAIN_SECONDS: u64 = 5;

/// The planned move of the target ref; a later attempt compares it with the actual ref.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct LandingIntent {
    pub(crate) target: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// The inputs of one landing.
#[derive(Debug)]
pub(crate) struct LandingContext {
    pub(crate) repo: Repo,
    pub(crate) target: BranchName,
    pub(crate) branch: BranchName,
    pub(crate) visit: u64,
    /// The owner of all processes of this landing.
    pub(crate) process_owner: ProcessOwner,
}

pub(crate) fn landing_ended(visit: u64, result: LandResult) -> EffectOutcome {
    EffectOutcome::Report(EffectReport::LandingEnded { visit, result })
}

/// The outcome of a landing whose task has moved on; the domain ignores it.
pub(crate) fn landing_cancelled(visit: u64) -> EffectOutcome {
    landing_ended(visit, LandResult::NothingToMerge { target: String::new() })
}

impl EffectRun<'_> {
    pub(crate) async fn land(&self, visit: u64) -> Result<EffectOutcome, EffectError> {
        let mark = ProcessOwner::of_landing(self.task.landing_mark(visit));
        let guard = self.engine.0.processes.register(mark.uuid());
        self.end_leftovers(mark.uuid()).await?;
        let repo = self.engine.open_task_repo(&self.task).await?;
        if let Some(intent) = self.journalled::<LandingIntent>()
            && let Some(result) = self.resume_journalled_landing(&repo, intent).await?
        {
            return Ok(landing_ended(visit, result));
        }
        if self.task.visit != visit {
            let after_all = Box::pin(self.find_late_merge(&repo)).await?;
            return Ok(after_all
                .map_or_else(|| landing_cancelled(visit), |result| landing_ended(visit, result)));
        }
        self.check_git_settings(&repo).await?;
        self.check_dependencies().await?;
        self.check_landed_outside(&repo).await?;
        self.require_receipt().await?;
        let branch = branch_of(self.workspace()?)?;
        if self.task.reviewed.is_none() {
            self.collect_leftovers(&repo).await?;
        }
        let (target, tip) = self.engine.load_target(&self.task, &repo).await?;
        let Some(head) = repo.tip(&branch).await? else {
            let message = format!("the task's branch {branch} is gone; nothing was landed");
            let directory = self.engine.0.root.directory(&directory_of(self.workspace()?)?);
            return Err(match directory.symlink_metadata() {
                Ok(_) => EffectError::workspace(message),
                Err(_) => EffectError::for_person(
                    AnnotationType::WorkspaceResetRequired,
                    format!(
                        "{message}, and so is its worktree; reset the workspace to start afresh"
                    ),
                ),
            });
        };
        if let Some(reviewed) = self.task.reviewed.clone().filter(|seen| *seen != head.as_str()) {
            // P-3: a commit that was not reviewed does not land.
            let result = LandResult::Unreviewed { reviewed, head: head.to_string() };
            return Ok(landing_ended(visit, result));
        }
        let files = self.engine.reverted_landings(&self.task, &repo, &tip, &head).await?;
        if !files.is_empty() {
            let result = LandResult::RevertsLanded { target: target.to_string(), files };
            return Ok(landing_ended(visit, result));
        }
        let landing = LandingContext { repo, target, branch, visit, process_owner: mark };
        if LandingSettings::of(&self.project.settings)?.mode == LandingMode::PullRequest {
            return Box::pin(self.land_by_pull(&landing, head)).await;
        }
        self.raise_outside_landings(&landing.repo, &landing.target).await?;
        let candidate = self.build_candidate(&landing.repo, &tip, head).await?;
        self.run_in_train(&landing, candidate, &guard.stop).await
    }

    /// Commits what a user left uncommitted in their worktree, because it is part of the submission.
    async fn collect_leftovers(&self, repo: &Repo) -> Result<(), EffectError> {
        let workspace = self.workspace()?;
        let hold = self.lock_workspace(&directory_of(workspace)?).await?;
        if let Some(worktree) = hold.worktree(repo, &branch_of(workspace)?).await?
            && worktree.path().exists()
        {
            worktree.verify().await?;
            let signature =
                self.engine.signature(&self.author().await?, self.row.created_at.millis())?;
            let message = self.commit_message(&self.task.title);
            worktree.commit_all(&message, &signature).await?;
        }
        Ok(())
    }

    /// A checkout of the target that cannot follow without touching a user's changes, or that is already behind.
    pub(crate) async fn find_checkout_obstacle(
        &self,
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

    /// Moves the ref and updates the checkouts; returns false if another process moved it first.
    pub(crate) async fn move_target_branch(
        &self,
        repo: &Repo,
        target: &BranchName,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<bool, EffectError> {
        let published = self.push_landing(repo, target, old, new).await?;
        if matches!(published, LandingPush::TargetMoved) {
            return Ok(false);
        }
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        if matches!(published, LandingPush::NotPushed)
            && repo.tip(target).await?.as_ref() != Some(old)
        {
            return Ok(false);
        }
        let held = self.hold_checkouts(&locked, target, old, new).await?;
        match locked.move_branch(target, new, old, "forge: landed").await {
            Ok(()) => {}
            Err(BranchMoveError::Moved { .. })
                if matches!(published, LandingPush::Pushed { .. }) =>
            {
                // The landing counts on the remote; the user who moved the local branch must reconcile the two.
                tracing::warn!(%target, %new, "local branch moved while the landing was pushed");
                return Ok(true);
            }
            Err(BranchMoveError::Moved { .. }) => return Ok(false),
            Err(BranchMoveError::Locked { lock }) => {
                return Err(self.target_is_locked(target, &lock));
            }
            Err(error) => return Err(error.into()),
        }
        self.pass_fault_point("land.moved").await?;
        self.update_checkouts(&locked, held, target, (old, new)).await?;
        self.pass_fault_point("land.followed").await?;
        self.engine.maintain_pool(self.task.repo_id);
        Ok(true)
    }

    /// Locks the target's checkouts against other gits until they are updated; waits if one cannot follow (M-7).
    pub(crate) async fn hold_checkouts(
        &self,
        locked: &LockedRepo,
        target: &BranchName,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<HeldCheckouts, EffectError> {
        match locked.lock_checkouts(target, old, new).await {
            Ok(held) => Ok(held),
            Err(error) => Err(self.wait_for_checkout(blocking_changes(error)?)),
        }
    }

    /// The landing waits for another git, or for a person who removes its stale lock.
    pub(crate) fn target_is_locked(&self, target: &BranchName, lock: &Path) -> EffectError {
        let (target, lock) = (target.to_string(), lock.to_string_lossy().into_owned());
        let error = format!("another git holds {lock}");
        let result = LandResult::TargetLocked { target, lock };
        EffectError::Waiting {
            report: Box::new(EffectReport::LandingEnded { visit: self.row.visit, result }),
            error,
            patience_seconds: LOOK_AGAIN_SECONDS,
        }
    }

    /// The landing waits for a person.
    pub(crate) fn wait_for_checkout(&self, dirty: LandResult) -> EffectError {
        EffectError::Waiting {
            report: Box::new(EffectReport::LandingEnded { visit: self.row.visit, result: dirty }),
            error: "a person's local changes stand in the way".to_owned(),
            patience_seconds: LOOK_AGAIN_SECONDS,
        }
    }

    /// Checks whether an earlier attempt moved the target as journalled.
    async fn resume_journalled_landing(
        &self,
        repo: &Repo,
        intent: LandingIntent,
    ) -> Result<Option<LandResult>, EffectError> {
        let broken = |error: String| EffectError::workspace(error);
        let target = BranchName::new(intent.target).map_err(|error| broken(error.to_string()))?;
        let old = ObjectId::new(intent.old).map_err(|error| broken(error.to_string()))?;
        let new = ObjectId::new(intent.new).map_err(|error| broken(error.to_string()))?;
        let Some(tip) = repo.tip(&target).await? else { return Ok(None) };
        let landed = repo.is_ancestor(&new, &tip).await?;
        if !landed && !self.remote_contains(repo, &target, &new).await? {
            return Ok(None);
        }
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        self.finish_checkouts(&locked, &target, Some((&old, &new))).await?;
        Ok(Some(LandResult::Merged { commit: new.to_string(), target: target.to_string() }))
    }

    /// Updates the locked checkouts of a moved branch. The landing is final by then: a checkout that cannot follow as a
    /// whole is finished file by file, and the effect is retried until it is.
    pub(crate) async fn update_checkouts(
        &self,
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
                    self.pass_fault_point("land.written").await?;
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
        self.finish_checkouts(locked, branch, None).await
    }

    /// Finishes an interrupted update of a branch's checkouts; waits while another git works there.
    async fn finish_checkouts(
        &self,
        locked: &LockedRepo,
        branch: &BranchName,
        also: Option<(&ObjectId, &ObjectId)>,
    ) -> Result<(), EffectError> {
        match locked.finish_checkouts(branch, also).await {
            Ok(()) => Ok(()),
            Err(error) => Err(self.wait_for_checkout(blocking_changes(error)?)),
        }
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
        other => return Err(EffectError::Transient(other.to_string())),
    };
    let checkout = path.to_string_lossy().into_owned();
    Ok(LandResult::CheckoutDirty { checkout, files, moved_under })
}

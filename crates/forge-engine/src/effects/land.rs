//! Landing (M-6 to M-9): the step itself, the ref that is moved by compare-and-swap, and the person's checkout, which is
//! fast-forwarded only where git says nothing of theirs is touched. What is landed when is told by the target's line.

use super::perform::Step;
use super::publish::Published;
use super::run_mark::RunMark;
use super::site::{branch_of, directory_of};
use super::{Failure, Outcome};
use crate::train::{MergeMode, MergeSettings};
use forge_domain::{LandResult, Report};
use forge_git::{
    BranchName, FastForwardError, HeldCheckout, LockedRepo, MoveError, ObjectId, Repo,
};
use serde::{Deserialize, Serialize};

const LOOK_AGAIN_SECONDS: u64 = 5;

/// What the ref is about to become; compared with what it is if this step is taken up again.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Intent {
    pub(crate) target: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// What a landing is about.
#[derive(Debug)]
pub(super) struct Landing {
    pub(super) repo: Repo,
    pub(super) target: BranchName,
    pub(super) branch: BranchName,
    pub(super) visit: u64,
    /// What everything that runs for it carries.
    pub(super) mark: RunMark,
}

pub(super) fn told(visit: u64, result: LandResult) -> Outcome {
    Outcome::Report(Report::LandingEnded { visit, result })
}

/// The task has moved on; nobody hears this.
pub(super) fn called_off(visit: u64) -> Outcome {
    told(visit, LandResult::NothingToMerge { target: String::new() })
}

impl Step<'_> {
    pub(super) async fn land(&self, visit: u64) -> Result<Outcome, Failure> {
        let mark = RunMark::of_landing(self.task.landing_mark(visit));
        let guard = self.engine.0.runs.enter(mark.uuid());
        self.end_leftovers(mark.uuid()).await?;
        let repo = self.engine.repo_of(&self.task).await?;
        if let Some(intent) = self.journalled::<Intent>()
            && let Some(result) = self.finish_earlier(&repo, intent).await?
        {
            return Ok(told(visit, result));
        }
        if self.task.visit != visit {
            let after_all = Box::pin(self.merged_after_all(&repo)).await?;
            return Ok(after_all.map_or_else(|| called_off(visit), |result| told(visit, result)));
        }
        self.ask_for_receipt().await?;
        let branch = branch_of(self.workspace()?)?;
        if self.task.reviewed.is_none() {
            self.collect_leftovers(&repo).await?;
        }
        let (target, tip) = self.engine.target_of(&self.task, &repo).await?;
        let Some(head) = repo.tip(&branch).await? else {
            let message = format!("the task's branch {branch} is gone; nothing was landed");
            return Err(Failure::workspace(message));
        };
        if let Some(reviewed) = self.task.reviewed.clone().filter(|seen| *seen != head.as_str()) {
            // P-3: what nobody checked does not land.
            let result = LandResult::Unreviewed { reviewed, head: head.to_string() };
            return Ok(told(visit, result));
        }
        let landing = Landing { repo, target, branch, visit, mark };
        if MergeSettings::of(&self.project.settings)?.mode == MergeMode::PullRequest {
            return Box::pin(self.land_by_pull(&landing, head)).await;
        }
        let cargo = self.cargo(&landing.repo, &tip, head).await?;
        self.ride(&landing, cargo, &guard.stop).await
    }

    /// What a person left uncommitted in a worktree they worked in is part of what they handed in.
    async fn collect_leftovers(&self, repo: &Repo) -> Result<(), Failure> {
        let workspace = self.workspace()?;
        let hold = self.hold(&directory_of(workspace)?).await?;
        if let Some(worktree) = hold.worktree(repo, &branch_of(workspace)?).await?
            && worktree.path().exists()
        {
            worktree.verify().await?;
            let signature =
                self.engine.signature(&self.author().await?, self.row.created_at.millis())?;
            let message = self.message(&self.task.title);
            worktree.commit_all(&message, &signature).await?;
        }
        Ok(())
    }

    /// A checkout of the target that cannot follow without touching a person's changes.
    pub(super) async fn obstacle(
        &self,
        repo: &Repo,
        target: &BranchName,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<Option<LandResult>, Failure> {
        for checkout in repo.checkouts_of(target).await? {
            if let Err(error) = checkout.can_fast_forward(old, new).await {
                return in_the_way(error).map(Some);
            }
        }
        Ok(None)
    }

    /// Moves the ref and lets the checkouts follow; false if somebody else moved it first.
    pub(super) async fn advance(
        &self,
        repo: &Repo,
        target: &BranchName,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<bool, Failure> {
        let published = self.publish(repo, target, old, new).await?;
        if matches!(published, Published::Overtaken) {
            return Ok(false);
        }
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        if matches!(published, Published::Nowhere) && repo.tip(target).await?.as_ref() != Some(old)
        {
            return Ok(false);
        }
        let held = self.hold_checkouts(&locked, target, old, new).await?;
        match locked.move_branch(target, new, old, "forge: landed").await {
            Ok(()) => {}
            Err(MoveError::Moved { .. }) if matches!(published, Published::There { .. }) => {
                // It has landed where it counts; whoever moved the branch here brings the two together.
                tracing::warn!(%target, %new, "the branch here was moved while the landing was pushed");
                return Ok(true);
            }
            Err(MoveError::Moved { .. }) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
        self.reach("land.moved").await?;
        follow(&locked, held, old, new).await;
        self.reach("land.followed").await?;
        self.engine.tend_pool(self.task.repo_id);
        Ok(true)
    }

    /// Keeps other gits out of the target's checkouts until they have followed; waits where one cannot follow (M-7).
    pub(super) async fn hold_checkouts(
        &self,
        locked: &LockedRepo,
        target: &BranchName,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<Vec<HeldCheckout>, Failure> {
        match locked.hold_checkouts(target, old, new).await {
            Ok(held) => Ok(held),
            Err(error) => Err(self.stands_in_the_way(in_the_way(error)?)),
        }
    }

    /// The landing waits for a person.
    pub(super) fn stands_in_the_way(&self, dirty: LandResult) -> Failure {
        Failure::Waits {
            report: Box::new(Report::LandingEnded { visit: self.row.visit, result: dirty }),
            error: "a person's local changes stand in the way".to_owned(),
            patience_seconds: LOOK_AGAIN_SECONDS,
        }
    }

    /// An earlier holder of this step had written down what it was about to do: did it?
    async fn finish_earlier(
        &self,
        repo: &Repo,
        intent: Intent,
    ) -> Result<Option<LandResult>, Failure> {
        let broken = |error: String| Failure::workspace(error);
        let target = BranchName::new(intent.target).map_err(|error| broken(error.to_string()))?;
        let old = ObjectId::new(intent.old).map_err(|error| broken(error.to_string()))?;
        let new = ObjectId::new(intent.new).map_err(|error| broken(error.to_string()))?;
        let Some(tip) = repo.tip(&target).await? else { return Ok(None) };
        let landed = repo.is_ancestor(&new, &tip).await?;
        if !landed && !self.arrived_elsewhere(repo, &target, &new).await? {
            return Ok(None);
        }
        let tip = repo.tip(&target).await?.unwrap_or(tip);
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        match locked.hold_checkouts(&target, &old, &tip).await {
            Ok(held) => follow(&locked, held, &old, &tip).await,
            Err(error @ FastForwardError::Busy { .. }) => {
                return Err(self.stands_in_the_way(in_the_way(error)?));
            }
            // The landing is a fact; a checkout that cannot follow any more shows it as a difference.
            Err(error) => tracing::warn!(%error, "a checkout could not follow the landing"),
        }
        Ok(Some(LandResult::Merged { commit: new.to_string(), target: target.to_string() }))
    }
}

/// Brings the checkouts of a branch to where it was moved.
pub(super) async fn follow(
    locked: &LockedRepo,
    held: Vec<HeldCheckout>,
    old: &ObjectId,
    new: &ObjectId,
) {
    for checkout in held {
        let path = checkout.checkout().path().to_owned();
        if let Err(error) = checkout.follow(locked, old, new).await {
            // The landing is a fact; a file that came up in this very moment is the person's, and shows as a difference.
            tracing::warn!(checkout = %path.display(), %error, "a checkout could not follow the landing");
        }
    }
}

/// What of a person's a checkout cannot follow its branch for.
fn in_the_way(error: FastForwardError) -> Result<LandResult, Failure> {
    let (path, files) = match error {
        FastForwardError::Dirty { path, files } => (path, files),
        FastForwardError::Busy { path, lock } => (path, vec![lock.to_string_lossy().into_owned()]),
        other => return Err(Failure::Passing(other.to_string())),
    };
    Ok(LandResult::CheckoutDirty { checkout: path.to_string_lossy().into_owned(), files })
}

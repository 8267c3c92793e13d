use crate::add::{AddError, Begun, WorktreeBranch};
use crate::checkout::Checkout;
use crate::command::Command;
use crate::error::GitError;
use crate::files::{self, Objects, Pace};
use crate::hold::{WorkspaceHold, hide_lock_file};
use crate::lock::LockedRepo;
use crate::member::Member;
use crate::object_id::ObjectId;
use crate::pool::Pool;
use crate::record::Record;
use crate::ref_file;
use crate::ref_name::BranchName;
use crate::short_work::short_work;
use crate::worktree::HeldWorktree;

/// A worktree that left the pool: it is on its branch, its files may still be those of an older commit.
#[derive(Debug)]
#[must_use = "its files may not be those of its branch yet"]
pub struct Adopted {
    worktree: HeldWorktree,
    from: ObjectId,
    to: ObjectId,
}

impl Pool {
    /// Gives a waiting worktree to a task: under the repository's short lock it gets its branch and its place. `None`
    /// when none waits, or when something of an earlier try is there: then
    /// [`Repo::add_worktree`](crate::Repo::add_worktree) makes or finishes it.
    ///
    /// Killed at any point it leaves a worktree that is no longer ready but still in the pool, or a record that
    /// `add_worktree` drops or finishes.
    pub async fn adopt(
        &self,
        hold: &WorkspaceHold,
        branch: &WorktreeBranch,
    ) -> Result<Option<Adopted>, AddError> {
        // Looked at without the lock first: most of the time an empty pool is just that.
        if self.ready().is_empty() {
            return Ok(None);
        }
        let locked = self.locks().acquire(self.repo()).await?;
        hide_lock_file(&locked)?;
        locked.adopt(self, hold, branch).await
    }

    /// The worktree to give away: one at the right commit if there is one. What is not as it should be is left for the
    /// next tending.
    pub(crate) fn choose(
        &self,
        checkouts: &[Checkout],
        commit: &ObjectId,
    ) -> Option<(Member, ObjectId)> {
        let mut chosen: Option<(Member, ObjectId)> = None;
        for checkout in checkouts {
            let Some(number) = self.number_of(checkout.path()) else { continue };
            let member = Member::new(self, number, Record::at(checkout.git_dir()));
            let Some(ready) = member.ready() else { continue };
            if ready.boot != crate::pool_turn::boot() {
                continue;
            }
            if member.is_strange() {
                continue;
            }
            if let Some(problem) = member.problem(&ready.commit) {
                tracing::info!(path = %member.path().display(), problem, "a worktree of the pool is not given away");
                member.clear_ready().ok();
                continue;
            }
            let fits = ready.commit == *commit;
            if fits || chosen.is_none() {
                chosen = Some((member, ready.commit));
            }
            if fits {
                break;
            }
        }
        chosen
    }
}

impl LockedRepo {
    async fn adopt(
        &self,
        pool: &Pool,
        hold: &WorkspaceHold,
        branch: &WorktreeBranch,
    ) -> Result<Option<Adopted>, AddError> {
        let records = self.survey(hold.root()).await?;
        let checkouts = self.check_free(&records, hold, branch).await?;
        let path = hold.path();
        let known = checkouts.iter().any(|checkout| checkout.path() == path);
        if known || path.symlink_metadata().is_ok() {
            return Ok(None);
        }
        let begun = self.begun(branch).await?;
        let to = begun.commit().clone();
        let Some((member, from)) = pool.choose(&checkouts, &to) else { return Ok(None) };
        member.clear_ready()?;
        if matches!(begun, Begun::Not { .. }) {
            let exists = from == to || self.has_commit(&to).await;
            self.create_branch(branch.name(), &to, exists).await?;
        }
        let record = member.record();
        if from != to {
            record.clear_checked_out()?;
        }
        record.drop_history()?;
        record.point_head_at(branch.name())?;
        // The record first: a directory that no record names yet would be in everybody's way.
        record.point_to(&path)?;
        let place = member.path();
        std::fs::rename(&place, &path).map_err(GitError::file("moved", &place))?;
        let worktree = hold.around(self.repo(), record.clone(), branch.name());
        Ok(Some(Adopted { worktree, from, to }))
    }

    async fn has_commit(&self, commit: &ObjectId) -> bool {
        let (common_dir, commit) = (self.repo().common_dir().to_owned(), commit.clone());
        let looking = short_work(move || {
            Objects::open(&common_dir).and_then(|objects| objects.tree_of(&commit)).is_ok()
        });
        looking.await.unwrap_or(false)
    }

    /// Makes a branch where none is. A commit that is checked out exists, so git need not be asked about it.
    pub(crate) async fn create_branch(
        &self,
        branch: &BranchName,
        commit: &ObjectId,
        exists: bool,
    ) -> Result<(), GitError> {
        self.drop_branch_lock(branch).await?;
        let name = branch.to_ref();
        if exists && ref_file::create(self.repo().common_dir(), &name, commit) {
            return Ok(());
        }
        let nothing = "0".repeat(commit.as_str().len());
        Command::write_refs(self, "update-ref")?
            .args(["--create-reflog", "-m", "branch: Created by Forge"])
            .args([name.as_str(), commit.as_str(), nothing.as_str()])
            .run()
            .await?;
        Ok(())
    }
}

impl Adopted {
    /// Brings the files to the branch by what differs, which is nothing when the target did not move.
    pub async fn finish(self) -> Result<HeldWorktree, GitError> {
        let Self { worktree, from, to } = self;
        worktree.hold().show()?;
        if from == to {
            return Ok(worktree);
        }
        let kept = (worktree.hold().turn_to_write().await, worktree.clone());
        let place = worktree.spot();
        let brought =
            files::bring_forward(place, from.clone(), to.clone(), Pace::Hurried, kept).await;
        if let Err(reason) = brought {
            tracing::debug!(%reason, "git brings the files forward");
            let moved = Command::check_out(&worktree)
                .args(["-m", "-u", from.as_str(), to.as_str()])
                .outcome()
                .await?;
            if moved.code() != Some(0) {
                tracing::info!(error = %moved.into_error(), "a worktree of the pool is checked out anew");
                worktree.check_out(None).await?;
                return Ok(worktree);
            }
            worktree.record().set_checked_out()?;
        }
        Ok(worktree)
    }
}

use crate::checkout::checkout_list::Checkout;
use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::command::run_in_place::run_in_place;
use crate::files;
use crate::files::{CheckoutPriority, ObjectDatabase};
use crate::pool::pooled_worktree::PooledWorktree;
use crate::pool::worktree_pool::WorktreePool;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_lookup;
use crate::refs::ref_name::BranchName;
use crate::repo::repo_lock::LockedRepo;
use crate::worktree::add_worktree::{WorktreeAddError, WorktreeBranch, WorktreeBranchState};
use crate::worktree::workspace_lock::{WorkspaceLockGuard, exclude_lock_file};
use crate::worktree::worktree_handle::LockedWorktree;
use crate::worktree::worktree_record::WorktreeRecord;

/// A worktree that left the pool: it is on its branch, its files may still be those of an older commit.
#[derive(Debug)]
#[must_use = "its files may not be those of its branch yet"]
pub struct TakenWorktree {
    worktree: LockedWorktree,
    from: ObjectId,
    to: ObjectId,
}

impl WorktreePool {
    /// Gives a waiting worktree to a task: under the repository's short lock it gets its branch and its place. `None`
    /// when none waits, or when something of an earlier try is there: then
    /// [`Repo::add_worktree`](crate::Repo::add_worktree) makes or finishes it.
    ///
    /// Killed at any point it leaves a worktree that is no longer ready but still in the pool, or a record that
    /// `add_worktree` drops or finishes.
    pub async fn adopt(
        &self,
        hold: &WorkspaceLockGuard,
        branch: &WorktreeBranch,
    ) -> Result<Option<TakenWorktree>, WorktreeAddError> {
        // Looked at without the lock first: most of the time an empty pool is just that.
        if self.ready().is_empty() {
            return Ok(None);
        }
        let locked = self.locks().acquire(self.repo()).await?;
        exclude_lock_file(&locked)?;
        locked.take_pooled_worktree(self, hold, branch).await
    }

    /// The worktree to give away: one at the right commit if there is one. What is not as it should be is left for the
    /// next tending.
    pub(crate) fn choose_ready(
        &self,
        checkouts: &[Checkout],
        commit: &ObjectId,
    ) -> Option<(PooledWorktree, ObjectId)> {
        let mut chosen: Option<(PooledWorktree, ObjectId)> = None;
        for checkout in checkouts {
            let Some(number) = self.number_of(checkout.path()) else { continue };
            let member =
                PooledWorktree::new(self, number, WorktreeRecord::from_git_dir(checkout.git_dir()));
            let Some(ready) = member.ready() else { continue };
            if ready.boot != crate::pool::pool_lock::current_boot_id() {
                continue;
            }
            if member.has_foreign_ignored_files() {
                continue;
            }
            if let Some(problem) = member.find_problem(&ready.commit) {
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
    async fn take_pooled_worktree(
        &self,
        pool: &WorktreePool,
        hold: &WorkspaceLockGuard,
        branch: &WorktreeBranch,
    ) -> Result<Option<TakenWorktree>, WorktreeAddError> {
        let records = self.load_clean_records(hold.root()).await?;
        let checkouts = self.ensure_branch_free(&records, hold, branch).await?;
        let path = hold.path();
        let known = checkouts.iter().any(|checkout| checkout.path() == path);
        if known || path.symlink_metadata().is_ok() {
            return Ok(None);
        }
        let begun = self.load_branch_state(branch).await?;
        let to = begun.commit().clone();
        let Some((member, from)) = pool.choose_ready(&checkouts, &to) else { return Ok(None) };
        member.clear_ready()?;
        if matches!(begun, WorktreeBranchState::Missing { .. }) {
            let exists = from == to || self.has_commit(&to).await;
            self.create_branch(branch.name(), &to, exists).await?;
        }
        let record = member.record();
        if from != to {
            record.clear_checked_out()?;
        }
        record.remove_reflog()?;
        record.set_head_branch(branch.name())?;
        // The record first: a directory that no record names yet would be in the way of every later claim.
        record.set_worktree_path(&path)?;
        let place = member.path();
        std::fs::rename(&place, &path).map_err(GitError::file("moved", &place))?;
        let worktree = hold.wrap_worktree(self.repo(), record.clone(), branch.name());
        Ok(Some(TakenWorktree { worktree, from, to }))
    }

    pub(crate) async fn has_commit(&self, commit: &ObjectId) -> bool {
        let (common_dir, commit) = (self.repo().common_dir().to_owned(), commit.clone());
        let looking = run_in_place(move || {
            ObjectDatabase::open(&common_dir).and_then(|objects| objects.tree_of(&commit)).is_ok()
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
        if exists && ref_lookup::create_ref(self.repo().common_dir(), &name, commit) {
            return Ok(());
        }
        let nothing = "0".repeat(commit.as_str().len());
        GitCommand::write_refs(self, "update-ref")?
            .args(["--create-reflog", "-m", "branch: Created by Forge"])
            .args([name.as_str(), commit.as_str(), nothing.as_str()])
            .run()
            .await?;
        Ok(())
    }
}

impl TakenWorktree {
    /// Brings the files to the branch by what differs, which is nothing when the target did not move.
    pub async fn finish(self) -> Result<LockedWorktree, GitError> {
        let Self { worktree, from, to } = self;
        worktree.workspace_lock().write_lock_file()?;
        if from == to {
            return Ok(worktree);
        }
        let kept = (worktree.workspace_lock().lock_writes().await, worktree.clone());
        let place = worktree.location();
        let brought = files::update_checkout(
            place,
            from.clone(),
            to.clone(),
            CheckoutPriority::Foreground,
            kept,
        )
        .await;
        if let Err(reason) = brought {
            tracing::debug!(%reason, "git brings the files forward");
            let moved = GitCommand::check_out(&worktree)
                .args(["-m", "-u", from.as_str(), to.as_str()])
                .output()
                .await?;
            if moved.code() != Some(0) {
                tracing::info!(error = %moved.into_error(), "a worktree of the pool is checked out anew");
                worktree.check_out().await?;
                return Ok(worktree);
            }
            worktree.record().set_checked_out()?;
        }
        Ok(worktree)
    }
}

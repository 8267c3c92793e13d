use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::checkout::checkout_list::Checkout;
use crate::checkout::fast_forward::FastForwardError;
use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::index::index_lock::IndexLock;
use crate::index::private_index::PrivateIndex;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::BranchName;
use crate::repo::repo_lock::LockedRepo;

/// How often a checkout is examined again when another git changed its index in between.
pub(crate) const MAX_ATTEMPTS: usize = 3;
/// How often, and how long each time, a landing waits for another git in a main checkout that is on another branch: half a
/// second in all.
const LOCK_RETRIES: usize = 100;
const LOCK_RETRY_DELAY: Duration = Duration::from_millis(5);

/// A checkout whose index is locked, and that can go forward. While its branch is moved no commit can be made from an index
/// that is behind the branch, which would take back what landed (M-7). Released when dropped.
#[derive(Debug)]
pub struct LockedCheckout {
    checkout: Checkout,
    lock: IndexLock,
    index: PrivateIndex,
}

/// The checkouts that are locked while a branch moves.
#[derive(Debug)]
pub struct HeldCheckouts {
    following: Vec<LockedCheckout>,
    /// The git directories of all of them, also after [`HeldCheckouts::take_following`].
    git_dirs: Vec<PathBuf>,
    /// The lock of the main checkout while it is on another branch. A `git switch` to the branch reads where the branch is,
    /// writes the files of that commit, and only then moves `HEAD`: if the branch moved in between, the checkout would
    /// be on the branch with the files from before the move.
    main_checkout: Option<IndexLock>,
}

impl HeldCheckouts {
    /// The checkouts that have to follow the branch, once.
    pub fn take_following(&mut self) -> Vec<LockedCheckout> {
        std::mem::take(&mut self.following)
    }

    /// Releases the checkouts after the branch was moved, and brings forward one that switched to the branch meanwhile.
    pub async fn release(
        mut self,
        locked: &LockedRepo,
        branch: &BranchName,
    ) -> Result<(), GitError> {
        self.following.clear();
        self.main_checkout.take();
        for checkout in locked.repo().checkouts_of(branch).await? {
            if self.git_dirs.iter().any(|known| known == checkout.git_dir()) {
                continue;
            }
            match locked.check_index(branch, &checkout).await {
                Ok(_) => {}
                Err(FastForwardError::Git(error)) => return Err(error),
                // The branch has moved; the next landing there waits for this checkout and says why.
                Err(error) => tracing::warn!(%branch, %error, "checkout is not up to date"),
            }
        }
        Ok(())
    }
}

impl LockedRepo {
    /// Holds every checkout of a branch that is about to go from `old` to `new`, and records the move. Finishes first what an
    /// earlier move left unfinished; if a checkout is behind for another reason or cannot follow, none is held and the branch
    /// must not be moved.
    pub async fn lock_checkouts(
        &self,
        branch: &BranchName,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<HeldCheckouts, FastForwardError> {
        self.finish_checkouts(branch, None).await?;
        self.check_indexes(branch).await?;
        let mut main_checkout = self.lock_main_checkout(branch).await?;
        let checkouts = self.repo().checkouts_of(branch).await?;
        if checkouts.iter().any(|checkout| checkout.git_dir() == self.repo().common_dir()) {
            main_checkout = None;
        }
        let mut following = Vec::new();
        for checkout in checkouts {
            let held = LockedCheckout::lock(checkout, old, new).await?;
            // A checkout that switched to another branch meanwhile does not follow this one.
            let still = self.repo().checkouts_of(branch).await?;
            if still.iter().any(|found| found.git_dir() == held.checkout.git_dir()) {
                following.push(held);
            }
        }
        if !following.is_empty() {
            self.record_move(branch, old, new)?;
        }
        let git_dirs = following.iter().map(|held| held.checkout.git_dir().to_owned()).collect();
        Ok(HeldCheckouts { following, git_dirs, main_checkout })
    }

    /// Locks the main checkout while it is on another branch. If another git keeps its lock for long, as one with an open
    /// editor does, the landing goes on without.
    #[expect(
        clippy::disallowed_methods,
        reason = "another git's lock file gives no sign to wait for"
    )]
    async fn lock_main_checkout(&self, branch: &BranchName) -> Result<Option<IndexLock>, GitError> {
        let checkouts = self.repo().checkouts().await?;
        let is_main = |found: &&Checkout| found.git_dir() == self.repo().common_dir();
        let Some(main) = checkouts.iter().find(is_main) else { return Ok(None) };
        if main.branch() == Some(branch) || !main.path().is_dir() {
            return Ok(None);
        }
        let file = main.index_lock();
        for _ in 0..LOCK_RETRIES {
            if let Some(lock) = acquire_index_lock(&file)? {
                return Ok(Some(lock));
            }
            tokio::time::sleep(LOCK_RETRY_DELAY).await;
        }
        acquire_index_lock(&file)
    }

    /// Removes the record of a branch's move once its checkouts have followed.
    pub fn clear_recorded_move(&self, branch: &BranchName) -> Result<(), GitError> {
        self.forget_move(branch)
    }
}

/// Takes the lock of an index, or `None` while another git has it.
pub(crate) fn acquire_index_lock(file: &Path) -> Result<Option<IndexLock>, GitError> {
    IndexLock::acquire(file.to_owned()).map_err(GitError::file("created", file))
}

impl LockedCheckout {
    /// Looks first and locks then: a person's git is kept out for no longer than it takes to follow.
    async fn lock(
        checkout: Checkout,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<Self, FastForwardError> {
        let file = checkout.index_lock();
        for _ in 0..MAX_ATTEMPTS {
            let index = checkout.check_on_index_copy(old, new).await?;
            let Some(lock) = acquire_index_lock(&file)? else { continue };
            if index.matches_index_of(checkout.git_dir()) {
                return Ok(Self { checkout, lock, index });
            }
        }
        Err(FastForwardError::Busy { path: checkout.path().to_owned(), lock: file })
    }

    /// The checkout whose index is locked.
    pub fn checkout(&self) -> &Checkout {
        &self.checkout
    }

    /// Brings the files from `old` to `new` after the branch was moved there, by git's own two-way merge. The index follows
    /// with [`HeldCheckout::replace_index`].
    pub async fn write_files(
        self,
        locked: &LockedRepo,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<Self, FastForwardError> {
        if self.checkout.repo().common_dir() != locked.repo().common_dir() {
            return Err(FastForwardError::OtherRepository(self.checkout.path().to_owned()));
        }
        let command = GitCommand::fast_forward(&self.checkout, locked, "read-tree")?
            .with_index(self.index.path())
            .args(["-m", "-u", old.as_str(), new.as_str()]);
        // A caller that goes away does not let go of the checkout in the middle of its files.
        let writing = tokio::spawn(async move { command.run().await.map(|_| self) });
        let lost = |error: tokio::task::JoinError| {
            GitError::unexpected("read-tree", error.to_string().as_bytes())
        };
        Ok(writing.await.map_err(lost)??)
    }

    /// Puts the index that goes with the files in place, and lets the checkout go.
    pub fn replace_index(self) -> Result<(), FastForwardError> {
        let Self { checkout, lock, index } = self;
        let own = checkout.git_dir().join("index");
        Ok(lock.replace(index.path(), &own).map_err(GitError::file("replaced", &own))?)
    }

    /// Both, one after the other.
    pub async fn fast_forward(
        self,
        locked: &LockedRepo,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<(), FastForwardError> {
        self.write_files(locked, old, new).await?.replace_index()
    }
}

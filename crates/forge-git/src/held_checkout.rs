use crate::checkout::Checkout;
use crate::command::Command;
use crate::error::GitError;
use crate::fast_forward::FastForwardError;
use crate::index_lock::IndexLock;
use crate::lock::LockedRepo;
use crate::object_id::ObjectId;
use crate::private_index::PrivateIndex;
use crate::ref_name::BranchName;

/// A person's git that runs meanwhile is done in a moment.
const MOST_LOOKS: usize = 3;

/// A checkout in which nobody else's git begins anything, and that can go forward. While its branch is moved no commit can
/// come of an index that is behind its branch, which would take back what landed (M-7). Let go when dropped.
#[derive(Debug)]
pub struct HeldCheckout {
    checkout: Checkout,
    lock: IndexLock,
    index: PrivateIndex,
    /// Somebody died after the files went forward and before the index did.
    has_files: bool,
}

impl LockedRepo {
    /// Holds every checkout of a branch that is about to go from `old` to `new`. If one of them cannot follow, none is held
    /// and nothing has changed.
    pub async fn hold_checkouts(
        &self,
        branch: &BranchName,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<Vec<HeldCheckout>, FastForwardError> {
        let mut held = Vec::new();
        for checkout in self.repo().checkouts_of(branch).await? {
            let one = HeldCheckout::take(checkout, old, new).await?;
            // Whoever switched to another branch meanwhile has nothing to do with this one.
            let still = self.repo().checkouts_of(branch).await?;
            if still.iter().any(|found| found.git_dir() == one.checkout.git_dir()) {
                held.push(one);
            }
        }
        Ok(held)
    }
}

impl HeldCheckout {
    /// Looks first and locks then: a person's git is kept out for no longer than it takes to follow.
    async fn take(
        checkout: Checkout,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<Self, FastForwardError> {
        let file = checkout.index_lock();
        for _ in 0..MOST_LOOKS {
            let (index, has_files) = match checkout.look_ahead(old, new).await {
                Ok(index) => (index, false),
                Err(error) => match checkout.index_of_files_at(old, new).await? {
                    Some(index) => (index, true),
                    None => return Err(error),
                },
            };
            let taken = IndexLock::take(file.clone(), index.directory())
                .map_err(GitError::file("created", &file))?;
            let Some(lock) = taken else { continue };
            if index.is_of(checkout.git_dir()) {
                return Ok(Self { checkout, lock, index, has_files });
            }
        }
        Err(FastForwardError::Busy { path: checkout.path().to_owned(), lock: file })
    }

    /// The checkout.
    pub fn checkout(&self) -> &Checkout {
        &self.checkout
    }

    /// Brings index and files from `old` to `new` after the branch was moved there, by git's own two-way merge. Repeating
    /// it once it is done changes nothing.
    pub async fn follow(
        self,
        locked: &LockedRepo,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<(), FastForwardError> {
        let Self { checkout, lock, index, has_files } = self;
        if checkout.repo().common_dir() != locked.repo().common_dir() {
            return Err(FastForwardError::OtherRepository(checkout.path().to_owned()));
        }
        let command = Command::fast_forward(&checkout, locked, "read-tree")?
            .index(index.path())
            .args(["-m", "-u", old.as_str(), new.as_str()]);
        let own = checkout.git_dir().join("index");
        // Nobody who loses interest ends it between the files and the index.
        let following = tokio::spawn(async move {
            if !has_files {
                command.run().await?;
            }
            lock.replace(index.path(), &own).map_err(GitError::file("replaced", &own))
        });
        let ended = following.await;
        let lost = |error: tokio::task::JoinError| {
            GitError::unexpected("read-tree", error.to_string().as_bytes())
        };
        Ok(ended.map_err(lost)??)
    }
}

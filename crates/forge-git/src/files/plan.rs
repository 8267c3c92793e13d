use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::declined::Declined;
use super::listing::Listing;
use super::objects::Objects;
use crate::object_id::ObjectId;
use crate::repo::Repo;

/// All files of a commit, and where their content is read.
#[derive(Debug)]
pub(crate) struct Plan {
    commit: ObjectId,
    pub(super) objects: Objects,
    pub(super) listing: Listing,
}

/// A plan that is being made beside other work.
#[derive(Debug)]
pub(crate) struct Planning {
    commit_found: Option<oneshot::Receiver<()>>,
    plan: JoinHandle<Result<Plan, Declined>>,
}

impl Plan {
    pub(super) fn of(repo: &Repo, commit: ObjectId) -> Result<Self, Declined> {
        Self::make(repo, commit, || {})
    }

    fn make(repo: &Repo, commit: ObjectId, commit_found: impl FnOnce()) -> Result<Self, Declined> {
        let objects = Objects::of(repo)?;
        let tree = objects.tree_of(&commit)?;
        commit_found();
        let listing = Listing::of(&objects, tree)?;
        Ok(Self { commit, objects, listing })
    }

    pub(super) fn is_of(&self, commit: &ObjectId) -> bool {
        self.commit == *commit
    }
}

impl Planning {
    pub(crate) fn begin(repo: Repo, commit: ObjectId) -> Self {
        let (found, commit_found) = oneshot::channel();
        // Whoever does not wait for it any more need not know.
        let tell = || {
            found.send(()).ok();
        };
        let plan = tokio::task::spawn_blocking(move || Plan::make(&repo, commit, tell));
        Self { commit_found: Some(commit_found), plan }
    }

    /// Whether the commit is there, as far as can be told without git. Known long before the plan.
    pub(crate) async fn has_found_commit(&mut self) -> bool {
        match self.commit_found.take() {
            Some(found) => found.await.is_ok(),
            None => false,
        }
    }

    pub(crate) async fn finish(self) -> Option<Plan> {
        self.plan.await.ok()?.ok()
    }
}

//! Fetching from where a repository was cloned: before each claim, but once for all claims that wait for it.

use crate::effects::Failure;
use crate::engine::Engine;
use forge_domain::RepoId;
use forge_git::{BranchName, Followed, RemoteRepo, Repo};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::time::Instant;

type Began = Arc<tokio::sync::Mutex<Option<Instant>>>;

/// When the last fetch of each branch of a repository began.
#[derive(Debug, Default)]
pub(crate) struct Fetches(Mutex<HashMap<(RepoId, BranchName), Began>>);

impl Fetches {
    fn of(&self, repo: RepoId, branch: &BranchName) -> Began {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry((repo, branch.clone())).or_default())
    }
}

impl Engine {
    /// Brings a clone's branch up to date. One that cannot be reached now is used as it is: work goes on without a
    /// network, and what is behind shows when it lands.
    pub(crate) async fn refresh(
        &self,
        id: RepoId,
        repo: &Repo,
        remote: &RemoteRepo,
        branch: &BranchName,
    ) -> Result<(), Failure> {
        let asked = Instant::now();
        let turn = self.0.fetches.of(id, branch);
        let mut began = turn.lock().await;
        // One that began after this was asked for has seen all there was to see.
        if began.is_none_or(|began| began < asked) {
            let now = Instant::now();
            match repo.fetch(remote, &self.0.repo_locks, branch).await {
                Ok(_) => *began = Some(now),
                Err(error) => {
                    tracing::warn!(url = %remote, %error, "could not be fetched; going on with what is here");
                    return Ok(());
                }
            }
        }
        drop(began);
        match repo.follow_remote(&self.0.repo_locks, branch).await? {
            Followed::Diverged { ours, theirs } => {
                tracing::warn!(url = %remote, %branch, %ours, %theirs, "what landed here and what is there have parted; ours stays");
            }
            Followed::Rewritten(theirs) => {
                tracing::warn!(url = %remote, %branch, %theirs, "its history was written anew; ours follows");
            }
            Followed::Unchanged | Followed::Moved(_) | Followed::Absent => {}
        }
        Ok(())
    }
}

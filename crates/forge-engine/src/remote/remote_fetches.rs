//! Fetches from a repository's origin before each claim, once for all claims that wait for it.

use crate::effects::EffectError;
use crate::remote::access::Remotes;
use forge_domain::RepoId;
use forge_git::{BranchName, FollowOutcome, RemoteRepo, Repo};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::time::Instant;

type FetchStart = Arc<tokio::sync::Mutex<Option<Instant>>>;

/// When the last fetch of each branch started.
#[derive(Debug, Clone, Default)]
pub(crate) struct RemoteFetches(Arc<Mutex<HashMap<(RepoId, BranchName), FetchStart>>>);

impl RemoteFetches {
    fn fetch_start(&self, repo: RepoId, branch: &BranchName) -> FetchStart {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry((repo, branch.clone())).or_default())
    }
}

impl Remotes {
    /// Fetches a clone's branch. If the remote is unreachable the local state is used: work continues offline, and the
    /// difference shows at landing.
    pub(crate) async fn fetch_remote_branch(
        &self,
        id: RepoId,
        repo: &Repo,
        remote: &RemoteRepo,
        branch: &BranchName,
    ) -> Result<(), EffectError> {
        let asked = Instant::now();
        let turn = self.fetches.fetch_start(id, branch);
        let mut began = turn.lock().await;
        // A fetch that started after this request has seen everything.
        if began.is_none_or(|began| began < asked) {
            let now = Instant::now();
            match repo.fetch(remote, &self.repo_locks, branch).await {
                Ok(_) => *began = Some(now),
                Err(error) => {
                    tracing::warn!(url = %remote, %error, "fetch failed; using the local state");
                    return Ok(());
                }
            }
        }
        drop(began);
        match repo.follow_remote(&self.repo_locks, branch).await? {
            FollowOutcome::Diverged { ours, theirs } => {
                tracing::warn!(url = %remote, %branch, %ours, %theirs, "local and remote branch diverged; keeping the local one");
            }
            FollowOutcome::Rewritten(theirs) => {
                tracing::warn!(url = %remote, %branch, %theirs, "remote history was rewritten; following it");
            }
            FollowOutcome::Unchanged
            | FollowOutcome::FastForwarded(_)
            | FollowOutcome::BranchMissing => {}
        }
        Ok(())
    }
}

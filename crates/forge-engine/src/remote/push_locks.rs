//! Serialises pushes to a repository: concurrent ones would only reject each other.

use forge_domain::RepoId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// One push lock per repository; clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct PushLocks(Arc<Mutex<HashMap<RepoId, Arc<tokio::sync::Mutex<()>>>>>);

impl PushLocks {
    /// Waits for the repository's push lock.
    pub(crate) async fn lock_repo(&self, repo: RepoId) -> OwnedMutexGuard<()> {
        let turn = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(repo).or_default())
        };
        turn.lock_owned().await
    }
}

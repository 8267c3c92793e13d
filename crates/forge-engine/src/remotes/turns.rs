//! One push at a time to each repository: those that meet there would only refuse each other.

use forge_domain::RepoId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// Whose turn it is.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<HashMap<RepoId, Arc<tokio::sync::Mutex<()>>>>);

impl Turns {
    /// Waits for the repository's turn.
    pub(crate) async fn take(&self, repo: RepoId) -> OwnedMutexGuard<()> {
        let turn = {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(repo).or_default())
        };
        turn.lock_owned().await
    }
}

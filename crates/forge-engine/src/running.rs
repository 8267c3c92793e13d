//! What this process is doing right now, by mark: how a stop reaches the run it stops.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// The runs under way on this node.
#[derive(Debug, Clone, Default)]
pub(crate) struct Runs(Arc<Mutex<HashMap<Uuid, Entry>>>);

#[derive(Debug, Clone)]
struct Entry {
    stop: CancellationToken,
    ended: CancellationToken,
    written: watch::Sender<u64>,
}

/// One run under way; its end is told when this value goes.
#[derive(Debug)]
pub(crate) struct RunGuard {
    runs: Runs,
    mark: Uuid,
    /// Cancelled when the run is to stop.
    pub(crate) stop: CancellationToken,
    /// Tells how many events its log has.
    pub(crate) written: watch::Sender<u64>,
    ended: CancellationToken,
}

impl Runs {
    /// Says that a run begins.
    pub(crate) fn enter(&self, mark: Uuid) -> RunGuard {
        let entry = Entry {
            stop: CancellationToken::new(),
            ended: CancellationToken::new(),
            written: watch::Sender::new(0),
        };
        self.map().insert(mark, entry.clone());
        let Entry { stop, ended, written } = entry;
        RunGuard { runs: self.clone(), mark, stop, written, ended }
    }

    /// Asks a run to stop and waits for its end; returns at once if there is none.
    pub(crate) async fn stop(&self, mark: Uuid) {
        let entry = self.map().get(&mark).cloned();
        if let Some(entry) = entry {
            entry.stop.cancel();
            entry.ended.cancelled().await;
        }
    }

    /// Tells how many events the log of a run has.
    pub(crate) fn written(&self, mark: Uuid) -> Option<watch::Receiver<u64>> {
        self.map().get(&mark).map(|entry| entry.written.subscribe())
    }

    /// The marks of everything under way.
    pub(crate) fn marks(&self) -> Vec<Uuid> {
        self.map().keys().copied().collect()
    }

    fn map(&self) -> std::sync::MutexGuard<'_, HashMap<Uuid, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunGuard {
    fn drop(&mut self) {
        self.runs.map().remove(&self.mark);
        self.ended.cancel();
    }
}

//! The work in progress of this process, by process mark, so that a stop reaches it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Executions, reviews and landings in progress on this node.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProcessRegistry(Arc<Mutex<HashMap<Uuid, ProcessEntry>>>);

#[derive(Debug, Clone)]
struct ProcessEntry {
    stop: CancellationToken,
    ended: CancellationToken,
    written: watch::Sender<u64>,
}

/// One piece of work in progress; dropping this value signals its end.
#[derive(Debug)]
pub(crate) struct ProcessGuard {
    runs: ProcessRegistry,
    mark: Uuid,
    /// Cancelled to stop the work.
    pub(crate) stop: CancellationToken,
    /// Publishes the number of transcript events.
    pub(crate) written: watch::Sender<u64>,
    ended: CancellationToken,
}

impl ProcessRegistry {
    /// Registers a piece of work.
    pub(crate) fn register(&self, mark: Uuid) -> ProcessGuard {
        let entry = ProcessEntry {
            stop: CancellationToken::new(),
            ended: CancellationToken::new(),
            written: watch::Sender::new(0),
        };
        self.map().insert(mark, entry.clone());
        let ProcessEntry { stop, ended, written } = entry;
        ProcessGuard { runs: self.clone(), mark, stop, written, ended }
    }

    /// Requests a stop and waits for the end; returns at once if nothing carries the mark.
    pub(crate) async fn stop(&self, mark: Uuid) {
        let entry = self.map().get(&mark).cloned();
        if let Some(entry) = entry {
            entry.stop.cancel();
            entry.ended.cancelled().await;
        }
    }

    /// Subscribes to the number of transcript events.
    pub(crate) fn subscribe_events(&self, mark: Uuid) -> Option<watch::Receiver<u64>> {
        self.map().get(&mark).map(|entry| entry.written.subscribe())
    }

    /// The marks of all work in progress.
    pub(crate) fn marks(&self) -> Vec<Uuid> {
        self.map().keys().copied().collect()
    }

    fn map(&self) -> std::sync::MutexGuard<'_, HashMap<Uuid, ProcessEntry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ProcessGuard {
    fn drop(&mut self) {
        self.runs.map().remove(&self.mark);
        self.ended.cancel();
    }
}

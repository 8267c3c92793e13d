use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::tree::process_row::ProcessRow;

/// Largest age of a shared snapshot.
const LARGEST_AGE: Duration = Duration::from_millis(400);

/// A recent copy of the process table. Two hundred supervised programs that are each sampled twice a second share one
/// read.
#[derive(Debug)]
pub(crate) struct ProcessSnapshot {
    pub(crate) rows: Vec<ProcessRow>,
    taken: Instant,
}

static LATEST: Mutex<Option<Arc<ProcessSnapshot>>> = Mutex::new(None);

impl ProcessSnapshot {
    /// The latest snapshot, or a new one when that is too old.
    pub(crate) fn recent() -> Arc<Self> {
        let mut latest = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
        match &*latest {
            Some(snapshot) if snapshot.taken.elapsed() < LARGEST_AGE => Arc::clone(snapshot),
            _ => {
                let taken = Instant::now();
                let snapshot = Arc::new(Self { rows: ProcessRow::load_all(), taken });
                *latest = Some(Arc::clone(&snapshot));
                snapshot
            }
        }
    }
}

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::table::Row;

/// How old a shared view may be.
const FRESH: Duration = Duration::from_millis(400);

/// The process table as it was a moment ago. Two hundred runs that each look twice a second share one reading.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) rows: Vec<Row>,
    taken: Instant,
}

static LATEST: Mutex<Option<Arc<Snapshot>>> = Mutex::new(None);

impl Snapshot {
    /// The latest, or a new one when that is too old.
    pub(crate) fn recent() -> Arc<Self> {
        let mut latest = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
        match &*latest {
            Some(snapshot) if snapshot.taken.elapsed() < FRESH => Arc::clone(snapshot),
            _ => {
                let taken = Instant::now();
                let snapshot = Arc::new(Self { rows: Row::load_all(), taken });
                *latest = Some(Arc::clone(&snapshot));
                snapshot
            }
        }
    }
}

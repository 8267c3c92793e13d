use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the write side has done since the database was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteStats {
    /// Writes that were committed.
    pub writes: u64,
    /// COMMITs they took; fewer than writes where they shared one.
    pub commits: u64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Counters(Arc<[AtomicU64; 2]>);

impl Counters {
    pub(crate) fn committed(&self, jobs: u64) {
        let [writes, commits] = &*self.0;
        writes.fetch_add(jobs, Ordering::Relaxed);
        commits.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> WriteStats {
        let [writes, commits] = &*self.0;
        WriteStats {
            writes: writes.load(Ordering::Relaxed),
            commits: commits.load(Ordering::Relaxed),
        }
    }
}

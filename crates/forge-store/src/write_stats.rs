use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Statistics about writes since the database was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteStats {
    /// Number of committed writes.
    pub writes: u64,
    /// Number of COMMITs; fewer than writes where several shared one.
    pub commits: u64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct WriteCounters(Arc<[AtomicU64; 2]>);

impl WriteCounters {
    pub(crate) fn add_commit(&self, jobs: u64) {
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

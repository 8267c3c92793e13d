//! How long an agent may show no sign of life (T-23).

use forge_agent::Executor;

/// The two thresholds, counted from the last sign of life: a line of output or a changed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// After so many seconds everybody is told.
    pub stalled_seconds: u64,
    /// After so many the run is stopped.
    pub stopped_seconds: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self { stalled_seconds: 600, stopped_seconds: 3600 }
    }
}

impl Patience {
    /// The same for an agent that may have thresholds of its own. Nobody is stopped before anybody was told.
    pub(crate) fn with(self, executor: &Executor) -> Self {
        let stalled_seconds =
            executor.stalled_after_seconds().unwrap_or(self.stalled_seconds).max(1);
        let stopped_seconds = executor.stopped_after_seconds().unwrap_or(self.stopped_seconds);
        Self { stalled_seconds, stopped_seconds: stopped_seconds.max(stalled_seconds) }
    }
}

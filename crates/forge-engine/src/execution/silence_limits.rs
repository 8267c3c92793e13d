//! How long an agent may be silent (T-23).

use forge_agent::ExecutorConfig;

/// Two thresholds since the last sign of life: a line of output or a changed file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SilenceLimits {
    /// Seconds until the stall is reported.
    pub stalled_seconds: u64,
    /// Seconds until the execution is stopped.
    pub stopped_seconds: u64,
}

impl Default for SilenceLimits {
    fn default() -> Self {
        Self { stalled_seconds: 600, stopped_seconds: 3600 }
    }
}

impl SilenceLimits {
    /// Applies an agent's own thresholds. A stop never comes before the report.
    pub(crate) fn with_agent_limits(self, executor: &ExecutorConfig) -> Self {
        let stalled_seconds =
            executor.stalled_after_seconds().unwrap_or(self.stalled_seconds).max(1);
        let stopped_seconds = executor.stopped_after_seconds().unwrap_or(self.stopped_seconds);
        Self { stalled_seconds, stopped_seconds: stopped_seconds.max(stalled_seconds) }
    }
}

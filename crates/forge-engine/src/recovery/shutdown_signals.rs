//! Stages of an orderly shutdown (E-13).

use tokio_util::sync::CancellationToken;

/// One signal per stage; each fires once.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShutdownSignals {
    /// No agent is started any more.
    pub(crate) stop_starting: CancellationToken,
    /// Detach from agents, so that the next server adopts them.
    pub(crate) detach: CancellationToken,
    /// End all agents.
    pub(crate) end: CancellationToken,
}

/// What a stopping server still waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OngoingWork {
    /// Number of running agents.
    pub agents: usize,
    /// Other effects: checks, landings, removals.
    pub effects: usize,
}

//! How an engine comes to its end in order (E-13).

use tokio_util::sync::CancellationToken;

/// The stages, each begun once and for all.
#[derive(Debug, Clone, Default)]
pub(crate) struct WindingDown {
    /// No agent is started any more.
    pub(crate) begun: CancellationToken,
    /// Agents are let go, for the next server to go on with.
    pub(crate) leave: CancellationToken,
    /// Agents are ended.
    pub(crate) end: CancellationToken,
}

/// What a server that is to stop still waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnderWay {
    /// Agents at work.
    pub agents: usize,
    /// Other steps: checks, landings, removals.
    pub steps: usize,
}

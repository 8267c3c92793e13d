//! What a commit sets going in its own process.

use crate::effects::effect_starter::EffectStarter;
use crate::landing::train::MergeTrains;
use crate::radar::RadarQueue;
use crate::workspace::pool::WorktreePools;
use std::sync::Arc;

/// The queues and jobs that a committed decision feeds.
#[derive(Debug, Clone)]
pub(crate) struct CommitFollowUps {
    /// Starts the effects that the decision leased.
    pub(crate) effects: EffectStarter,
    /// Notes branches that may have moved.
    pub(crate) radar: Arc<RadarQueue>,
    /// Refills the pool from which a worktree was taken.
    pub(crate) pools: WorktreePools,
    /// Planned again after a change of a task's own fields.
    pub(crate) trains: MergeTrains,
}

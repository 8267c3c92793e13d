//! Start-up: what the last run of this node left is found and put right before anything new begins (E-12).

use crate::engine::Engine;
use crate::errors::EngineError;
use crate::regained::RunsFound;
use crate::upkeep::OrphanNote;
use forge_git::StaleLock;
use forge_store::tables;
use serde::Serialize;

/// What was found at the start.
#[derive(Debug, Clone, Serialize)]
pub struct RecoveryReport {
    /// When, in milliseconds since the epoch.
    pub at: i64,
    /// What became of the agents that were at work.
    pub runs: RunsFound,
    /// Steps whose holder was this node's last run; they are carried out again, each by asking reality first.
    pub steps_resumed: u64,
    /// Workspace locks whose holder is dead; they are free again.
    pub locks_released: Vec<StaleLock>,
    /// Steps that wait.
    pub steps_open: u64,
    /// Directories that belong to no live task (W-10), as they were then.
    pub orphans: Vec<OrphanNote>,
    /// Clones that were not finished; nothing of them is left.
    pub clones_discarded: u64,
}

impl Engine {
    /// The lock on the data directory proves that the last run of this node is dead, so its leases mean nothing.
    pub(crate) async fn recover(&self) -> Result<(), EngineError> {
        let (node, now) = (self.0.home.node().to_string(), self.0.clock.now());
        // First of all: whoever comes next finds these workspaces taken. Also those of steps that a start before this one
        // gave back and did not live to take up again.
        let taken = tables::effects::list_taken_by(&self.0.db, &node).await?;
        let runs = self.regain(&taken).await;
        let steps_resumed = self
            .0
            .db
            .write(move |tx| {
                let node = node.clone();
                Box::pin(async move {
                    tables::nodes::register(tx, &node, &node, now).await?;
                    tables::effects::release_node(tx, &node).await
                })
            })
            .await?;
        let steps_open = tables::effects::count_open(&self.0.db).await?;
        let locks_released = match self.0.workspace_locks.release_stale(&self.0.root).await {
            Ok(released) => released,
            Err(error) => {
                tracing::warn!(%error, "stale workspace locks could not be looked for");
                Vec::new()
            }
        };
        for lock in &locks_released {
            tracing::info!(
                directory = lock.directory,
                "released the workspace lock of a dead process"
            );
        }
        let orphans = self.tell_orphans().await;
        // Nobody else can be cloning there, for the same reason.
        let clones = forge_git::discard_half_made(&self.0.home.clones()).await;
        let clones_discarded = clones.unwrap_or_else(|error| {
            tracing::warn!(%error, "half-made clones could not be removed");
            0
        });
        if let Err(error) = self.0.root.discard_drafts() {
            tracing::warn!(%error, "files of worktrees that were never made could not be removed");
        }
        if let Err(error) = forge_git::discard_porches(&self.0.home.porches()).await {
            tracing::warn!(%error, "what calls for repositories elsewhere left could not be removed");
        }
        let report = RecoveryReport {
            at: now.millis(),
            runs,
            steps_resumed,
            locks_released,
            steps_open: u64::try_from(steps_open).unwrap_or(0),
            orphans,
            clones_discarded: u64::try_from(clones_discarded).unwrap_or(0),
        };
        if steps_resumed > 0 {
            tracing::info!(
                resumed = steps_resumed,
                open = report.steps_open,
                adopted = runs.adopted,
                ended = runs.ended,
                finished = runs.finished,
                lost = runs.lost,
                "recovered after an unclean end"
            );
        }
        // Set once, at the start; a second start is another engine.
        let _ = self.0.recovery.set(report);
        Ok(())
    }
}

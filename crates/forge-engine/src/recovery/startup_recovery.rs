//! Start-up: finds and repairs what the last run of this node left, before anything new starts (E-12).

use crate::admin::repo::Repos;
use crate::command::clock::Clock;
use crate::command::errors::EngineError;
use crate::command::lookup::RecordReader;
use crate::landing::checkout_repair::CheckoutRepair;
use crate::nodes::data_directory::DataDirectory;
use crate::recovery::adopted_locks::{AdoptedLocks, RecoveredExecutions};
use crate::recovery::restart_policy::RestartPolicy;
use crate::recovery::shut_down::Shutdown;
use crate::workspace::cleanup::OrphanRecord;
use crate::workspace::cleanup::orphan::WorkspaceCleanup;
use crate::workspace::plain_directory::PlainDirectories;
use forge_git::{StaleWorkspaceLock, WorkspaceLocks, WorkspaceRoot};
use forge_store::{Db, tables};
use serde::Serialize;
use std::sync::Arc;

/// What start-up found.
#[derive(Debug, Clone, Serialize)]
pub struct StartupRecovery {
    /// Time in milliseconds since the epoch.
    pub at: i64,
    /// What happened to the agents that were running.
    pub runs: RecoveredExecutions,
    /// Effects leased by this node's last run. They are performed again; each first looks how far the last attempt came.
    pub effects_resumed: u64,
    /// Workspace locks of dead processes, now released.
    pub locks_released: Vec<StaleWorkspaceLock>,
    /// Number of open effects.
    pub effects_open: u64,
    /// Directories without a live task (W-10), at the start.
    pub orphans: Vec<OrphanRecord>,
    /// Incomplete clones that were deleted.
    pub clones_discarded: u64,
}

/// Repairs what the last run of this node left.
#[derive(Debug, Clone)]
pub(crate) struct Recovery {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) adopted_locks: AdoptedLocks,
    pub(crate) checkout_repair: CheckoutRepair,
    pub(crate) cleanup: WorkspaceCleanup,
    pub(crate) plain_directories: PlainDirectories,
    pub(crate) records: RecordReader,
    pub(crate) repositories: Repos,
    pub(crate) restart_policy: RestartPolicy,
    pub(crate) root: WorkspaceRoot,
    pub(crate) shutdown: Shutdown,
    pub(crate) workspace_locks: WorkspaceLocks,
}

impl Recovery {
    /// Recovers from the last run. The lock on the data directory proves that it is dead, so its leases are void.
    pub(crate) async fn recover_last_run(&self) -> Result<StartupRecovery, EngineError> {
        let (node, now) = (self.home.node().to_string(), self.clock.now());
        // First, so that every later user finds these workspaces locked. Includes effects that an earlier start
        // released but did not lease again.
        let taken = tables::effects::list_last_leased_by(&self.db, &node).await?;
        let runs = self.adopt_locks(&taken).await;
        let effects_resumed = self
            .db
            .write(move |tx| {
                let node = node.clone();
                Box::pin(async move {
                    tables::nodes::register(tx, &node, &node, now).await?;
                    tables::webhook_leases::release_webhooks_of_node(tx, &node).await?;
                    tables::effects::release_node(tx, &node).await
                })
            })
            .await?;
        let effects_open = tables::effects::count_open(&self.db).await?;
        let locks_released = match self.workspace_locks.release_stale(&self.root).await {
            Ok(released) => released,
            Err(error) => {
                tracing::warn!(%error, "could not search for stale workspace locks");
                Vec::new()
            }
        };
        for lock in &locks_released {
            tracing::info!(
                directory = lock.directory,
                "released the workspace lock of a dead process"
            );
        }
        self.shutdown.end_git_programs().await;
        self.repositories.copy_git_settings().await;
        let orphans = self.cleanup.report_orphans().await;
        // The data directory lock proves that no other process clones there.
        let clones = forge_git::discard_unfinished_clones(&self.home.clones()).await;
        let clones_discarded = clones.unwrap_or_else(|error| {
            tracing::warn!(%error, "could not remove incomplete clones");
            0
        });
        if let Err(error) = self.root.discard_drafts() {
            tracing::warn!(%error, "drafts of an earlier version could not be removed");
        }
        if let Err(error) =
            forge_git::discard_isolated_git_dirs(&self.home.isolated_git_dirs()).await
        {
            tracing::warn!(%error, "could not remove isolated git directories");
        }
        let report = StartupRecovery {
            at: now.millis(),
            runs,
            effects_resumed,
            locks_released,
            effects_open: u64::try_from(effects_open).unwrap_or(0),
            orphans,
            clones_discarded: u64::try_from(clones_discarded).unwrap_or(0),
        };
        if effects_resumed > 0 {
            tracing::info!(
                resumed = effects_resumed,
                open = report.effects_open,
                adopted = runs.adopted,
                ended = runs.ended,
                finished = runs.finished,
                lost = runs.lost,
                "recovered after an unclean end"
            );
        }
        self.checkout_repair.start_checkout_repair();
        Ok(report)
    }
}

//! Orderly shutdown of an engine (E-13).

use crate::effects::engine_tasks::EngineTasks;
use crate::effects::process_registry::ProcessRegistry;
use crate::engine::git_mark;
use crate::nodes::data_directory::DataDirectory;
use crate::recovery::restart_policy::RestartPolicy;
use crate::recovery::shutdown_signals::{OngoingWork, ShutdownSignals};
use forge_store::Db;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::task::TaskTracker;

const LAST_GRACE: Duration = Duration::from_secs(1);

/// Stops an engine, in order or at once.
#[derive(Debug, Clone)]
pub struct Shutdown {
    pub(crate) db: Db,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) processes: ProcessRegistry,
    pub(crate) restart_policy: RestartPolicy,
    pub(crate) running_agents: TaskTracker,
    pub(crate) signals: ShutdownSignals,
    pub(crate) tasks: EngineTasks,
}

impl Shutdown {
    /// Starts no more agents. Running ones and all other work continue.
    pub fn stop_starting_agents(&self) {
        self.signals.stop_starting.cancel();
    }

    /// What this engine still does.
    pub fn ongoing_work(&self) -> OngoingWork {
        let agents = self.running_agents.len();
        OngoingWork { agents, effects: self.tasks.len().saturating_sub(agents) }
    }

    /// What happens to running agents when this engine stops.
    pub fn restart_policy(&self) -> RestartPolicy {
        self.restart_policy
    }

    /// Waits until no agent runs here.
    pub async fn wait_for_agents(&self) {
        self.running_agents.close();
        self.running_agents.wait().await;
    }

    /// Detaches from running agents, or ends them and keeps their work, by the restart policy.
    pub fn detach_agents(&self) {
        self.stop_starting_agents();
        match self.restart_policy() {
            RestartPolicy::Adopt => self.signals.detach.cancel(),
            RestartPolicy::End => self.signals.end.cancel(),
        }
    }

    /// Lets effects finish within this time, then stops the rest like [`Engine::die`]. Detaches from agents at once.
    /// Stop [`Engine::run`] first, or new effects keep starting.
    pub async fn shut_down_within(&self, grace: Duration) {
        self.detach_agents();
        if tokio::time::timeout(grace, self.tasks.wait_for_end()).await.is_err() {
            let left = self.tasks.len();
            tracing::info!(left, "effects are still running; the next start continues them");
        }
        let marks = self.processes.marks();
        self.die().await;
        for mark in marks {
            // A process that an agent started outside its group must not outlive the server that supervises it.
            let Ok(mark) = forge_proc::ProcessMark::new(mark.to_string()) else { continue };
            if let Err(error) = forge_proc::end_marked_processes(&mark, LAST_GRACE).await {
                tracing::error!(%error, "process survived; the next start tries again");
            }
        }
        self.end_git_programs().await;
    }

    /// Stops everything at once, like a kill: no reports, no cleanup.
    pub(crate) async fn die(&self) {
        self.tasks.kill().await;
        self.db.close().await;
    }

    /// Ends processes left by programs that a user configured for git (W-19). A running git continues: it may be
    /// writing a user's files.
    pub(crate) async fn end_git_programs(&self) {
        match forge_proc::end_numbered_processes(&git_mark(&self.home), "git", LAST_GRACE).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "ended programs started by git"),
            Err(error) => tracing::error!(%error, "program started by git survived"),
        }
    }
}

//! Orderly shutdown of an engine (E-13).

use crate::engine::{Engine, git_mark};
use crate::recovery::restart_policy::RestartPolicy;
use crate::recovery::shutdown_signals::OngoingWork;
use std::time::Duration;

const LAST_GRACE: Duration = Duration::from_secs(1);

impl Engine {
    /// Starts no more agents. Running ones and all other work continue.
    pub fn stop_starting_agents(&self) {
        self.0.shutdown.stop_starting.cancel();
    }

    /// What this engine still does.
    pub fn ongoing_work(&self) -> OngoingWork {
        let agents = self.0.running_agents.len();
        OngoingWork { agents, effects: self.0.tasks.len().saturating_sub(agents) }
    }

    /// What happens to running agents when this engine stops.
    pub fn restart_policy(&self) -> RestartPolicy {
        self.0.limits.restart_policy
    }

    /// Waits until no agent runs here.
    pub async fn wait_for_agents(&self) {
        self.0.running_agents.close();
        self.0.running_agents.wait().await;
    }

    /// Detaches from running agents, or ends them and keeps their work, by the restart policy.
    pub fn detach_agents(&self) {
        self.stop_starting_agents();
        match self.restart_policy() {
            RestartPolicy::Adopt => self.0.shutdown.detach.cancel(),
            RestartPolicy::End => self.0.shutdown.end.cancel(),
        }
    }

    /// Lets effects finish within this time, then stops the rest like [`Engine::die`]. Detaches from agents at once.
    /// Stop [`Engine::run`] first, or new effects keep starting.
    pub async fn shut_down_within(&self, grace: Duration) {
        self.detach_agents();
        self.0.tasks.close();
        if tokio::time::timeout(grace, self.0.tasks.wait()).await.is_err() {
            let left = self.0.tasks.len();
            tracing::info!(left, "effects are still running; the next start continues them");
        }
        let marks = self.0.processes.marks();
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

    /// Ends processes left by programs that a user configured for git (W-19). A running git continues: it may be
    /// writing a user's files.
    pub(crate) async fn end_git_programs(&self) {
        match forge_proc::end_numbered_processes(&git_mark(&self.0.home), "git", LAST_GRACE).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "ended programs started by git"),
            Err(error) => tracing::error!(%error, "program started by git survived"),
        }
    }
}

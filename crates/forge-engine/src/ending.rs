//! The end of an engine, in peace if it can be (E-13).

use crate::engine::Engine;
use crate::on_restart::OnRestart;
use crate::winding_down::UnderWay;
use std::time::Duration;

const LAST_GRACE: Duration = Duration::from_secs(1);

impl Engine {
    /// From now on no agent is started here. What is under way goes on, and so does everything else.
    pub fn wind_down(&self) {
        self.0.winding_down.begun.cancel();
    }

    /// What is under way here.
    pub fn under_way(&self) -> UnderWay {
        let agents = self.0.turns.len();
        UnderWay { agents, steps: self.0.tasks.len().saturating_sub(agents) }
    }

    /// What becomes of agents at work when this engine ends.
    pub fn on_restart(&self) -> OnRestart {
        self.0.limits.on_restart
    }

    /// Waits until no agent works here any more.
    pub async fn agents_done(&self) {
        self.0.turns.close();
        self.0.turns.wait().await;
    }

    /// Parts with agents that are still at work: lets them go on without us, or ends them and keeps their work, as the
    /// settings say.
    pub fn part_with_agents(&self) {
        self.wind_down();
        match self.on_restart() {
            OnRestart::Adopt => self.0.winding_down.leave.cancel(),
            OnRestart::End => self.0.winding_down.end.cancel(),
        }
    }

    /// Lets what is being carried out come to its end for this long, then ends the rest as [`Engine::die`] does.
    /// Agents are parted with at once. Stop [`Engine::run`] first, or new steps keep beginning.
    pub async fn end_within(&self, grace: Duration) {
        self.part_with_agents();
        self.0.tasks.close();
        if tokio::time::timeout(grace, self.0.tasks.wait()).await.is_err() {
            let left = self.0.tasks.len();
            tracing::info!(left, "steps are still under way; the next start goes on with them");
        }
        let marks = self.0.runs.marks();
        self.die().await;
        for mark in marks {
            // What an agent put outside its process group must not outlive the server that would look after it.
            let Ok(mark) = forge_proc::Mark::new(mark.to_string()) else { continue };
            if let Err(error) = forge_proc::end_marked(&mark, LAST_GRACE).await {
                tracing::error!(%error, "a process survived; the next start tries again");
            }
        }
    }
}

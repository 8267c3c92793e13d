//! When the radar runs: shortly after a branch moved, so that related moves share a pass, and regularly over
//! everything, because users and agents commit without notice.

use crate::radar::check_branches::Radar;
use forge_domain::Timestamp;

/// The end of an execution writes a journal entry, commits and moves the task within this time.
const PAUSE_MILLIS: i64 = 500;
const SWEEP_SECONDS: u64 = 60;

impl Radar {
    /// Runs the radar until the engine stops.
    pub(crate) async fn run_radar_loop(&self) {
        let clock = &self.clock;
        let mut next_sweep = clock.now();
        loop {
            if clock.now() >= next_sweep {
                if let Err(error) = self.queue_all_branches().await {
                    tracing::warn!(%error, "could not list the live branches");
                }
                next_sweep = clock.now().plus_seconds(SWEEP_SECONDS);
            }
            // Branches that failed were queued again for the next sweep.
            match self.check_moved_branches().await {
                Ok(looked) if looked.moved > 0 => {
                    tracing::debug!(?looked, "checked branches for conflicts")
                }
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "could not check branches for conflicts"),
            }
            tokio::select! {
                () = clock.wait_until(next_sweep) => {}
                () = self.queue.wake.notified() => {
                    let soon = Timestamp::from_millis(clock.now().millis() + PAUSE_MILLIS);
                    clock.wait_until(soon).await;
                }
            }
        }
    }
}

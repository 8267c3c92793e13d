//! When the radar looks: a moment after somebody moved a branch, so that what moves together is looked at once; and at a
//! slow pace at everything, because people and agents commit without telling.

use crate::engine::Engine;
use forge_domain::Timestamp;

/// Whoever ends a turn writes a journal entry, commits and moves the task within this time.
const PAUSE_MILLIS: i64 = 500;
const SWEEP_SECONDS: u64 = 60;

impl Engine {
    /// Looks until told to stop.
    pub(crate) async fn keep_radar(&self) {
        let clock = &self.0.clock;
        let mut next_sweep = clock.now();
        loop {
            if clock.now() >= next_sweep {
                if let Err(error) = self.notice_all().await {
                    tracing::warn!(%error, "the live branches could not be listed");
                }
                next_sweep = clock.now().plus_seconds(SWEEP_SECONDS);
            }
            // What could not be looked at has been noted again, for the next sweep.
            match self.look_around().await {
                Ok(looked) if looked.moved > 0 => tracing::debug!(?looked, "looked for conflicts"),
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "conflicts could not be looked for"),
            }
            tokio::select! {
                () = clock.wait_until(next_sweep) => {}
                () = self.0.radar.news.notified() => {
                    let soon = Timestamp::from_millis(clock.now().millis() + PAUSE_MILLIS);
                    clock.wait_until(soon).await;
                }
            }
        }
    }
}

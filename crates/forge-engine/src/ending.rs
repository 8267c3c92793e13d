//! The end of an engine, in peace if it can be.

use crate::engine::Engine;
use std::time::Duration;

const LAST_GRACE: Duration = Duration::from_secs(1);

impl Engine {
    /// Lets what is being carried out come to its end for this long, then ends the rest as [`Engine::die`] does.
    /// Stop [`Engine::run`] first, or new steps keep beginning.
    pub async fn end_within(&self, grace: Duration) {
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

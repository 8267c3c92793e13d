//! The end of an engine, in peace if it can be.

use crate::engine::Engine;
use std::time::Duration;

impl Engine {
    /// Lets what is being carried out come to its end for this long, then ends the rest as [`Engine::die`] does.
    /// Stop [`Engine::run`] first, or new steps keep beginning.
    pub async fn end_within(&self, grace: Duration) {
        self.0.tasks.close();
        if tokio::time::timeout(grace, self.0.tasks.wait()).await.is_err() {
            let left = self.0.tasks.len();
            tracing::info!(left, "steps are still under way; the next start goes on with them");
        }
        self.die().await;
    }
}

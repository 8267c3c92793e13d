//! Waits of answers that promise the result of work, as long as a request may take. The work is a durable effect:
//! when the wait ends early, by a disconnect, the time limit or the end of the server, the work continues (T-9).

use std::time::Duration;

use forge_api::ErrorCode;
use forge_domain::task::TaskSnapshot;
use forge_domain::{Effect, TaskId};
use forge_engine::EngineError;
use forge_store::WakeChannel;
use forge_store::tables::{self, effects::EffectEnding};
use serde_json::json;
use tokio::time::Instant;

use crate::app::AppState;
use crate::error::api_error::ApiError;

/// How long an answer waits for a requested reset before it says that the reset is pending.
const RESET_PATIENCE: Duration = Duration::from_secs(30);
/// How often to check a reset when no event reports its end.
const RESET_LOOK: Duration = Duration::from_millis(500);

/// Slightly less than the hour that clients allow for such a request.
const LONGEST: Duration = Duration::from_secs(50 * 60);

impl AppState {
    /// The task once the engine does nothing for it that ends by itself.
    pub(crate) async fn wait_until_settled(&self, task: TaskId) -> Result<TaskSnapshot, ApiError> {
        self.wait_for_task(task, |task| !task.is_settling()).await
    }

    /// Waits for the newest effect of the task for which `is_reset` holds; returns whether it is over. A failed one
    /// is an error.
    pub(crate) async fn wait_for_reset(
        &self,
        task: TaskId,
        is_reset: impl Fn(&Effect) -> bool,
    ) -> Result<bool, ApiError> {
        let mut wakes = self.engine.db().subscribe(WakeChannel::Events);
        let deadline = Instant::now() + RESET_PATIENCE;
        loop {
            let rows = tables::effects::list_of_task(self.engine.db(), task).await?;
            let newest = rows.into_iter().rev().find(|row| is_reset(&row.effect));
            let Some(row) = newest else { return Ok(true) };
            if row.ending == Some(EffectEnding::Failed) {
                let now = self.engine.records().task(task).await?;
                let said = now.annotation.map(|trouble| trouble.message).or(row.last_error);
                let details = json!({ "message": said, "step": row.effect.name() });
                return Err(ApiError::from_code(ErrorCode::ResetFailed).with_details(details));
            }
            if !row.open {
                return Ok(true);
            }
            if Instant::now() >= deadline || self.stop.is_cancelled() {
                return Ok(false);
            }
            // No event reports an effect that fails for a task that moved on.
            tokio::time::timeout(RESET_LOOK, wakes.next()).await.ok();
        }
    }

    /// The task once `condition` holds.
    pub(crate) async fn wait_for_task(
        &self,
        task: TaskId,
        condition: impl Fn(&TaskSnapshot) -> bool,
    ) -> Result<TaskSnapshot, ApiError> {
        self.wait_within_limit(self.engine.progress().wait_until(task, condition)).await
    }

    /// The result of a wait, limited by the time of a request and the life of the server.
    pub(crate) async fn wait_within_limit<T>(
        &self,
        waiting: impl Future<Output = Result<T, EngineError>>,
    ) -> Result<T, ApiError> {
        let reached = tokio::time::timeout(LONGEST, waiting);
        tokio::select! {
            reached = reached => match reached {
                Ok(found) => Ok(found?),
                Err(_) => Err(ApiError::from_code(ErrorCode::Timeout)),
            },
            () = self.stop.cancelled() => Err(ApiError::new(
                ErrorCode::ShuttingDown,
                "The server is stopping. The change is recorded and its work goes on when the server is back: \
                 look at the task then.",
            )),
        }
    }
}

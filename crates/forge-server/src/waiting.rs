//! Answers that promise the result of work wait for it here, as long as a request may take. The work is a durable step:
//! when the wait ends early, by a hang-up, the time limit or the end of the server, it goes on all the same (T-9).

use std::time::Duration;

use forge_api::ErrorCode;
use forge_domain::TaskId;
use forge_domain::task::Snapshot;

use crate::app::App;
use crate::failure::Failure;

/// A little less than the hour that clients give such a request.
const LONGEST: Duration = Duration::from_secs(50 * 60);

impl App {
    /// The task once the engine is at nothing that ends by itself.
    pub(crate) async fn settled(&self, task: TaskId) -> Result<Snapshot, Failure> {
        self.reached(task, |task| !task.is_settling()).await
    }

    /// The task once `condition` holds.
    pub(crate) async fn reached(
        &self,
        task: TaskId,
        condition: impl Fn(&Snapshot) -> bool,
    ) -> Result<Snapshot, Failure> {
        let reached = tokio::time::timeout(LONGEST, self.engine.reached(task, condition));
        tokio::select! {
            reached = reached => match reached {
                Ok(task) => Ok(task?),
                Err(_) => Err(Failure::plain(ErrorCode::Timeout)),
            },
            () = self.stop.cancelled() => Err(Failure::new(
                ErrorCode::ShuttingDown,
                "The server is stopping. The change is recorded and its work goes on when the server is back: \
                 look at the task then.",
            )),
        }
    }
}

//! The tasks of one engine: everything that works in the background and that a kill would interrupt.

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Starts and counts background tasks; clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct EngineTasks {
    tracker: TaskTracker,
    dead: CancellationToken,
}

impl EngineTasks {
    /// Starts a task that runs to its end.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.tracker.spawn(task)
    }

    /// Starts a task that ends with the engine at the latest.
    pub(crate) fn spawn_until_death(&self, task: impl Future<Output = ()> + Send + 'static) {
        let dead = self.dead.clone();
        self.tracker.spawn(async move {
            tokio::select! {
                () = dead.cancelled() => {}
                () = task => {}
            }
        });
    }

    /// Whether the engine was killed.
    pub(crate) fn is_dead(&self) -> bool {
        self.dead.is_cancelled()
    }

    /// Waits until the engine is killed.
    pub(crate) async fn died(&self) {
        self.dead.cancelled().await;
    }

    /// The number of running tasks.
    pub(crate) fn len(&self) -> usize {
        self.tracker.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tracker.is_empty()
    }

    /// Waits until no task runs.
    pub(crate) async fn wait_until_idle(&self) {
        self.wait_for_end().await;
        self.tracker.reopen();
    }

    /// Waits until all tasks have ended.
    pub(crate) async fn wait_for_end(&self) {
        self.tracker.close();
        self.tracker.wait().await;
    }

    /// Ends every task that ends with the engine, and waits for the others.
    pub(crate) async fn kill(&self) {
        self.dead.cancel();
        self.wait_for_end().await;
    }
}

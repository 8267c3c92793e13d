use std::io;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::{block_in_place, spawn_blocking};

/// Runs work that may wait for the disk but usually takes less time than waking another thread: in place, while the
/// runtime moves other tasks to another thread.
pub(crate) async fn run_in_place<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    if Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread {
        return Ok(block_in_place(work));
    }
    spawn_blocking(work).await.map_err(io::Error::other)
}

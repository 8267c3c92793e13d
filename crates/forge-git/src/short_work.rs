use std::io;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::{block_in_place, spawn_blocking};

/// Does work that may wait for the disk but mostly takes less time than it takes to wake a thread and be woken by it: here
/// and now, while the runtime lets another thread go on with everybody else's.
pub(crate) async fn short_work<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    if Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread {
        return Ok(block_in_place(work));
    }
    spawn_blocking(work).await.map_err(io::Error::other)
}

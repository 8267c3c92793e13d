use std::io;

use tokio::sync::Semaphore;

/// More at once would take their time from each other, their memory from the machine, and both from who waits for an
/// answer. What is not written down yet waits in its file.
static DESKS: Semaphore = Semaphore::const_new(2);

/// Works on what runs print, on a thread that may wait, when it is its turn. Keep it short: hundreds may wait for a desk.
pub async fn at_a_desk<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    let _desk = DESKS.acquire().await.map_err(io::Error::other)?;
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)
}

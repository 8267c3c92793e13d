use std::io;

use rustix::process::setpriority_process;
use rustix::thread::gettid;

const LOWEST_PRIORITY: i32 = 19;

/// Runs background work on a separate thread with the lowest priority.
pub(crate) async fn run_low_priority<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    let (done, result) = tokio::sync::oneshot::channel();
    // If the caller was cancelled, the result is dropped.
    spawn_low_priority(name, move || drop(done.send(work())))?;
    result.await.map_err(io::Error::other)
}

/// Starts background work without reporting its end.
fn spawn_low_priority(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let thread = std::thread::Builder::new().name(name.to_owned());
    thread.spawn(move || {
        lower_thread_priority();
        work();
    })?;
    Ok(())
}

/// Gives the current thread the lowest priority, permanently. A failure is ignored: it only costs other work some
/// speed.
pub(crate) fn lower_thread_priority() {
    setpriority_process(Some(gettid()), LOWEST_PRIORITY).ok();
}

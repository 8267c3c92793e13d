use std::io;

use rustix::process::setpriority_process;
use rustix::thread::gettid;

const LOWEST_PRIORITY: i32 = 19;

/// Does work that nobody waits for, on a thread of its own that gives way to every other.
pub(crate) async fn slow_work<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    let (done, result) = tokio::sync::oneshot::channel();
    // Whoever does not wait for it any more need not know.
    begin_slow_work(name, move || drop(done.send(work())))?;
    result.await.map_err(io::Error::other)
}

/// The same for whoever does not want to hear of its end.
pub(crate) fn begin_slow_work(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let thread = std::thread::Builder::new().name(name.to_owned());
    thread.spawn(move || {
        give_way();
        work();
    })?;
    Ok(())
}

/// Gives this thread, and no other, the lowest priority, for good. Refused at most where it does not matter.
pub(crate) fn give_way() {
    setpriority_process(Some(gettid()), LOWEST_PRIORITY).ok();
}

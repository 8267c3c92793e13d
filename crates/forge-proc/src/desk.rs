use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use rustix::process::setpriority_process;
use rustix::thread::gettid;
use rustix::time::{ClockId, clock_gettime};
use tokio::sync::oneshot;

use crate::priority::BEHIND_ANSWERS;

/// How many times as long as it has worked a desk rests where many wait for a processor.
const REST: u32 = 19;
const LONGEST_REST: Duration = Duration::from_secs(1);
/// With more than so many at work per processor, there are many.
const MANY: usize = 2;

type Work = Box<dyn FnOnce() + Send>;

/// Where what runs print is written down. More at once would take their time from each other, their memory from the
/// machine, and both from who waits for an answer. What is not written down yet waits in its file.
static LOGS: Desks = Desks::new(2);
/// Where runs are looked after while they go on.
static LOOKS: Desks = Desks::new(1);

/// Threads that give way to those who answer people, and work on one thing after the other.
#[derive(Debug)]
struct Desks {
    count: usize,
    open: OnceLock<Sender<Work>>,
    opening: Mutex<()>,
}

/// Works on what runs print, on a thread that may wait, when it is its turn. Keep it short: hundreds may wait for a desk.
pub async fn at_a_desk<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    LOGS.hand_in(work).await
}

/// Looks at a run, without hurry.
pub(crate) async fn looking<T: Send + 'static>(
    look: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    LOOKS.hand_in(look).await
}

impl Desks {
    const fn new(count: usize) -> Self {
        Self { count, open: OnceLock::new(), opening: Mutex::new(()) }
    }

    async fn hand_in<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<T> {
        let (done, result) = oneshot::channel();
        let work: Work = Box::new(move || {
            // Whoever does not wait any more needs no answer.
            done.send(work()).ok();
        });
        let nobody = |_| io::Error::other("nobody sits at the desks any more");
        self.queue()?.send(work).map_err(nobody)?;
        result.await.map_err(io::Error::other)
    }

    fn queue(&self) -> io::Result<Sender<Work>> {
        let _one_at_a_time = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = self.open.get() {
            return Ok(open.clone());
        }
        let (sender, waiting) = channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..self.count {
            let waiting = Arc::clone(&waiting);
            let desk = std::thread::Builder::new().name("forge-desk".to_owned());
            desk.spawn(move || sit(&waiting))?;
        }
        Ok(self.open.get_or_init(|| sender).clone())
    }
}

fn sit(waiting: &Mutex<Receiver<Work>>) {
    // Refused at most where it does not matter.
    setpriority_process(Some(gettid()), BEHIND_ANSWERS).ok();
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(work) = next else { return };
        let begun = worked();
        // Its owner is told by the answer that never comes; the desk is for the next.
        catch_unwind(AssertUnwindSafe(work)).ok();
        let work = worked().saturating_sub(begun);
        if is_crowded() {
            // Those who print go before those who write it down. The kernel counts our work as the server's own, whose
            // answers would have to wait for it, and the disk is everybody's.
            std::thread::park_timeout((work * REST).min(LONGEST_REST));
        }
    }
}

/// How long this thread has worked.
fn worked() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Whether the machine has more to do at this moment than it can.
fn is_crowded() -> bool {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    running(&load).is_some_and(|running| running > MANY * processors)
}

/// How many are at work or wait for a processor, as the kernel tells it.
fn running(load: &str) -> Option<usize> {
    let (running, _) = load.split_ascii_whitespace().nth(3)?.split_once('/')?;
    running.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e_4_the_kernel_tells_how_many_are_at_work() {
        assert_eq!(running("6.01 3.70 2.22 9/1104 1406\n"), Some(9));
        assert_eq!(running(""), None);
        assert!(running(&std::fs::read_to_string("/proc/loadavg").unwrap()).unwrap() > 0);
    }
}

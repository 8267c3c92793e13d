use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use rustix::process::setpriority_process;
use rustix::thread::gettid;
use rustix::time::{ClockId, clock_gettime};
use tokio::sync::oneshot;

use crate::supervise::priority::{BACKGROUND_STEPS, priority_below_own};

/// On an overloaded machine a worker pauses for this many times the processor time of its last job.
const PAUSE_FACTOR: u32 = 19;
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// The machine counts as overloaded when more than this many threads per processor are runnable.
const OVERLOAD_FACTOR: usize = 2;

type PoolJob = Box<dyn FnOnce() + Send>;

/// Workers that write process output to log files. More threads would take processor time from each other, memory
/// from the machine, and both from API requests. Unwritten output waits in its spool file.
static LOG_WORKERS: WorkerPool = WorkerPool::new(2);
/// The worker that samples supervised processes.
static WATCH_WORKERS: WorkerPool = WorkerPool::new(1);

/// Threads with lower priority than request handling, each working on one job at a time.
#[derive(Debug)]
struct WorkerPool {
    count: usize,
    sender: OnceLock<Sender<PoolJob>>,
    start_lock: Mutex<()>,
}

/// Runs log work on a worker thread that may block. Keep the work short: hundreds of processes share the workers.
pub async fn run_on_log_worker<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    LOG_WORKERS.submit(work).await
}

/// Runs a sampling job on the watch worker.
pub(crate) async fn run_on_watch_worker<T: Send + 'static>(
    look: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    WATCH_WORKERS.submit(look).await
}

impl WorkerPool {
    const fn new(count: usize) -> Self {
        Self { count, sender: OnceLock::new(), start_lock: Mutex::new(()) }
    }

    async fn submit<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<T> {
        let (done, result) = oneshot::channel();
        let work: PoolJob = Box::new(move || {
            // The caller may have stopped waiting; then the result is dropped.
            done.send(work()).ok();
        });
        let nobody = |_| io::Error::other("the log workers have stopped");
        self.job_sender()?.send(work).map_err(nobody)?;
        result.await.map_err(io::Error::other)
    }

    fn job_sender(&self) -> io::Result<Sender<PoolJob>> {
        let _one_at_a_time = self.start_lock.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = self.sender.get() {
            return Ok(open.clone());
        }
        let (sender, waiting) = channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..self.count {
            let waiting = Arc::clone(&waiting);
            let desk = std::thread::Builder::new().name("forge-worker".to_owned());
            desk.spawn(move || run_worker(&waiting))?;
        }
        Ok(self.sender.get_or_init(|| sender).clone())
    }
}

fn run_worker(waiting: &Mutex<Receiver<PoolJob>>) {
    // The kernel may refuse; the worker then runs at normal priority.
    setpriority_process(Some(gettid()), priority_below_own(BACKGROUND_STEPS)).ok();
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(work) = next else { return };
        let begun = thread_cpu_time();
        // A panic drops the result channel, which reports the failure to the caller; the worker continues with the
        // next job.
        catch_unwind(AssertUnwindSafe(work)).ok();
        let work = thread_cpu_time().saturating_sub(begun);
        if is_overloaded() {
            // The processes that print go before the workers that log. The kernel counts this work as the server's
            // own, so without the pause API requests would wait for it, and the disk is shared too.
            std::thread::park_timeout((work * PAUSE_FACTOR).min(LONGEST_PAUSE));
        }
    }
}

/// Processor time of this thread.
fn thread_cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Whether more threads are runnable now than the processors can serve.
fn is_overloaded() -> bool {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    runnable_threads(&load).is_some_and(|running| running > OVERLOAD_FACTOR * processors)
}

/// Number of running and runnable threads from `/proc/loadavg`.
fn runnable_threads(load: &str) -> Option<usize> {
    let (running, _) = load.split_ascii_whitespace().nth(3)?.split_once('/')?;
    running.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e_4_runnable_threads_are_read_from_loadavg() {
        assert_eq!(runnable_threads("6.01 3.70 2.22 9/1104 1406\n"), Some(9));
        assert_eq!(runnable_threads(""), None);
        assert!(runnable_threads(&std::fs::read_to_string("/proc/loadavg").unwrap()).unwrap() > 0);
    }
}

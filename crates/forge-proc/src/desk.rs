use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustix::process::setpriority_process;
use rustix::thread::gettid;
use tokio::sync::oneshot;

/// More at once would take their time from each other, their memory from the machine, and both from who waits for an
/// answer. What is not written down yet waits in its file.
const DESKS: usize = 2;
/// Behind whoever answers people, in the same process.
const PRIORITY: i32 = 10;

type Work = Box<dyn FnOnce() + Send>;

/// Works on what runs print, on a thread that may wait, when it is its turn. Keep it short: hundreds may wait for a desk.
pub async fn at_a_desk<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    let (done, result) = oneshot::channel();
    let work: Work = Box::new(move || {
        // Whoever does not wait any more needs no answer.
        done.send(work()).ok();
    });
    desks()?.send(work).map_err(|_| io::Error::other("nobody sits at the desks any more"))?;
    result.await.map_err(io::Error::other)
}

fn desks() -> io::Result<Sender<Work>> {
    static OPEN: OnceLock<Sender<Work>> = OnceLock::new();
    static OPENING: Mutex<()> = Mutex::new(());
    let _one_at_a_time = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(open) = OPEN.get() {
        return Ok(open.clone());
    }
    let (sender, waiting) = channel();
    let waiting = Arc::new(Mutex::new(waiting));
    for _ in 0..DESKS {
        let waiting = Arc::clone(&waiting);
        std::thread::Builder::new().name("forge-desk".to_owned()).spawn(move || sit(&waiting))?;
    }
    Ok(OPEN.get_or_init(|| sender).clone())
}

fn sit(waiting: &Mutex<Receiver<Work>>) {
    // Refused at most where it does not matter.
    setpriority_process(Some(gettid()), PRIORITY).ok();
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(work) = next else { return };
        // Its owner is told by the answer that never comes; the desk is for the next.
        catch_unwind(AssertUnwindSafe(work)).ok();
    }
}

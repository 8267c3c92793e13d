//! What becomes of children that others left behind.
//!
//! This process asks the kernel to be their next parent, so each ends here: the dead ones are collected, and none
//! whose exit status somebody waits for.

use std::collections::HashMap;
use std::io;
use std::sync::{LazyLock, Mutex, MutexGuard, Once, PoisonError, RwLock};
use std::time::Duration;

use rustix::process::{Pid, WaitId, WaitIdOptions, set_child_subreaper, waitid};
use tokio::time::Instant;

use crate::table::Row;
use crate::tag::{Carried, Tag};

const COLLECT_EVERY: Duration = Duration::from_millis(500);

/// A dead child without a tag may be one that somebody else in this process started and is about to wait for.
const FOREIGN_PATIENCE: Duration = Duration::from_secs(10);

/// Held shared while a child is started: until it is enrolled, nobody may take it for an orphan.
static STARTING: RwLock<()> = RwLock::new(());
static BOOKS: LazyLock<Mutex<Books>> = LazyLock::new(Mutex::default);

#[derive(Debug, Default)]
struct Books {
    /// Children that we started and have not collected, each with the number of its start: a pid comes again.
    enrolled: HashMap<u32, u64>,
    starts: u64,
    /// Dead children of unknown origin, and since when.
    strangers: HashMap<(u32, u64), Instant>,
    /// Processor time of orphans collected so far, by what they carried.
    spent: Vec<(Carried, u64)>,
    collected: Option<Instant>,
}

impl Books {
    fn spend(&mut self, carried: Carried, ticks: u64) {
        match self.spent.iter_mut().find(|(by, _)| *by == carried) {
            Some((_, sum)) => *sum += ticks,
            None => self.spent.push((carried, ticks)),
        }
    }
}

/// The claim to one child's exit status.
#[derive(Debug)]
pub(crate) struct Enrolment {
    pid: u32,
    start: u64,
}

fn books() -> MutexGuard<'static, Books> {
    BOOKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on orphans of our trees come to us instead of to the system's first process.
pub(crate) fn take_in() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if let Err(error) = set_child_subreaper(Some(rustix::process::getpid())) {
            tracing::warn!(%error, "orphaned processes will not be ours to collect");
        }
    });
}

/// Starts a child and claims its exit status in one go.
pub(crate) fn enrol<C>(
    start: impl FnOnce() -> io::Result<C>,
    pid: impl FnOnce(&C) -> Option<u32>,
) -> io::Result<(C, Enrolment)> {
    let _shared = STARTING.read().unwrap_or_else(PoisonError::into_inner);
    let child = start()?;
    let pid = pid(&child).ok_or_else(|| io::Error::other("the system gave no process id"))?;
    Ok((child, Enrolment::claim(pid)))
}

impl Enrolment {
    /// Claims the status of a process that somebody else started: it may come to us as an orphan.
    pub(crate) fn claim(pid: u32) -> Self {
        let mut books = books();
        books.starts += 1;
        let start = books.starts;
        books.enrolled.insert(pid, start);
        Self { pid, start }
    }

    /// The status was collected; the pid may already belong to another child of ours.
    pub(crate) fn strike(&self) {
        let mut books = books();
        if books.enrolled.get(&self.pid) == Some(&self.start) {
            books.enrolled.remove(&self.pid);
        }
    }
}

/// Whether somebody waits for this child's exit status.
pub(crate) fn is_claimed(pid: u32) -> bool {
    books().enrolled.contains_key(&pid)
}

/// Collects a dead orphan that came to us; whether it was one.
pub(crate) fn collect_one(row: &Row) -> bool {
    let Ok(_alone) = STARTING.try_write() else {
        return false;
    };
    // The row may be older than the lock.
    let is_dead_child_now = Row::load(row.pid)
        .is_some_and(|now| now.is_same_as(row) && !now.alive && now.parent == std::process::id());
    if !is_dead_child_now || books().enrolled.contains_key(&row.pid) {
        return false;
    }
    let Some(pid) = i32::try_from(row.pid).ok().and_then(Pid::from_raw) else {
        return false;
    };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
    matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_)))
}

/// Collects all dead orphans, at most twice a second however many runs ask for it.
pub(crate) fn collect(table: &[Row]) {
    let now = Instant::now();
    {
        let mut books = books();
        if books.collected.is_some_and(|last| now.duration_since(last) < COLLECT_EVERY) {
            return;
        }
        books.collected = Some(now);
    }
    let own = std::process::id();
    let mut strangers = HashMap::new();
    for row in table.iter().filter(|row| row.parent == own && !row.alive) {
        let Some(carried) = Carried::load(row.pid) else { continue };
        let since = books().strangers.get(&row.key()).copied().unwrap_or(now);
        if carried.is_of_a_run_of_ours() {
            if collect_one(row) {
                books().spend(carried, row.cpu_ticks);
            }
        } else if now.duration_since(since) < FOREIGN_PATIENCE || !collect_one(row) {
            strangers.insert(row.key(), since);
        }
    }
    books().strangers = strangers;
}

/// The processor time of a run's orphans that were collected before its end.
pub(crate) fn take_spent(tag: Tag) -> u64 {
    let mut books = books();
    let own = books.spent.extract_if(.., |(carried, _)| tag.is_on(*carried));
    own.map(|(_, ticks)| ticks).sum()
}

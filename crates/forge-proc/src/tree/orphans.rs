//! Reaps orphaned descendants.
//!
//! This process is their subreaper, so the kernel makes it the parent of every orphan below it. The code here reaps
//! dead orphans, except children whose exit status another part of this process waits for.

use std::collections::HashMap;
use std::io;
use std::sync::{LazyLock, Mutex, MutexGuard, Once, PoisonError, RwLock};
use std::time::Duration;

use rustix::process::{Pid, WaitId, WaitIdOptions, set_child_subreaper, waitid};
use tokio::time::Instant;

use crate::tree::limit_tag::{LimitTag, LockLimits};
use crate::tree::process_row::ProcessRow;

const REAP_INTERVAL: Duration = Duration::from_millis(500);

/// A dead child without a tag may have been started by other code in this process that is about to wait for it.
const UNTAGGED_PATIENCE: Duration = Duration::from_secs(10);

/// Held shared while a child is started: until its exit is claimed, the child must not be reaped as an orphan.
static STARTING: RwLock<()> = RwLock::new(());
static REAPER_STATE: LazyLock<Mutex<ReaperState>> = LazyLock::new(Mutex::default);

#[derive(Debug, Default)]
struct ReaperState {
    /// Children of this process that are not reaped yet, each with the number of its start, because pids are reused.
    claimed: HashMap<u32, u64>,
    starts: u64,
    /// Dead children of unknown origin, and when each was first seen.
    untagged: HashMap<(u32, u64), Instant>,
    /// Processor time of the orphans reaped so far, by their limits.
    cpu_ticks: Vec<(LockLimits, u64)>,
    last_reaped: Option<Instant>,
}

impl ReaperState {
    fn add_cpu_ticks(&mut self, carried: LockLimits, ticks: u64) {
        match self.cpu_ticks.iter_mut().find(|(by, _)| *by == carried) {
            Some((_, sum)) => *sum += ticks,
            None => self.cpu_ticks.push((carried, ticks)),
        }
    }
}

/// The exclusive right to read one child's exit status.
#[derive(Debug)]
pub(crate) struct ExitClaim {
    pid: u32,
    start: u64,
}

fn reaper_state() -> MutexGuard<'static, ReaperState> {
    REAPER_STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes this process the parent of orphans in its trees, instead of the system's init.
pub(crate) fn become_subreaper() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if let Err(error) = set_child_subreaper(Some(rustix::process::getpid())) {
            tracing::warn!(%error, "could not become subreaper; orphans will not be reaped here");
        }
    });
}

/// Starts a child and claims its exit status in one step.
pub(crate) fn spawn_claimed<C>(
    start: impl FnOnce() -> io::Result<C>,
    pid: impl FnOnce(&C) -> Option<u32>,
) -> io::Result<(C, ExitClaim)> {
    let _shared = STARTING.read().unwrap_or_else(PoisonError::into_inner);
    let child = start()?;
    let pid = pid(&child).ok_or_else(|| io::Error::other("the system gave no process id"))?;
    Ok((child, ExitClaim::claim(pid)))
}

impl ExitClaim {
    /// Claims the exit status of a process that another process started: it may be reparented here as an orphan.
    pub(crate) fn claim(pid: u32) -> Self {
        let mut books = reaper_state();
        books.starts += 1;
        let start = books.starts;
        books.claimed.insert(pid, start);
        Self { pid, start }
    }

    /// Releases the claim after the status was read; another child may already have the same pid.
    pub(crate) fn release(&self) {
        let mut books = reaper_state();
        if books.claimed.get(&self.pid) == Some(&self.start) {
            books.claimed.remove(&self.pid);
        }
    }
}

/// Whether this child's exit status is claimed.
pub(crate) fn is_claimed(pid: u32) -> bool {
    reaper_state().claimed.contains_key(&pid)
}

/// Reaps a dead orphan; returns whether it was one.
pub(crate) fn reap_orphan(row: &ProcessRow) -> bool {
    let Ok(_alone) = STARTING.try_write() else {
        return false;
    };
    // The row may be older than the lock.
    let is_dead_child_now = ProcessRow::load(row.pid)
        .is_some_and(|now| now.is_same_as(row) && !now.alive && now.parent == std::process::id());
    if !is_dead_child_now || reaper_state().claimed.contains_key(&row.pid) {
        return false;
    }
    let Some(pid) = i32::try_from(row.pid).ok().and_then(Pid::from_raw) else {
        return false;
    };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
    matches!(waitid(WaitId::Pid(pid), options), Ok(Some(_)))
}

/// Reaps all dead orphans, at most twice a second however many callers ask.
pub(crate) fn reap_orphans(table: &[ProcessRow]) {
    let now = Instant::now();
    {
        let mut books = reaper_state();
        if books.last_reaped.is_some_and(|last| now.duration_since(last) < REAP_INTERVAL) {
            return;
        }
        books.last_reaped = Some(now);
    }
    let own = std::process::id();
    let mut strangers = HashMap::new();
    for row in table.iter().filter(|row| row.parent == own && !row.alive) {
        let Some(carried) = LockLimits::load(row.pid) else { continue };
        let since = reaper_state().untagged.get(&row.key()).copied().unwrap_or(now);
        if carried.is_set_below_this_process() {
            if reap_orphan(row) {
                reaper_state().add_cpu_ticks(carried, row.cpu_ticks);
            }
        } else if now.duration_since(since) < UNTAGGED_PATIENCE || !reap_orphan(row) {
            strangers.insert(row.key(), since);
        }
    }
    reaper_state().untagged = strangers;
}

/// Takes the processor time of the tree's orphans that were reaped before its end.
pub(crate) fn take_cpu_ticks(tag: LimitTag) -> u64 {
    let mut books = reaper_state();
    let own = books.cpu_ticks.extract_if(.., |(carried, _)| tag.matches(*carried));
    own.map(|(_, ticks)| ticks).sum()
}

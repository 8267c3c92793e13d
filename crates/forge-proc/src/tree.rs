use std::collections::HashSet;
use std::time::Duration;

use rustix::process::Signal;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::mark::Mark;
use crate::table::Row;

const LOOK_EVERY: Duration = Duration::from_millis(10);
const KILL_PATIENCE: Duration = Duration::from_secs(10);

/// Processes that SIGKILL did not end: they hang in the kernel, for instance on a dead network file system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "processes {pids:?} are still there after SIGKILL; they hang in the kernel: free what they wait for, or restart the machine"
)]
pub struct StillAlive {
    /// Their pids.
    pub pids: Vec<u32>,
}

/// Ends every process that carries the mark, and what they started. Returns when none is alive: how many were ended.
pub async fn end_marked(mark: &Mark, grace: Duration) -> Result<usize, StillAlive> {
    let sweep = Tree::of_mark(mark.clone()).end(grace).await;
    if sweep.left.is_empty() { Ok(sweep.ended) } else { Err(StillAlive { pids: sweep.left }) }
}

/// How to recognise the processes of one run.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    mark: Mark,
    leader: Option<u32>,
}

/// What ending a tree came to.
#[derive(Debug, Default)]
pub(crate) struct Sweep {
    pub(crate) ended: usize,
    pub(crate) left: Vec<u32>,
    pub(crate) cpu_ticks: u64,
}

impl Tree {
    /// After a restart only the mark is left to go by.
    pub(crate) fn of_mark(mark: Mark) -> Self {
        Self { mark, leader: None }
    }

    /// While the leader is not reaped its session and group number are certain too.
    pub(crate) fn of_leader(mark: Mark, leader: u32) -> Self {
        Self { mark, leader: Some(leader) }
    }

    /// Everyone alive who is in the session or group, carries the mark, or descends from such a process.
    fn members(&self) -> Vec<Row> {
        let own = std::process::id();
        let mut rest: Vec<Row> = Row::load_all()
            .into_iter()
            .filter(|row| row.alive && row.pid != own && row.pid != 1)
            .collect();
        let mut members: Vec<Row> = rest.extract_if(.., |row| self.recognises(row)).collect();
        let mut pids: HashSet<u32> = members.iter().map(|row| row.pid).collect();
        loop {
            let found: Vec<Row> = rest.extract_if(.., |row| pids.contains(&row.parent)).collect();
            if found.is_empty() {
                return members;
            }
            pids.extend(found.iter().map(|row| row.pid));
            members.extend(found);
        }
    }

    fn recognises(&self, row: &Row) -> bool {
        let led =
            self.leader.is_some_and(|leader| [row.pid, row.session, row.group].contains(&leader));
        led || self.mark.is_in(&row.load_environ())
    }

    async fn load_members(&self) -> Vec<Row> {
        let tree = self.clone();
        // Reading the process table is many small file reads; they do not belong on an async thread.
        tokio::task::spawn_blocking(move || tree.members()).await.unwrap_or_default()
    }

    /// TERM, grace, KILL; looks again until nobody is left, because a tree grows while it is being ended.
    pub(crate) async fn end(&self, grace: Duration) -> Sweep {
        let mut sweep = Sweep::default();
        let mut seen = HashSet::new();
        let started = Instant::now();
        let mut ticks = interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let members = self.load_members().await;
            let kill = started.elapsed() >= grace;
            for row in &members {
                let new = seen.insert((row.pid, row.start_ticks));
                if new && Some(row.pid) != self.leader {
                    sweep.ended += 1;
                    sweep.cpu_ticks += row.cpu_ticks;
                }
                if kill {
                    row.signal(Signal::KILL);
                } else if new {
                    row.signal(Signal::TERM);
                    // A stopped process would sit on its TERM until the KILL.
                    row.signal(Signal::CONT);
                }
            }
            let hopeless = started.elapsed() >= grace + KILL_PATIENCE;
            if members.is_empty() || hopeless {
                sweep.left = members.iter().map(|row| row.pid).collect();
                if hopeless && !sweep.left.is_empty() {
                    tracing::error!(mark = %self.mark, pids = ?sweep.left, "processes outlived SIGKILL");
                }
                return sweep;
            }
        }
    }
}

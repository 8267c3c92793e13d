use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::desk::looking;
use crate::identity::ProcessIdentity;
use crate::mark::Mark;
use crate::orphans;
use crate::snapshot::Snapshot;
use crate::sweep::Sweep;
use crate::table::Row;
use crate::tag::{Carried, Tag};
use crate::usage;

/// Processes that SIGKILL did not end: they hang in the kernel, for instance on a dead network file system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "processes {pids:?} are still there after SIGKILL; they hang in the kernel: free what they wait for, or restart the machine"
)]
pub struct StillAlive {
    /// Their pids.
    pub pids: Vec<u32>,
}

/// Ends every process of the mark's run, and what they started. Returns when none is alive: how many were ended.
pub async fn end_marked(mark: &Mark, grace: Duration) -> Result<usize, StillAlive> {
    orphans::take_in();
    let sweep = Sweep::of(&Tree::of_mark(mark.clone()), grace).await;
    if sweep.left.is_empty() { Ok(sweep.ended) } else { Err(StillAlive { pids: sweep.left }) }
}

/// How to recognise the processes of one run.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    pub(crate) mark: Mark,
    pub(crate) tag: Tag,
    /// The number of its session and first group, while it cannot be another's.
    session: Option<u32>,
    program: Option<(u32, u64)>,
    /// Whether the program has a keeper in front of it.
    kept: bool,
    /// Who was seen to belong to it while its parents lived.
    known: Arc<Mutex<HashSet<(u32, u64)>>>,
    /// Who was asked and does not belong to it. Nobody becomes a member later, but by being born to one.
    strangers: Arc<Mutex<HashSet<(u32, u64)>>>,
}

/// Who belongs to a tree at one moment.
#[derive(Debug, Default)]
pub(crate) struct Members {
    pub(crate) alive: Vec<Row>,
    /// Dead, but not collected by their parents yet.
    pub(crate) dead: Vec<Row>,
}

impl Tree {
    /// After a restart only the mark is left to go by.
    pub(crate) fn of_mark(mark: Mark) -> Self {
        Self {
            tag: Tag::of(&mark),
            mark,
            session: None,
            program: None,
            kept: false,
            known: Arc::default(),
            strangers: Arc::default(),
        }
    }

    /// While the leader is not reaped its session and group number are certain too.
    pub(crate) fn of_leader(mark: Mark, leader: &ProcessIdentity) -> Self {
        Self { session: Some(leader.pid), ..Self::of_foreign(mark, leader) }
    }

    /// A program that others reap: its numbers may be given away the moment it ends.
    pub(crate) fn of_foreign(mark: Mark, program: &ProcessIdentity) -> Self {
        let key = (program.pid, program.start_ticks);
        let known = Arc::new(Mutex::new(HashSet::from([key])));
        Self { program: Some(key), known, ..Self::of_mark(mark) }
    }

    pub(crate) fn is_program(&self, row: &Row) -> bool {
        self.program == Some(row.key())
    }

    /// The program is the child of what we started.
    pub(crate) fn kept(self, kept: bool) -> Self {
        Self { kept, ..self }
    }

    /// Whether somebody would call this the program, its keeper included.
    pub(crate) fn is_program_or_kept(&self, row: &Row) -> bool {
        self.is_program(row)
            || (self.kept && self.program.is_some_and(|(keeper, _)| row.parent == keeper))
    }

    /// Everyone who is in the session or group, carries the tag or the mark, was known before, or descends from such
    /// a process.
    fn members(&self) -> Members {
        let own = std::process::id();
        let rows: Vec<Row> =
            Row::load_all().into_iter().filter(|row| row.pid != own && row.pid != 1).collect();
        let (alive, dead): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| row.alive);
        let alive = with_descendants(alive, |row| self.recognises(row));
        self.remember(&alive);
        let dead = dead.into_iter().filter(|row| self.recognises(row)).collect();
        Members { alive, dead }
    }

    pub(crate) fn recognises(&self, row: &Row) -> bool {
        let led = self.session.is_some_and(|number| [row.session, row.group].contains(&number));
        if led || self.knows(row) {
            return true;
        }
        if locked(&self.strangers).contains(&row.key()) {
            return false;
        }
        let carried = Carried::load(row.pid);
        let belongs = carried.is_some_and(|carried| self.tag.is_on(carried))
            || self.mark.is_in(&row.load_environ());
        // An environment cannot be read while a program is being replaced; the tag can.
        if !belongs && carried.is_some() {
            locked(&self.strangers).insert(row.key());
        }
        belongs
    }

    fn knows(&self, row: &Row) -> bool {
        locked(&self.known).contains(&row.key())
    }

    fn remember(&self, rows: &[Row]) {
        locked(&self.known).extend(rows.iter().map(Row::key));
    }

    pub(crate) async fn load_members(&self) -> Members {
        let tree = self.clone();
        // Reading the process table is many small file reads; they do not belong on an async thread.
        tokio::task::spawn_blocking(move || tree.members()).await.unwrap_or_default()
    }

    /// Looks at the tree without asking each process of the machine whom it belongs to: those below the leader and
    /// those known before. All of them are known from now on. Tells what memory they have.
    pub(crate) async fn glance(&self) -> Option<u64> {
        let tree = self.clone();
        let look = move || {
            let snapshot = Snapshot::recent();
            orphans::collect(&snapshot.rows);
            let led = |row: &Row| {
                tree.knows(row) || tree.session.is_some_and(|session| row.session == session)
            };
            let alive = snapshot.rows.iter().filter(|row| row.alive).copied().collect();
            let seen = with_descendants(alive, led);
            // The dead need not be remembered; a run of days would know too many.
            *locked(&tree.known) = seen.iter().map(Row::key).collect();
            usage::memory_kib(&seen)
        };
        looking(look).await.unwrap_or_default()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn with_descendants(mut rest: Vec<Row>, is_root: impl Fn(&Row) -> bool) -> Vec<Row> {
    let mut members: Vec<Row> = rest.extract_if(.., |row| is_root(row)).collect();
    let mut children: HashMap<u32, Vec<Row>> = HashMap::new();
    for row in rest {
        children.entry(row.parent).or_default().push(row);
    }
    let mut next = 0;
    while let Some(parent) = members.get(next).map(|row| row.pid) {
        members.extend(children.remove(&parent).unwrap_or_default());
        next += 1;
    }
    members
}

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::output::log_workers::run_on_watch_worker;
use crate::supervise::usage;
use crate::tree::limit_tag::{LimitTag, LockLimits};
use crate::tree::orphans;
use crate::tree::process_identity::ProcessIdentity;
use crate::tree::process_mark::ProcessMark;
use crate::tree::process_row::ProcessRow;
use crate::tree::process_snapshot::ProcessSnapshot;
use crate::tree::tree_sweep::TreeSweep;

/// Processes that SIGKILL did not end: they hang in the kernel, for instance on a dead network file system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "processes {pids:?} are still there after SIGKILL; they hang in the kernel: free what they wait for, or restart the machine"
)]
pub struct SurvivorsError {
    pub pids: Vec<u32>,
}

/// Ends every process with this mark, and their descendants. Returns the number of ended processes when none is
/// alive.
pub async fn end_marked_processes(
    mark: &ProcessMark,
    grace: Duration,
) -> Result<usize, SurvivorsError> {
    orphans::become_subreaper();
    let sweep = TreeSweep::run(&ProcessTree::of_mark(mark.clone()), grace).await;
    if sweep.survivors.is_empty() {
        Ok(sweep.ended)
    } else {
        Err(SurvivorsError { pids: sweep.survivors })
    }
}

/// Ends every process that carries a numbered mark of this one, except those that run `spared` themselves: the
/// descendants of a program that may still be working. Returns the number of ended processes when none is alive.
pub async fn end_numbered_processes(
    mark: &ProcessMark,
    spared: &'static str,
    grace: Duration,
) -> Result<usize, SurvivorsError> {
    orphans::become_subreaper();
    let tree = ProcessTree { spared_program: Some(spared), ..ProcessTree::of_mark(mark.clone()) };
    let sweep = TreeSweep::run(&tree, grace).await;
    if sweep.survivors.is_empty() {
        Ok(sweep.ended)
    } else {
        Err(SurvivorsError { pids: sweep.survivors })
    }
}

/// How to recognise the processes of one supervised tree.
#[derive(Debug, Clone)]
pub(crate) struct ProcessTree {
    pub(crate) mark: ProcessMark,
    /// The program whose own processes do not belong to the tree; numbered marks count then.
    spared_program: Option<&'static str>,
    pub(crate) tag: LimitTag,
    /// The number of its session and first group, while the kernel cannot have reused it.
    session: Option<u32>,
    program: Option<(u32, u64)>,
    /// Whether an exit recorder is the parent of the program.
    has_exit_recorder: bool,
    /// Processes that were seen in the tree while their parents lived.
    members_seen: Arc<Mutex<HashSet<(u32, u64)>>>,
    /// Processes that were checked and do not belong to the tree. A process joins later only by being forked from a
    /// member.
    non_members: Arc<Mutex<HashSet<(u32, u64)>>>,
}

/// The processes of a tree at one moment.
#[derive(Debug, Default)]
pub(crate) struct TreeMembers {
    pub(crate) alive: Vec<ProcessRow>,
    /// Dead, but not reaped by their parents yet.
    pub(crate) dead: Vec<ProcessRow>,
}

impl ProcessTree {
    /// After a restart only the mark is available.
    pub(crate) fn of_mark(mark: ProcessMark) -> Self {
        Self {
            tag: LimitTag::of(&mark),
            mark,
            spared_program: None,
            session: None,
            program: None,
            has_exit_recorder: false,
            members_seen: Arc::default(),
            non_members: Arc::default(),
        }
    }

    /// While the owned child is not reaped, its session and group number are certain too.
    pub(crate) fn of_owned(mark: ProcessMark, leader: &ProcessIdentity) -> Self {
        Self { session: Some(leader.pid), ..Self::of_adopted(mark, leader) }
    }

    /// For a program that another process reaps: its numbers may be reused the moment it ends.
    pub(crate) fn of_adopted(mark: ProcessMark, program: &ProcessIdentity) -> Self {
        let key = (program.pid, program.start_ticks);
        let members_seen = Arc::new(Mutex::new(HashSet::from([key])));
        Self { program: Some(key), members_seen, ..Self::of_mark(mark) }
    }

    pub(crate) fn is_program(&self, row: &ProcessRow) -> bool {
        self.program == Some(row.key())
    }

    /// Says whether the program is a child of an exit recorder.
    pub(crate) fn with_exit_recorder(self, kept: bool) -> Self {
        Self { has_exit_recorder: kept, ..self }
    }

    /// Whether this process is the program or its exit recorder.
    pub(crate) fn is_program_or_recorder(&self, row: &ProcessRow) -> bool {
        self.is_program(row)
            || (self.has_exit_recorder
                && self.program.is_some_and(|(keeper, _)| row.parent == keeper))
    }

    /// All processes in the session or group, with the tag or the mark, seen before, or descended from such a
    /// process.
    fn members(&self) -> TreeMembers {
        let own = std::process::id();
        let rows: Vec<ProcessRow> = ProcessRow::load_all()
            .into_iter()
            .filter(|row| row.pid != own && row.pid != 1)
            .collect();
        let (alive, dead): (Vec<ProcessRow>, Vec<ProcessRow>) =
            rows.into_iter().partition(|row| row.alive);
        let alive = with_descendants(alive, |row| self.recognises(row));
        self.remember(&alive);
        let dead = dead.into_iter().filter(|row| self.recognises(row)).collect();
        TreeMembers { alive, dead }
    }

    pub(crate) fn recognises(&self, row: &ProcessRow) -> bool {
        let led = self.session.is_some_and(|number| [row.session, row.group].contains(&number));
        if led || self.knows(row) {
            return true;
        }
        if locked(&self.non_members).contains(&row.key()) {
            return false;
        }
        let carried = LockLimits::load(row.pid);
        let belongs = match self.spared_program {
            Some(program) => {
                self.mark.is_numbered_in(&row.load_environ()) && !row.is_running(program)
            }
            None => {
                carried.is_some_and(|carried| self.tag.matches(carried))
                    || self.mark.is_in(&row.load_environ())
            }
        };
        // An environment cannot be read while a process replaces its program; the tag can.
        if !belongs && carried.is_some() {
            locked(&self.non_members).insert(row.key());
        }
        belongs
    }

    fn knows(&self, row: &ProcessRow) -> bool {
        locked(&self.members_seen).contains(&row.key())
    }

    fn remember(&self, rows: &[ProcessRow]) {
        locked(&self.members_seen).extend(rows.iter().map(ProcessRow::key));
    }

    pub(crate) async fn load_members(&self) -> TreeMembers {
        let tree = self.clone();
        // Reading the process table is many small file reads, which must not block an async thread.
        tokio::task::spawn_blocking(move || tree.members()).await.unwrap_or_default()
    }

    /// Samples the tree without checking every process of the machine: it covers descendants of the root process and
    /// processes seen before, and remembers all of them. Returns their memory.
    pub(crate) async fn sample_memory(&self) -> Option<u64> {
        let tree = self.clone();
        let look = move || {
            let snapshot = ProcessSnapshot::recent();
            orphans::reap_orphans(&snapshot.rows);
            let led = |row: &ProcessRow| {
                tree.knows(row) || tree.session.is_some_and(|session| row.session == session)
            };
            let alive = snapshot.rows.iter().filter(|row| row.alive).copied().collect();
            let seen = with_descendants(alive, led);
            // Dead processes are dropped; over days the set would grow too large.
            *locked(&tree.members_seen) = seen.iter().map(ProcessRow::key).collect();
            usage::memory_kib(&seen)
        };
        run_on_watch_worker(look).await.unwrap_or_default()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn with_descendants(
    mut rest: Vec<ProcessRow>,
    is_root: impl Fn(&ProcessRow) -> bool,
) -> Vec<ProcessRow> {
    let mut members: Vec<ProcessRow> = rest.extract_if(.., |row| is_root(row)).collect();
    let mut children: HashMap<u32, Vec<ProcessRow>> = HashMap::new();
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

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use rustix::process::Signal;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::tree::orphans;
use crate::tree::process_row::ProcessRow;
use crate::tree::process_tree::{ProcessTree, TreeMembers};

const POLL_INTERVAL: Duration = Duration::from_millis(10);
const KILL_PATIENCE: Duration = Duration::from_secs(10);

/// Result of ending a process tree.
#[derive(Debug, Default)]
pub(crate) struct TreeSweep {
    pub(crate) ended: usize,
    pub(crate) survivors: Vec<u32>,
    /// Processor time of all processes except the root.
    pub(crate) cpu_ticks: u64,
}

impl TreeSweep {
    /// TERM, grace, KILL; repeats until no process is left, because a tree grows while it is being ended.
    pub(crate) async fn run(tree: &ProcessTree, grace: Duration) -> Self {
        let mut spent: HashMap<(u32, u64), u64> = HashMap::new();
        let mut ended = 0;
        let mut asked = None;
        let mut ticks = interval(POLL_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let members = tree.load_members().await;
            // On a busy machine one pass can take longer than the grace; the grace starts with the first signals.
            let waited = asked.get_or_insert_with(Instant::now).elapsed();
            let kill = waited >= grace;
            for row in &members.alive {
                let new = spent.insert(row.key(), row.cpu_ticks).is_none();
                ended += usize::from(new && !tree.is_program_or_recorder(row));
                if !kill && new {
                    row.signal(Signal::TERM);
                    // A stopped process would not handle TERM until the KILL.
                    row.signal(Signal::CONT);
                }
            }
            if kill {
                kill_all(&members.alive);
            }
            let uncollected = reap_members(tree, &members, &mut spent);
            let hopeless = waited >= grace + KILL_PATIENCE;
            if (members.alive.is_empty() && !uncollected) || hopeless {
                let left: Vec<u32> = members.alive.iter().map(|row| row.pid).collect();
                if !left.is_empty() {
                    tracing::error!(mark = %tree.mark, pids = ?left, "processes survived SIGKILL");
                }
                let leader = members.dead.iter().chain(&members.alive);
                for row in leader.filter(|row| tree.is_program(row)) {
                    spent.remove(&row.key());
                }
                let cpu_ticks = spent.values().sum::<u64>() + orphans::take_cpu_ticks(tree.tag);
                return Self { ended, survivors: left, cpu_ticks };
            }
        }
    }
}

/// A process that forks and exits at once is gone before a signal arrives; the signal to its group reaches the child.
fn kill_all(rows: &[ProcessRow]) {
    let groups: HashMap<u32, &ProcessRow> = rows.iter().map(|row| (row.group, row)).collect();
    for row in groups.values() {
        row.kill_group();
    }
    for row in rows {
        row.signal(Signal::KILL);
    }
}

/// Reaps dead members that were reparented here; returns whether another pass is needed because some are not
/// reparented yet.
fn reap_members(
    tree: &ProcessTree,
    members: &TreeMembers,
    spent: &mut HashMap<(u32, u64), u64>,
) -> bool {
    let own = std::process::id();
    let parents: HashSet<u32> =
        members.alive.iter().chain(&members.dead).map(|row| row.pid).collect();
    let mut waiting = false;
    for row in members.dead.iter().filter(|row| !tree.is_program(row)) {
        spent.insert(row.key(), row.cpu_ticks);
        let ours = row.parent == own;
        let claimed = ours && orphans::is_claimed(row.pid);
        let collected = ours && !claimed && orphans::reap_orphan(row);
        waiting |= (ours && !claimed && !collected) || parents.contains(&row.parent);
    }
    waiting
}

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use rustix::process::Signal;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::orphans;
use crate::table::Row;
use crate::tree::{Members, Tree};

const LOOK_EVERY: Duration = Duration::from_millis(10);
const KILL_PATIENCE: Duration = Duration::from_secs(10);

/// What ending a tree came to.
#[derive(Debug, Default)]
pub(crate) struct Sweep {
    pub(crate) ended: usize,
    pub(crate) left: Vec<u32>,
    /// Of all but the leader.
    pub(crate) cpu_ticks: u64,
}

impl Sweep {
    /// TERM, grace, KILL; looks again until nobody is left, because a tree grows while it is being ended.
    pub(crate) async fn of(tree: &Tree, grace: Duration) -> Self {
        let mut spent: HashMap<(u32, u64), u64> = HashMap::new();
        let mut ended = 0;
        let mut asked = None;
        let mut ticks = interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let members = tree.load_members().await;
            // A look can take longer than the grace on a busy machine; who was not asked yet is asked first.
            let waited = asked.get_or_insert_with(Instant::now).elapsed();
            let kill = waited >= grace;
            for row in &members.alive {
                let new = spent.insert(row.key(), row.cpu_ticks).is_none();
                ended += usize::from(new && !tree.is_program_or_kept(row));
                if !kill && new {
                    row.signal(Signal::TERM);
                    // A stopped process would sit on its TERM until the KILL.
                    row.signal(Signal::CONT);
                }
            }
            if kill {
                kill_all(&members.alive);
            }
            let uncollected = collect(tree, &members, &mut spent);
            let hopeless = waited >= grace + KILL_PATIENCE;
            if (members.alive.is_empty() && !uncollected) || hopeless {
                let left: Vec<u32> = members.alive.iter().map(|row| row.pid).collect();
                if !left.is_empty() {
                    tracing::error!(mark = %tree.mark, pids = ?left, "processes outlived SIGKILL");
                }
                let leader = members.dead.iter().chain(&members.alive);
                for row in leader.filter(|row| tree.is_program(row)) {
                    spent.remove(&row.key());
                }
                let cpu_ticks = spent.values().sum::<u64>() + orphans::take_spent(tree.tag);
                return Self { ended, left, cpu_ticks };
            }
        }
    }
}

/// A process that forks and leaves at once is gone before a signal finds it; the signal to its group finds the child.
fn kill_all(rows: &[Row]) {
    let groups: HashMap<u32, &Row> = rows.iter().map(|row| (row.group, row)).collect();
    for row in groups.values() {
        row.kill_group();
    }
    for row in rows {
        row.signal(Signal::KILL);
    }
}

/// Collects the dead that came to us; whether another look is needed because some are still on their way.
fn collect(tree: &Tree, members: &Members, spent: &mut HashMap<(u32, u64), u64>) -> bool {
    let own = std::process::id();
    let parents: HashSet<u32> =
        members.alive.iter().chain(&members.dead).map(|row| row.pid).collect();
    let mut waiting = false;
    for row in members.dead.iter().filter(|row| !tree.is_program(row)) {
        spent.insert(row.key(), row.cpu_ticks);
        let ours = row.parent == own;
        let claimed = ours && orphans::is_claimed(row.pid);
        let collected = ours && !claimed && orphans::collect_one(row);
        waiting |= (ours && !claimed && !collected) || parents.contains(&row.parent);
    }
    waiting
}

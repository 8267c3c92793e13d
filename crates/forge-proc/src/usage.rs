use std::fs;
use std::time::Duration;

use rustix::param::clock_ticks_per_second;

/// How deep and wide a tree is looked at; a fork bomb must not make us read for seconds.
const MOST_PROCESSES: usize = 256;

/// The largest resident set that any process of the tree below (and including) `root` had so far.
pub(crate) fn peak_memory_kib(root: u32) -> Option<u64> {
    let mut open = vec![root];
    let mut peak = None;
    let mut looked = 0;
    while let Some(pid) = open.pop() {
        looked += 1;
        if looked > MOST_PROCESSES {
            break;
        }
        peak = peak.max(high_water_mark(pid));
        let children =
            fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
        open.extend(
            children.split_ascii_whitespace().filter_map(|child| child.parse::<u32>().ok()),
        );
    }
    peak
}

fn high_water_mark(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// Clock ticks as time.
pub(crate) fn ticks(count: u64) -> Duration {
    let per_second = clock_ticks_per_second().max(1);
    Duration::from_millis(count.saturating_mul(1000) / per_second)
}

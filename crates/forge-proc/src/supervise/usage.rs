use std::fs;
use std::time::Duration;

use rustix::param::{clock_ticks_per_second, page_size};

use crate::tree::process_row::ProcessRow;

/// Largest number of processes that are inspected; a fork bomb must not make the server read for seconds.
const MOST_PROCESSES: usize = 256;

/// The current memory of a tree: the sum of its resident sets, and at least the peak of any single process.
pub(crate) fn memory_kib(members: &[ProcessRow]) -> Option<u64> {
    let pages: u64 = members.iter().map(|row| row.resident_pages).sum();
    let together = pages.saturating_mul(page_size() as u64) / 1024;
    let most = members.iter().take(MOST_PROCESSES).filter_map(|row| high_water_mark(row.pid)).max();
    Some(together).filter(|kib| *kib > 0).max(most)
}

fn high_water_mark(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// Converts clock ticks to a duration.
pub(crate) fn ticks_to_duration(count: u64) -> Duration {
    let per_second = clock_ticks_per_second().max(1);
    Duration::from_millis(count.saturating_mul(1000) / per_second)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn e_4_memory_is_that_of_all_processes_together_and_no_less_than_the_peak_of_one() {
        let own = ProcessRow::load(std::process::id()).expect("this process");
        let kib = own.resident_pages * page_size() as u64 / 1024;
        assert_eq!(memory_kib(&[own; 5]), Some(kib * 5));
        let shrunk = ProcessRow { resident_pages: 0, ..own };
        assert!(memory_kib(&[shrunk]).is_some_and(|peak| peak >= kib / 2));
        assert_eq!(memory_kib(&[]), None);
    }
}

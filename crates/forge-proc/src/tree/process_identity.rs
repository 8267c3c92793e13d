use std::fs;
use std::sync::OnceLock;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::supervise::usage;
use crate::tree::process_row::ProcessRow;

/// Identifies one process without doubt: pids are reused, so the start time and the boot must match too.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessIdentity {
    pub pid: u32,
    /// Start time in clock ticks since the boot.
    pub start_ticks: u64,
    /// The kernel's id of that boot.
    pub boot_id: String,
}

impl ProcessIdentity {
    /// The identity of the process that has this pid now; `None` when there is none.
    pub fn of(pid: u32) -> Option<Self> {
        let row = ProcessRow::load(pid)?;
        Some(Self { pid, start_ticks: row.start_ticks, boot_id: boot_id()? })
    }

    /// Identity of this process.
    pub fn of_self() -> Option<Self> {
        static SELF: OnceLock<ProcessIdentity> = OnceLock::new();
        if let Some(known) = SELF.get() {
            return Some(known.clone());
        }
        let found = Self::of(std::process::id())?;
        Some(SELF.get_or_init(|| found).clone())
    }

    /// Whether exactly this process still runs. A zombie does not.
    pub fn is_alive(&self) -> bool {
        self.row().is_some_and(|row| row.alive)
    }

    /// The current row of the process table; includes zombies.
    pub(crate) fn row(&self) -> Option<ProcessRow> {
        ProcessRow::load(self.pid)
            .filter(|row| row.start_ticks == self.start_ticks)
            .filter(|_| boot_id().is_some_and(|boot| boot == self.boot_id))
    }

    /// One line of text, for a file in the spool directory.
    pub(crate) fn to_text(&self) -> String {
        format!("{} {} {}\n", self.pid, self.start_ticks, self.boot_id)
    }

    /// Parses the line that `to_text` writes.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_ascii_whitespace();
        let pid = words.next()?.parse().ok()?;
        let start_ticks = words.next()?.parse().ok()?;
        Some(Self { pid, start_ticks, boot_id: words.next()?.to_owned() })
    }

    /// Time since the process started.
    pub(crate) fn age(&self) -> Option<Duration> {
        let uptime = fs::read_to_string("/proc/uptime").ok()?;
        let uptime: f64 = uptime.split_ascii_whitespace().next()?.parse().ok()?;
        let uptime = Duration::try_from_secs_f64(uptime).ok()?;
        Some(uptime.saturating_sub(usage::ticks_to_duration(self.start_ticks)))
    }
}

fn boot_id() -> Option<String> {
    let text = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(text.trim().to_owned())
}

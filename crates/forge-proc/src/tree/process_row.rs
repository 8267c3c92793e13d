use std::fs;
use std::thread;

use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open, pidfd_send_signal};

/// Flag of kernel threads.
const KERNEL_THREAD: u64 = 0x0020_0000;

/// How often to retry reading an environment that is being replaced.
const ENVIRON_RETRIES: usize = 200;

/// One process of the kernel's process table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProcessRow {
    pub(crate) pid: u32,
    pub(crate) parent: u32,
    pub(crate) group: u32,
    pub(crate) session: u32,
    pub(crate) start_ticks: u64,
    pub(crate) cpu_ticks: u64,
    pub(crate) resident_pages: u64,
    pub(crate) alive: bool,
    pub(crate) is_kernel: bool,
    pub(crate) is_stopped: bool,
}

impl ProcessRow {
    /// Reads one process; `None` when there is no such process.
    pub(crate) fn load(pid: u32) -> Option<Self> {
        let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
        Self::parse(pid, &String::from_utf8_lossy(&stat))
    }

    fn parse(pid: u32, stat: &str) -> Option<Self> {
        // The program's name is in parentheses and may itself contain spaces and parentheses.
        let (_, rest) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
        let small = |index: usize| fields.get(index)?.parse::<u32>().ok();
        let state = *fields.first()?;
        // A main thread that ended before the others shows as a zombie while the process still runs.
        let gone = match state {
            "Z" => number(17)? <= 1,
            "X" | "x" => true,
            _ => false,
        };
        Some(Self {
            pid,
            parent: small(1)?,
            group: small(2)?,
            session: small(3)?,
            start_ticks: number(19)?,
            cpu_ticks: number(11)? + number(12)? + number(13)? + number(14)?,
            resident_pages: number(21).unwrap_or(0),
            alive: !gone,
            is_kernel: number(6)? & KERNEL_THREAD != 0,
            is_stopped: state == "T",
        })
    }

    /// Every visible process of the machine.
    pub(crate) fn load_all() -> Vec<Self> {
        let Ok(entries) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        entries
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter_map(Self::load)
            .collect()
    }

    /// Whether both rows describe the same process, at whatever time they were read.
    pub(crate) fn is_same_as(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    /// Identifies the process among all since the boot.
    pub(crate) fn key(&self) -> (u32, u64) {
        (self.pid, self.start_ticks)
    }

    /// Whether the process runs this program, or a relative such as `git-remote-https` of `git`.
    pub(crate) fn is_running(&self, program: &str) -> bool {
        let path = fs::read_link(format!("/proc/{}/exe", self.pid)).unwrap_or_default();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| name.starts_with(program))
    }

    /// The environment of the process at the start of its program.
    pub(crate) fn load_environ(&self) -> Vec<u8> {
        for _ in 0..ENVIRON_RETRIES {
            match fs::read(format!("/proc/{}/environ", self.pid)) {
                // While a process replaces its program, its environment is empty for a moment.
                Ok(environ) if environ.is_empty() && self.is_still_a_program() => {}
                environ => return environ.unwrap_or_default(),
            }
            thread::yield_now();
        }
        Vec::new()
    }

    /// Whether the process is alive and not a kernel thread; kernel threads never have an environment.
    fn is_still_a_program(&self) -> bool {
        let now = Self::load(self.pid).filter(|now| now.is_same_as(self) && now.alive);
        now.is_some_and(|now| !now.is_kernel)
    }

    /// Sends a signal to exactly this process: the handle is opened before the start time is compared, so a reused
    /// pid is never hit.
    pub(crate) fn signal(&self, signal: Signal) {
        let Some(pid) = i32::try_from(self.pid).ok().and_then(Pid::from_raw) else {
            return;
        };
        let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else {
            return;
        };
        if Self::load(self.pid).is_some_and(|now| now.start_ticks == self.start_ticks)
            && let Err(error) = pidfd_send_signal(&handle, signal)
        {
            tracing::debug!(pid = self.pid, ?signal, %error, "could not deliver signal");
        }
    }

    /// Kills the process group, including processes that are forked into it at this moment. While a member exists,
    /// dead or alive, the kernel does not reuse the group's number.
    pub(crate) fn kill_group(&self) {
        let is_there =
            Self::load(self.pid).is_some_and(|now| now.is_same_as(self) && now.group == self.group);
        let group = i32::try_from(self.group).ok().and_then(Pid::from_raw);
        // A supervised tree has its own sessions; a process in the server's session is not part of one. The server's
        // session is read from the table like any other: in a container it may have begun outside, and then its
        // number is 0.
        let own_session = Self::load(std::process::id()).map(|own| own.session);
        let is_apart = own_session.is_some_and(|own| own != self.session);
        if let Some(group) = group.filter(|_| is_there && is_apart && self.group > 1) {
            kill_process_group(group, Signal::KILL).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn e_4_a_program_name_with_parentheses_does_not_shift_the_fields() {
        let stat = "7 (a) b (c)) S 1 2 3 0 -1 0 0 0 0 0 10 20 30 40 20 0 1 0 999 0";
        let row = ProcessRow::parse(7, stat).expect("a full line");
        assert_eq!(
            (row.parent, row.group, row.session, row.start_ticks, row.cpu_ticks),
            (1, 2, 3, 999, 100)
        );
        assert!(row.alive);
    }

    #[test]
    fn e_4_a_zombie_is_dead_unless_other_threads_run() {
        let line =
            |threads: u32| format!("7 (x) Z 1 2 3 0 -1 0 0 0 0 0 0 0 0 0 20 0 {threads} 0 5 0");
        assert!(!ProcessRow::parse(7, &line(1)).expect("a full line").alive);
        assert!(ProcessRow::parse(7, &line(2)).expect("a full line").alive);
    }
}

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How a process left by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// It returned this code.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

impl Exit {
    /// Whether the code is 0.
    pub fn is_success(self) -> bool {
        self == Self::Code(0)
    }
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code),
            (None, Some(signal)) => Self::Signal(signal),
            // Neither can only be a stopped process, which is never waited for; the shell's "unknown" stands in.
            (None, None) => Self::Code(255),
        }
    }
}

impl std::fmt::Display for Exit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Code(code) => write!(formatter, "exit code {code}"),
            Self::Signal(signal) => write!(formatter, "signal {signal}"),
        }
    }
}

/// Why a run is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The program returned this code.
    Exited(i32),
    /// A signal that was not ours ended it.
    Signalled(i32),
    /// Its deadline passed and it was ended.
    TimedOut,
    /// Its caller asked for the end.
    Stopped,
}

impl From<Exit> for Ending {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Code(code) => Self::Exited(code),
            Exit::Signal(signal) => Self::Signalled(signal),
        }
    }
}

/// What is known of a run when nothing of it is alive any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended<E = Ending> {
    /// Why it is over.
    pub ending: E,
    /// The last output, standard output and error in the order they were written.
    pub tail: String,
    /// The size of the log file.
    pub log_bytes: u64,
    /// Whether output was left out of the log because of its cap.
    pub truncated: bool,
    /// Why the log could not be written to its end, if so. The run itself was not held up by it.
    pub log_failure: Option<String>,
    /// From start to end.
    pub duration: Duration,
    /// Processor time of the program, of the children it waited for, of orphans, and of what had to be ended.
    pub cpu_time: Duration,
    /// The most memory that the tree was seen to have: its resident sets together (what they share counts for each),
    /// and no less than the most of any one of them. Sampled, so short peaks can be missed; `None` when it was over
    /// before the first look.
    pub peak_memory_kib: Option<u64>,
    /// Descendants that outlived the program and were ended.
    pub stragglers: usize,
    /// Pids that even SIGKILL did not end in time (stuck in the kernel). Empty in all but broken machines; while it
    /// is not, nothing else may use the run's directory.
    pub left_alive: Vec<u32>,
}

impl<E> Ended<E> {
    pub(crate) fn map<F>(self, ending: impl FnOnce(E) -> F) -> Ended<F> {
        Ended {
            ending: ending(self.ending),
            tail: self.tail,
            log_bytes: self.log_bytes,
            truncated: self.truncated,
            log_failure: self.log_failure,
            duration: self.duration,
            cpu_time: self.cpu_time,
            peak_memory_kib: self.peak_memory_kib,
            stragglers: self.stragglers,
            left_alive: self.left_alive,
        }
    }
}

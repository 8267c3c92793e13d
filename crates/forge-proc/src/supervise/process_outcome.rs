use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How a process exited by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessExit {
    /// The process returned this code.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

impl ProcessExit {
    /// Whether the code is 0.
    pub fn is_success(self) -> bool {
        self == Self::Code(0)
    }
}

impl From<ExitStatus> for ProcessExit {
    fn from(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code),
            (None, Some(signal)) => Self::Signal(signal),
            // Neither is set only for a stopped process, which is never waited for; 255 is the shell's code for
            // "unknown".
            (None, None) => Self::Code(255),
        }
    }
}

impl std::fmt::Display for ProcessExit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Code(code) => write!(formatter, "exit code {code}"),
            Self::Signal(signal) => write!(formatter, "signal {signal}"),
        }
    }
}

/// Why a supervised program is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessEnding {
    /// The program returned this code.
    Exited(i32),
    /// A signal that this server did not send ended it.
    Signalled(i32),
    /// Its deadline passed and it was ended.
    TimedOut,
    /// The caller requested the end.
    Stopped,
}

impl From<ProcessExit> for ProcessEnding {
    fn from(exit: ProcessExit) -> Self {
        match exit {
            ProcessExit::Code(code) => Self::Exited(code),
            ProcessExit::Signal(signal) => Self::Signalled(signal),
        }
    }
}

/// Everything known about a supervised program after its whole tree has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessOutcome<E = ProcessEnding> {
    pub ending: E,
    /// The last output, standard output and standard error in the order they were written.
    pub tail: String,
    /// Size of the log file.
    pub log_bytes: u64,
    /// Whether output was left out of the log because of its cap.
    pub truncated: bool,
    /// Why the log could not be completed, if so. The program itself was not delayed by it.
    pub log_failure: Option<String>,
    /// Time from start to end.
    pub duration: Duration,
    /// Processor time of the program, of the children it waited for, of orphans, and of the processes that the sweep
    /// ended.
    pub cpu_time: Duration,
    /// The largest sampled memory of the tree: the sum of its resident sets (shared pages count for each process),
    /// and at least the peak of any single process. Short peaks can be missed; `None` when the tree ended before the
    /// first sample.
    pub peak_memory_kib: Option<u64>,
    /// Number of descendants that outlived the program and were ended.
    pub stragglers: usize,
    /// Pids that SIGKILL did not end in time (stuck in the kernel). Empty except on broken machines; while it is not
    /// empty, nothing else may use the program's directory.
    pub surviving_pids: Vec<u32>,
}

impl<E> ProcessOutcome<E> {
    pub(crate) fn map<F>(self, ending: impl FnOnce(E) -> F) -> ProcessOutcome<F> {
        ProcessOutcome {
            ending: ending(self.ending),
            tail: self.tail,
            log_bytes: self.log_bytes,
            truncated: self.truncated,
            log_failure: self.log_failure,
            duration: self.duration,
            cpu_time: self.cpu_time,
            peak_memory_kib: self.peak_memory_kib,
            stragglers: self.stragglers,
            surviving_pids: self.surviving_pids,
        }
    }
}

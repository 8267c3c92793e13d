use std::path::PathBuf;
use std::time::Duration;

use crate::call::invocation::ProgramInvocation;
use crate::tree::process_mark::ProcessMark;

const LOG_CAP: u64 = 64 * 1024 * 1024;
const TAIL: usize = 64 * 1024;
const GRACE: Duration = Duration::from_secs(5);

/// What to supervise: the call, the mark that finds its processes again, the log and the time limits.
#[derive(Debug)]
pub struct SupervisionSpec {
    pub(crate) invocation: ProgramInvocation,
    pub(crate) mark: ProcessMark,
    pub(crate) log: PathBuf,
    pub(crate) log_cap: u64,
    pub(crate) tail: usize,
    pub(crate) deadline: Option<Duration>,
    pub(crate) grace: Duration,
    pub(crate) adoptable: bool,
}

impl SupervisionSpec {
    /// No deadline, a log of up to 64 MiB, a tail of 64 KiB and 5 seconds between TERM and KILL.
    pub fn new(invocation: ProgramInvocation, mark: ProcessMark, log: impl Into<PathBuf>) -> Self {
        Self {
            invocation,
            mark,
            log: log.into(),
            log_cap: LOG_CAP,
            tail: TAIL,
            deadline: None,
            grace: GRACE,
            adoptable: false,
        }
    }

    /// How many bytes of output the log keeps from the start. Later output is dropped except for the tail.
    #[must_use]
    pub fn log_cap(mut self, bytes: u64) -> Self {
        self.log_cap = bytes;
        self
    }

    /// How many of the last bytes are kept in memory (and end a truncated log).
    #[must_use]
    pub fn tail(mut self, bytes: usize) -> Self {
        self.tail = bytes;
        self
    }

    /// After this time the tree is ended.
    #[must_use]
    pub fn deadline(mut self, after: Duration) -> Self {
        self.deadline = Some(after);
        self
    }

    /// How long a process has between TERM and KILL.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Lets the program outlive this process unharmed, for [`crate::adopt`]: a relay process copies its output into a
    /// directory beside the log, so that the death of the server neither breaks its pipe nor loses output. Costs that
    /// process (a shell with `dd`) and a second copy of the output.
    #[must_use]
    pub fn adoptable(mut self) -> Self {
        self.adoptable = true;
        self
    }
}

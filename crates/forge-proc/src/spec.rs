use std::path::PathBuf;
use std::time::Duration;

use crate::invocation::Invocation;
use crate::mark::Mark;

const LOG_CAP: u64 = 64 * 1024 * 1024;
const TAIL: usize = 64 * 1024;
const GRACE: Duration = Duration::from_secs(5);

/// A supervised run: what to call, how to find its processes again, where its output goes and how long it may take.
#[derive(Debug)]
pub struct Spec {
    pub(crate) invocation: Invocation,
    pub(crate) mark: Mark,
    pub(crate) log: PathBuf,
    pub(crate) log_cap: u64,
    pub(crate) tail: usize,
    pub(crate) deadline: Option<Duration>,
    pub(crate) grace: Duration,
    pub(crate) adoptable: bool,
}

impl Spec {
    /// A run without a deadline, with a log of up to 64 MiB, a tail of 64 KiB and 5 seconds between TERM and KILL.
    pub fn new(invocation: Invocation, mark: Mark, log: impl Into<PathBuf>) -> Self {
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

    /// How many bytes of output the log keeps from the start. What comes later is dropped but for the tail.
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

    /// Lets the run outlive us unharmed, for [`crate::adopt`]: a small process of its own stands between it and the
    /// log, in a directory beside it, so that our death neither breaks its pipe nor loses what it prints. Costs that
    /// process (a shell with `dd`) and a second copy of the output.
    #[must_use]
    pub fn adoptable(mut self) -> Self {
        self.adoptable = true;
        self
    }
}

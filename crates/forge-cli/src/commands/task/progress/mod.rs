//! `forge task complete`, `forge task watch` and `forge merge`: a task's way to its end, and following it.
//!
//! The server keeps all state: a command that is interrupted stops following, and the task goes on. The commands wait
//! for events and never poll.

pub(crate) mod complete;
pub(crate) mod event_line;
pub(crate) mod merge;
pub(crate) mod merge_step;
pub(crate) mod task_follower;
pub(crate) mod watch;

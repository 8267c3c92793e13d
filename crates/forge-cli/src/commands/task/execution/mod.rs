//! Actions on an execution of a task: log, prompt, pulse, message, follow-up, stop, restart, mark as failed.
//!
//! Without `--execution` they use the running execution, or the latest one. They send one request each; an
//! interrupted command leaves the state of the last answered request, and the execution itself continues.

pub(crate) mod execution_target;
mod follow_log;
pub(crate) mod follow_up;
pub(crate) mod log;
mod log_event_text;
pub(crate) mod log_printer;
pub(crate) mod prompt;
pub(crate) mod pulse;
pub(crate) mod steer;
pub(crate) mod stop_restart;

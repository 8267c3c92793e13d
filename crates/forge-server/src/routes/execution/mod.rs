//! Routes of executions: list, log and output, follow-up, messages, stop, restart, fail, activity and usage.
//!
//! A log stream ends when the execution does, when the credential ends, or when the server stops; the client resumes
//! after its last event id. Stopping and restarting are commands: after a crash the next start completes them.

pub(crate) mod execution_control;
pub(crate) mod execution_log;
pub(crate) mod executions;
pub(crate) mod follow_up;
pub(crate) mod log_page;
pub(crate) mod steer;
pub(crate) mod usage;

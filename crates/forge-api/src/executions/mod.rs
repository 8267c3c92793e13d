//! Wire types of executions: status and outcome, output and log events, messages to running agents, the requests to
//! stop, restart and fail an execution, and token usage with budgets.
//!
//! An execution is `pending`, `preparing`, `running`, `stopping` or `finished`; a finished one has an outcome. After
//! a crash of the server an execution is adopted and continues, or ends with the outcome `lost`.

pub(crate) mod execution;
pub(crate) mod execution_control;
pub(crate) mod execution_log;
pub(crate) mod steer;
pub(crate) mod usage;

//! Client methods for executions, their output and log, messages to agents, and usage.
//!
//! Stopping, restarting and failing wait for the end of the processes and therefore use the long time limit. The
//! server continues the work if the client disconnects.

mod execution;
mod usage;

pub use crate::executions::execution::ExecutionClient;
pub use crate::executions::usage::UsageClient;

//! Conversions of executions, their activity, the overview of agents, and usage.
//!
//! Pure functions; nothing is stored. The status of an open execution is derived from its row and its task.

pub(crate) mod execution;
pub(crate) mod execution_control;
pub(crate) mod usage;

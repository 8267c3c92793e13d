//! Supervision of agents (T-22): the overview of running, stuck, failed, waiting and abandoned work, and the current activity of one
//! execution. Reads only, so a crash leaves nothing.

pub(crate) mod agents_overview;
pub(crate) mod execution_activity;

pub use crate::execution::supervision::agents_overview::{AgentsOverview, AgentsOverviewEntry};
pub use crate::execution::supervision::execution_activity::ExecutionActivity;

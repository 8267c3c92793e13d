//! Executions and their resources: execution rows, tokens, usage sums, budgets, waits of agents, leased ports.
//!
//! An execution row is pending, running or finished; the projection writes it from events. Its token is deleted and its usage added to
//! the sums of task, agent and project in the transaction that finishes it. After a crash an open row names the process to adopt.

pub mod agent_waits;
pub mod budgets;
pub mod execution_tokens;
pub mod executions;
pub mod ports;
pub mod usage;

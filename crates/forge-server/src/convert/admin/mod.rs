//! Conversions of agents, their probes and environment, and of the state of dispatch.
//!
//! Pure functions; nothing is stored. Values of an agent's environment are replaced by `[redacted]`.

pub(crate) mod agent;
pub(crate) mod dispatch;

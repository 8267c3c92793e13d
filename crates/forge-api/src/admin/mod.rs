//! Wire types of the server's administration: agents and their executors, automatic dispatch, health, readiness and
//! recovery, and the demonstration.
//!
//! `RecoveryReport` says what the last start found after a crash: adopted, ended and lost executions, resumed effects
//! and released locks.

pub(crate) mod agent;
pub(crate) mod demo;
pub(crate) mod dispatch;
pub(crate) mod system;

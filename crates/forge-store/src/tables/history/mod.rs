//! The history of tasks: events, and the tables that are derived from them (transitions, comments, questions, executions, reviews by the
//! projection), with the counters that number tasks and events.
//!
//! The counter row of a project is locked until the transaction ends, so its event sequence has no gaps and becomes visible in order.
//! Events, snapshot and projection are written in one transaction: a crash leaves all of them or none, and the derived tables can be
//! rebuilt from the events.

pub mod comments;
pub mod counters;
pub mod events;
pub mod projection;
pub mod questions;
pub mod transitions;

//! The course of executions (E-6 to E-9, E-12, T-13, T-22, T-23, T-27): prepared, set up, started, ended; postponed, restarted, stopped.
//!
//! An execution waits (`PostponedExecution`) for a quota, a login or a budget, and starts again by itself. A lost execution is
//! opened again a bounded number of times; a silent one is annotated, then stopped and its task parked. Messages to an agent stay
//! queued until an execution is known to have read them. An execution that ends with an open question leaves
//! its task in its state until the answer opens the next one (`AnswerTurn`).
//!
//! All functions are pure. A crash before the commit leaves nothing; reports of an earlier execution are ignored by their id or visit.

mod follow_up;
mod lifecycle;
mod login_wait;
mod postpone;
mod question;
mod quota_wait;
mod restart;
mod silence;
mod steer;
mod stop;
